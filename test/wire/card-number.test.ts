import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { browserUrl } from '../../shared/wire/addresses.ts';
import { MetadataMap } from '../../shared/wire/metadata.ts';
import { containsCardNumber } from '../../shared/wire/text/card-number.ts';
import { isOtherNumber } from '../../shared/wire/text/other-number.ts';
import { shownText } from '../../shared/wire/text/shown-text.ts';
import { prose, taxIdText, text } from '../../shared/wire/text/texts.ts';
import { pickOne, seeded, times } from '../support/seeded.ts';
import { corpora, digitsOf, indonesianNik, luhnNumber } from '../support/wire/number-corpus.ts';

/** Brands with the beginnings and lengths of the numbers that they issue. */
const brands = {
  Visa: [['4'], [16, 19]],
  Mastercard: [['51', '52', '53', '54', '55', '2221', '2229', '223', '23', '26', '271', '2720'], [16]],
  'American Express': [['34', '37'], [15]],
  'Diners Club': [['300', '305', '36', '38', '39'], [14]],
  Discover: [
    ['6011', '644', '649', '65'],
    [16, 17, 18, 19],
  ],
  JCB: [
    ['3528', '3529', '353', '358'],
    [16, 17, 18, 19],
  ],
  UnionPay: [['62'], [16, 17, 18, 19]],
  Maestro: [
    ['5018', '5020', '5038', '5893', '6304', '6759', '6761', '6763'],
    [16, 17, 18, 19],
  ],
} as const satisfies Record<string, readonly [readonly string[], readonly number[]]>;

const separators = {
  'a space': ' ',
  'two spaces': '  ',
  'a no-break space': '\u00a0',
  'a narrow space': '\u202f',
  'an ideographic space': '\u3000',
  'a tab': '\t',
  'a line break': '\n',
  'a hyphen': '-',
  'a no-break hyphen': '\u2011',
  'an en dash with spaces': ' – ',
  'a minus': '\u2212',
  'a dot': '.',
  'a middle dot': '·',
  'a bullet': ' • ',
  'a slash': '/',
  'a backslash': '\\',
  'an underscore': '_',
  'a zero-width space': '\u200b',
  'a soft hyphen': '\u00ad',
  'a word joiner': '\u2060',
  parentheses: ') (',
  plus: '+',
  'a percent-encoded space': '%20',
  'a space, encoded three times': '%252520',
} as const;

/** Scripts by the code point of their zero; those above 0xFFFF are styles of mathematics, which NFKC makes plain, and Adlam. */
const scripts = {
  Latin: 0x30,
  'full-width': 0xff10,
  Arabic: 0x660,
  Persian: 0x6f0,
  Devanagari: 0x966,
  Thai: 0xe50,
  bold: 0x1d7ce,
  monospace: 0x1d7f6,
  Adlam: 0x1e950,
} as const;

const cutEvery = (digits: string, size: number, separator: string): string =>
  (digits.match(new RegExp(`.{1,${size}}`, 'g')) ?? []).join(separator);

/** The ways in which people and forms group a card's number. */
const spellings = (card: string, separator: string): string[] => [
  cutEvery(card, 4, separator),
  cutEvery(card, 1, separator),
  ...(card.length % 2 === 0 ? [cutEvery(card, 2, separator)] : []),
  ...(card.length === 16 ? [cutEvery(card, 8, separator)].filter(() => separator !== '.') : []),
  ...(card.length <= 15 ? [[card.slice(0, 4), card.slice(4, 10), card.slice(10)].join(separator)] : []),
];

const inScript = (text: string, zero: number): string =>
  text.replaceAll(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));

const around = (card: string): string[] => [
  card,
  `Paid with ${card}.`,
  `x${card}x`,
  `(${card})`,
  `+${card}`,
  `no. ${card}, 12/34 123`,
];

/** A number of a brand that is not, at the same time, an article's, a company's or a time: see the tests below. */
function cardOf(random: () => number, prefixes: readonly string[], lengths: readonly number[]): string {
  const prefix = pickOne(random, prefixes);
  const card = luhnNumber(prefix + digitsOf(random, pickOne(random, lengths) - prefix.length - 1));
  return isOtherNumber(card) ? cardOf(random, prefixes, lengths) : card;
}

describe('a card number', () => {
  const random = seeded(11);

  it.each(Object.entries(brands))('of %s is found with every kind of separator', (_, [prefixes, lengths]) => {
    const missed = times(40).flatMap(() => {
      const card = cardOf(random, prefixes, lengths);
      const grouped = Object.values(separators).flatMap((separator) => spellings(card, separator));
      const scripted = Object.values(scripts).map((zero) => inScript(card, zero));
      const encoded = [...card].map((digit) => `%3${digit}`).join('');
      const nested = [...card].map((digit) => `%253${digit}`).join('');
      const all = [...around(card), ...grouped, ...scripted, encoded, nested, `https://shop.example/?card=${card}&x=1`];
      return all.filter((spelled) => !containsCardNumber(spelled));
    });
    expect(missed).toEqual([]);
  });

  it('is found when written in full-width, Arabic or other digits with separators, also percent-encoded', () => {
    const missed = Object.values(scripts).flatMap((zero) =>
      ['4242 4242 4242 4242', '4242.4242.4242.4242', '3782\u00a0822463\u00a010005']
        .map((card) => inScript(card, zero))
        .flatMap((card) => [card, encodeURIComponent(card), encodeURIComponent(encodeURIComponent(card))])
        .filter((card) => !containsCardNumber(card)),
    );
    expect(missed).toEqual([]);
  });

  it.each(Object.entries(corpora))('is never found by mistake in 10,000 random values of %s', (_, generate) => {
    const random = seeded(17);
    const seen = times(10_000)
      .map(() => generate(random))
      .filter((value) => containsCardNumber(value) || containsCardNumber(`Ref ${value}.`));
    expect(seen).toEqual([]);
  });

  it('is found in the tax id field if it is a Visa card, but never in 10,000 tax ids of 16 digits', () => {
    const random = seeded(19);
    const field = taxIdText(1, 40);
    const ids = times(10_000).map(() => indonesianNik(random));
    expect(ids.filter((id) => !field.safeParse(id).success)).toEqual([]);
    expect(field.safeParse('4242 4242 4242 4242').success).toBe(false);
  });

  it('is found by mistake in an order number that is valid by Luhn and begins like a Visa card', () => {
    const random = seeded(23);
    const numbers = times(1_000).map(() => luhnNumber(`4${digitsOf(random, 14)}`));
    expect(numbers.every(containsCardNumber)).toBe(true);
  });

  it('of Diners Club without spaces is accepted in one of ten cases, because it can be an article number', () => {
    const random = seeded(29);
    const cards = times(5_000).map(() => luhnNumber(`36${digitsOf(random, 11)}`));
    const overlooked = cards.filter((card) => !containsCardNumber(card));
    expect(overlooked.every(isOtherNumber)).toBe(true);
    expect(overlooked.length / cards.length).toBeCloseTo(0.1, 1);
    expect(cards.every((card) => containsCardNumber(cutEvery(card, 4, ' ')))).toBe(true);
  });

  it('is not found in decimal fractions such as ratios and geographic coordinates', () => {
    expect(['0.4242424242424242', '42.42424242424242', '47.376886 8.541694'].filter(containsCardNumber)).toEqual([]);
    expect(MetadataMap.safeParse({ ratio: 0.4242424242424242, latitude: 42.42424242424242 }).success).toBe(true);
  });

  it('is found in the decimal digits of every script in Unicode', () => {
    const zeros = times(0x1ffff).filter((code) => /\p{Nd}/u.test(String.fromCodePoint(code)));
    const values = zeros.filter((code, at) => zeros[at - 1] !== code - 1);
    const missed = values.filter((zero) => !containsCardNumber(inScript('4242424242424242', zero)));
    expect(zeros.length % 10).toBe(0);
    expect(values.length).toBeGreaterThan(50);
    expect(missed.map((code) => code.toString(16))).toEqual([]);
  });
});

describe('a refused card number', () => {
  const fields = { name: text(0, 100), note: prose(0, 100), url: browserUrl, tax_id: taxIdText(0, 40) };

  it.each(Object.keys(fields))('is reported with the name of its field: %s', (name) => {
    const card =
      name === 'url' ? 'https://shop.example/4242%204242%204242%204242' : '4242\u00a04242\u00a04242\u00a04242';
    const issues = z
      .object(fields)
      .partial()
      .safeParse({ [name]: card }).error?.issues;
    expect(issues).toMatchObject([{ path: [name], message: expect.stringMatching(/card number/) }]);
  });
});

describe('a text of the request that an answer repeats', () => {
  it('loses its digits if it contains a card number, and is cut if it is long', () => {
    expect(shownText('There is no /buy/4242 4242.4242%204242.')).toBe('There is no /buy/**** ****.****%******.');
    expect(shownText('There is no pay_0123456789.')).toBe('There is no pay_0123456789.');
    expect(shownText('x'.repeat(100_000)).length).toBeLessThan(1_100);
  });
});
