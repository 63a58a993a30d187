import { describe, expect, it } from 'vitest';
import { testCards } from '../../shared/outside/processor/sandbox/sandbox-cards.ts';
import { findLocale, locales, negotiateLocale } from '../../shared/pages/locale.ts';
import { rateRows } from '../../shared/tax/rates/rate-table.ts';
import { pageTexts, translator } from '../../shared/texts/texts.ts';

const keys = Object.keys(pageTexts.en);

describe('the languages', () => {
  it('are the sixteen that the documentation promises', () => {
    expect(locales).toEqual([
      'en',
      'de',
      'fr',
      'es',
      'pt',
      'it',
      'nl',
      'sv',
      'pl',
      'ja',
      'ko',
      'th',
      'zh',
      'zh-TW',
      'ar',
      'he',
    ]);
  });

  it('describe the effect of every test card', () => {
    for (const { number } of testCards) expect(keys).toContain(`card.${number.slice(-4)}`);
  });

  it('translate the names of taxes', () => {
    const names = new Set(rateRows().flatMap(({ components }) => components.map(({ name }) => name)));
    for (const name of ['VAT', 'State sales tax', 'GST', 'HST', 'PST', 'QST', 'JCT']) expect(names).toContain(name);
  });
});

describe('the choice of a language', () => {
  it.each([
    ['de', 'de'],
    ['de-AT', 'de'],
    ['pt-BR, en;q=0.5', 'pt'],
    ['nb-NO, sv;q=0.8, en;q=0.5', 'sv'],
    ['en;q=0.2, fr;q=0.9', 'fr'],
    ['fr;q=0, es', 'es'],
    ['*', 'en'],
    ['zh-CN, zh', 'zh'],
    ['zh-Hans-HK, zh-TW', 'zh'],
    ['zh-SG', 'zh'],
    ['zh-Hant-TW', 'zh-TW'],
    ['zh-TW, zh;q=0.9, en;q=0.8', 'zh-TW'],
    ['zh;q=0.5, zh-HK', 'zh-TW'],
    ['en;q=0.5, zh-mo', 'zh-TW'],
    ['zh-Hant', 'zh-TW'],
    ['zh-twx', 'zh'],
    ['ko-KR, iw', 'ko'],
    ['vi-VN, iw', 'he'],
    ['vi, fa;q=0.5', 'en'],
    ['', 'en'],
    [undefined, 'en'],
    ['__proto__, constructor', 'en'],
    [';;;,,,q=', 'en'],
    ['de;q=abc, it;q=0.1', 'it'],
  ])('answers the header %j in %s', (header, locale) => {
    expect(negotiateLocale(header)).toBe(locale);
  });

  it.each([
    ['JA', 'ja'],
    ['en-GB', 'en'],
    ['xx', undefined],
    ['toString', undefined],
    [undefined, undefined],
  ])('maps the language tag %j to %s', (tag, locale) => {
    expect(findLocale(tag)).toBe(locale);
  });
});

describe('the translation', () => {
  it('fills placeholders, but not placeholders inside the values', () => {
    expect(translator('en')('cancel', { merchant: '{email} & $1 $&' })).toBe('Cancel and return to {email} & $1 $&');
  });

  it.each(['ar', 'he'] as const)('isolates the direction of each value in a right-to-left text: %s', (locale) => {
    const text = translator(locale)('pay.total', { total: 'EUR 5\u2069\u2066' });
    expect(text).toMatch(/^[^\u2066-\u2069]+ \u2068EUR 5\u2069$/u);
  });

  it('keeps a placeholder visible if it has no value', () => {
    expect(translator('de')('pay.total')).toBe('{total} bezahlen');
  });
});
