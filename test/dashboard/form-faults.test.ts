import { describe, expect, it } from 'vitest';
import { faultsOf } from '../../shared/dashboard/form-faults.ts';
import { faultSummary } from '../../shared/dashboard/parts.ts';
import { DomainError, type Fault, faultAt } from '../../shared/domain/errors.ts';
import * as sentences from '../../shared/domain/rules/rule-sentences.ts';
import { brokenRule, type Rule, type RuleValues, type Sentence } from '../../shared/domain/rules/rules.ts';
import { dashboardLanguages } from '../../shared/texts/texts.ts';
import { BrandInput } from '../../shared/wire/catalogue/brand.ts';
import { parseInput } from '../../shared/wire/parse.ts';

const all: Readonly<Record<Rule, Sentence>> = { ...sentences };

const refusalOf = (...faults: Fault[]) =>
  new DomainError('INVALID_REQUEST_PARAMETERS', 'Check the fields.', { faults });

type Language = (typeof dashboardLanguages)[number];

const said = (refusal: DomainError, locale: Language) => faultsOf(refusal, { locale }).map(({ message }) => message);

const inAllLanguages = (refusal: DomainError) => dashboardLanguages.map((locale) => said(refusal, locale));

function refusalIn(act: () => unknown): DomainError {
  try {
    act();
  } catch (error) {
    if (error instanceof DomainError) return error;
  }
  throw new Error('It was not refused.');
}

const textOf = (rule: Rule): string => Object.values(all[rule])[0] ?? '';

/** A value for each placeholder of the API's sentence. */
const valuesOf = (rule: Rule): RuleValues =>
  Object.fromEntries([...textOf(rule).matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, 7]));

/** The same refusal after somebody has changed the API's English. */
const inOtherEnglish = ({ code, broken, details: { faults = [] } }: DomainError) => {
  const message = 'is said in another way';
  return new DomainError(code, broken ? { ...broken, message } : message, {
    faults: faults.map((fault) => ({ ...fault, message })),
  });
};

describe('the text of a refusal', () => {
  it.each(Object.keys(all) as Rule[])('of the rule %s is there in every language, whatever the API says', (rule) => {
    const broken = brokenRule(all[rule], valuesOf(rule));
    for (const refusal of [refusalOf(faultAt('name', broken)), new DomainError('CONFLICT', broken)]) {
      const said = inAllLanguages(refusal).flat();
      expect(said).toHaveLength(dashboardLanguages.length);
      expect(said.filter((text) => /^$|^[a-z_]+$|[{}]/.test(text))).toEqual([]);
      expect(inAllLanguages(inOtherEnglish(refusal)).flat()).toEqual(said);
    }
  });

  it('of a schema follows from its rules, whatever the API says', () => {
    const refusal = refusalIn(() =>
      parseInput(BrandInput, { name: 'A'.repeat(101), support_email: 'nobody', url: 'ftp://a.example', more: 1 }),
    );
    const german = [
      'Geben Sie 1 bis 100 Zeichen ein.',
      'Geben Sie eine E-Mail-Adresse ein, etwa name@example.com.',
      'Geben Sie eine https-Adresse ein.',
      'Diese Angabe ist nicht gültig. Prüfen Sie sie und versuchen Sie es noch einmal.',
    ];
    expect(said(refusal, 'de')).toEqual(german);
    expect(said(inOtherEnglish(refusal), 'de')).toEqual(german);
  });
});

it.each<[path: string, fault: ReturnType<typeof brokenRule>, words: string]>([
  ['url', brokenRule(sentences.absolute_address), 'Enter an https address.'],
  ['name', brokenRule(sentences.length, { least: 1, most: 1_000 }), 'Enter 1 to 1,000 characters.'],
  ['name', brokenRule(sentences.card_number), 'Do not enter card numbers.'],
  [
    'components[0].rate',
    brokenRule(sentences.decimal_places),
    'Enter a rate in percent, and none where no tax is charged.',
  ],
  ['region', brokenRule(sentences.region, { region: 'ZZ', country: 'US' }), 'ZZ is not a region of US.'],
])('a fault of %s is said in the words of the page', (path, fault, words) => {
  const names = { 'components[0].rate': 'rate_1' };
  const [found] = faultsOf(refusalOf(faultAt(path, fault)), { locale: 'en' }, names);
  expect(found?.message).toBe(words);
});

it('two errors of a field with the same text are listed once', () => {
  const fault = { field: 'url', message: 'Enter an https address.' };
  const other = { ...fault, field: 'other' };
  const { text } = faultSummary(
    [fault, fault, other],
    Object.assign(() => '', { count: () => '', locale: 'en' }) as never,
  );
  expect(text.match(/<li>/g)).toHaveLength(2);
});
