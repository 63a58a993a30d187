import { afterEach, describe, expect, it } from 'vitest';
import { type FaultTexts, faultsOf } from '../../shared/dashboard/form-faults.ts';
import { faultSummary } from '../../shared/dashboard/parts.ts';
import { textsOf } from '../../shared/dashboard/texts.ts';
import { DomainError, type Fault, faultAt } from '../../shared/domain/errors.ts';
import * as sentences from '../../shared/domain/rules/rule-sentences.ts';
import { brokenRule, type Rule, type RuleValues, type Sentence } from '../../shared/domain/rules/rules.ts';
import { dashboardLanguages } from '../../shared/texts/texts.ts';
import { BrandInput } from '../../shared/wire/catalogue/brand.ts';
import { parseInput } from '../../shared/wire/parse.ts';
import { changeEnglish, mark, restoreEnglish } from '../support/wire/other-english.ts';
import { textFiles } from '../texts/text-files.ts';

const all: Readonly<Record<Rule, Sentence>> = { ...sentences };

const refusalOf = (...faults: Fault[]) =>
  new DomainError('INVALID_REQUEST_PARAMETERS', 'Check the fields.', { faults });

type Language = (typeof dashboardLanguages)[number];

/** The texts of all sections, because a rule has its text in the section of its pages. */
const everyText = (locale: Language): FaultTexts => {
  const texts = Object.assign({}, ...Object.values(textFiles[`dashboard/${locale}.json`] ?? {}));
  return textsOf({ en: texts, [locale]: texts }, { locale });
};

const said = (refusal: DomainError, locale: Language) =>
  faultsOf(refusal, everyText(locale)).map(({ message }) => message);

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

afterEach(restoreEnglish);

describe('the text of a form error', () => {
  it.each(Object.keys(all) as Rule[])(
    'exists in every language for the rule %s, and does not depend on the API’s message',
    (rule) => {
      const values = valuesOf(rule);
      const refusals = () => {
        const broken = brokenRule(all[rule], values);
        return [refusalOf(faultAt('name', broken)), new DomainError('CONFLICT', broken)];
      };
      const said = refusals().flatMap(inAllLanguages).flat();
      expect(said).toHaveLength(2 * dashboardLanguages.length);
      expect(said.filter((text) => /^$|^[a-z_]+$|[{}]/.test(text))).toEqual([]);
      changeEnglish();
      expect(refusals().every(({ message, broken }) => !broken || message.includes(mark))).toBe(true);
      expect(refusals().flatMap(inAllLanguages).flat()).toEqual(said);
    },
  );

  it('of a schema follows from the broken rule, and does not depend on the API’s message', () => {
    const refused = () =>
      refusalIn(() =>
        parseInput(BrandInput, { name: 'A'.repeat(101), support_email: 'nobody', url: 'ftp://a.example', more: 1 }),
      );
    const german = [
      'Geben Sie 1 bis 100 Zeichen ein.',
      'Geben Sie eine E-Mail-Adresse ein, etwa name@example.com.',
      'Geben Sie eine https-Adresse ein.',
      'Diese Angabe ist nicht gültig. Prüfen Sie sie und versuchen Sie es noch einmal.',
    ];
    expect(said(refused(), 'de')).toEqual(german);
    changeEnglish();
    expect(refused().message).toContain(mark);
    expect(said(refused(), 'de')).toEqual(german);
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
])('a fault in the field %s has the dashboard’s text for the broken rule', (path, fault, words) => {
  const names = { 'components[0].rate': 'rate_1' };
  const [found] = faultsOf(refusalOf(faultAt(path, fault)), everyText('en'), names);
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
