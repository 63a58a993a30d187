import type { DomainError, Fault } from '../domain/errors.ts';
import type { Locale } from '../pages/locale.ts';
import { type FaultsKey, faultsTexts } from '../texts/texts.ts';
import type { FormFault } from './parts.ts';
import { textsOf } from './texts.ts';

/** What the API says of a form, at its fields: `names` are the paths that are called something else on the page. */
export function faultsOf(
  { message, code, details }: DomainError,
  { locale }: { locale: Locale },
  names: Readonly<Record<string, string>> = {},
): FormFault[] {
  const { faults = [] } = details;
  const say = (fault: Fault) =>
    locale === 'en' && isSentence(fault.message) ? fault.message : inWordsOfPage(fault, code, locale);
  if (faults.length === 0) return [{ field: '', message: say({ path: '', message }) }];
  return faults.map((fault) => {
    const field = names[fault.path] ?? fault.path;
    return { field, message: say({ path: field, message: fault.message }) };
  });
}

/** The API's own sentences can be read; its rules, like `must be an absolute https address`, are for programs. */
const isSentence = (message: string): boolean => /^[A-Z].*\.$/s.test(message);

/** What the API's sentences mean, the more special first. Numbers in them go into the text. */
const meanings: readonly (readonly [RegExp, FaultsKey])[] = [
  [/^must have at most (?<most>\d+) characters/, 'tooLong'],
  [/^must have (?<least>\d+) to (?<most>\d+) characters/, 'length'],
  [/is required|^must not be empty/, 'required'],
  [/card/, 'cardNumber'],
  [/characters that are not allowed|printable/, 'characters'],
  [/already \w*\s?(?:signed in|has|a member)|already exists/, 'exists'],
  [/[Aa]t most \d+ \w+ are allowed|There are \d+ /, 'many'],
  [/must be after|must be in the future/, 'order'],
  [/^The new key must expire by/, 'keyEnd'],
  [/archived|erased/, 'gone'],
];

/** What is wrong with a field, by its name, where no sentence is known. */
const byField: Readonly<Record<string, FaultsKey>> = {
  url: 'address',
  supportEmail: 'email',
  email: 'email',
  image: 'image',
  region: 'region',
  scheme: 'scheme',
  business_buyers: 'businesses',
  tax_id: 'taxId',
  rate_1: 'rate',
  rate_2: 'rate',
  active_from: 'day',
  expires_at: 'day',
  effective_from: 'day',
  effective_to: 'day',
};

/** A fault in the words of the page: what the API's sentence means, or what the field takes. */
function inWordsOfPage({ path, message }: Fault, code: DomainError['code'], locale: Locale): string {
  const t = textsOf(faultsTexts, { locale });
  for (const [pattern, key] of meanings) {
    const found = pattern.exec(message);
    if (found) return t(key, found.groups);
  }
  return t(byField[path] ?? (code === 'CONFLICT' ? 'exists' : 'other'));
}
