import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { parseJsonBody } from '../../shared/http/request/json-body.ts';
import { browserUrl, EmailAddress } from '../../shared/wire/addresses.ts';
import { MetadataMap, StringMetadataMap } from '../../shared/wire/metadata.ts';
import { percent } from '../../shared/wire/percent.ts';
import { text } from '../../shared/wire/text/texts.ts';
import { CurrencyCode, defined, idOf, ignoring, MoneyAmount, TaxCategoryName } from '../../shared/wire/values.ts';
import { cpuMillisecondsOf } from '../support/cpu.ts';

/** What comes out, or the first reason why not. */
function read(schema: z.ZodType, value: unknown): { value: unknown } | { refused: string } {
  const result = schema.safeParse(value);
  if (result.success) return { value: result.data };
  const [issue] = result.error.issues;
  return { refused: (issue?.code === 'custom' && (issue.params?.['code'] as string)) || 'INVALID_REQUEST_BODY' };
}
const accepts = (schema: z.ZodType, value: unknown): boolean => 'value' in read(schema, value);

describe('an amount of money', () => {
  it.each([
    ['0', 0],
    ['-0', 0],
    ['1', 1],
    ['1999', 1_999],
    ['1e3', 1_000],
    ['19.0', 19],
    ['2147483646', 2_147_483_646],
    ['2147483647', 2_147_483_647],
  ])('is accepted as %s', (json, amount) => {
    const result = read(MoneyAmount, JSON.parse(json));
    expect(result).toEqual({ value: amount });
    expect(Object.is('value' in result && result.value, amount)).toBe(true);
  });

  it.each([
    ['-1', 'INTEGER_CONVERSION_FAILURE'],
    ['-2147483648', 'INTEGER_CONVERSION_FAILURE'],
    ['2147483648', 'INTEGER_CONVERSION_FAILURE'],
    ['9007199254740991', 'INTEGER_CONVERSION_FAILURE'],
    ['9007199254740993', 'INTEGER_CONVERSION_FAILURE'],
    ['1e300', 'INTEGER_CONVERSION_FAILURE'],
    ['1e400', 'INVALID_REQUEST_BODY'],
    ['-1e400', 'INVALID_REQUEST_BODY'],
    ['19.99', 'INVALID_REQUEST_BODY'],
    ['0.5', 'INVALID_REQUEST_BODY'],
    ['5e-324', 'INVALID_REQUEST_BODY'],
    ['"1999"', 'INVALID_REQUEST_BODY'],
    ['""', 'INVALID_REQUEST_BODY'],
    ['"0"', 'INVALID_REQUEST_BODY'],
    ['"1e3"', 'INVALID_REQUEST_BODY'],
    ['"0x10"', 'INVALID_REQUEST_BODY'],
    ['null', 'INVALID_REQUEST_BODY'],
    ['true', 'INVALID_REQUEST_BODY'],
    ['false', 'INVALID_REQUEST_BODY'],
    ['[]', 'INVALID_REQUEST_BODY'],
    ['[1]', 'INVALID_REQUEST_BODY'],
    ['{}', 'INVALID_REQUEST_BODY'],
    ['{"valueOf":1}', 'INVALID_REQUEST_BODY'],
  ])('is refused as %s, with the code %s', (json, refused) => {
    expect(read(MoneyAmount, JSON.parse(json))).toEqual({ refused });
  });

  it('is always a whole number within 32 bits, in 1 000 random cases', () => {
    const literal = fc.oneof(
      fc.constantFrom(
        '0',
        '-0',
        '-1',
        '1e400',
        '"5"',
        '5.5',
        '9007199254740992',
        'null',
        '[]',
        '{}',
        'true',
        '"1e3"',
        '499',
        '500',
      ),
      fc.double().filter(Number.isFinite).map(String),
      fc.integer().map(String),
      fc.integer({ min: 1 }).map((value) => `${value}0`),
      fc.maxSafeInteger().map(String),
      fc.tuple(fc.nat(999), fc.integer({ min: -20, max: 330 })).map(([digits, exponent]) => `${digits}e${exponent}`),
      fc.json({ maxDepth: 1 }).filter((json) => !/__proto__|constructor|prototype/.test(json)),
    );
    fc.assert(
      fc.property(literal, (json) => {
        const result = read(MoneyAmount, parseJsonBody(Buffer.from(json)));
        if ('refused' in result) return;
        const amount = result.value as number;
        expect(Number.isSafeInteger(amount) && amount >= 0 && amount <= 2_147_483_647 && !Object.is(amount, -0)).toBe(
          true,
        );
        expect(Number(json) + 0).toBe(amount);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('a percentage', () => {
  it.each([
    ['0', 0],
    ['0.19', 19],
    ['0.07', 7],
    ['0.255', 25.5],
    ['0.09975', 9.975],
    ['0.14975', 14.975],
    ['0.1', 10],
    ['0.29', 29],
    ['0.57', 57],
    ['0.0725', 7.25],
    ['0.000001', 0.0001],
    ['1', 100],
    ['1.5', 150],
    [null, null],
  ])('of the rate %s is shown as %d', (rate, percentage) => {
    expect(percent(rate)).toBe(percentage);
  });

  it('has no rounding noise: it has the same digits as the rate, for every rate with six decimals', () => {
    const wrong: string[] = [];
    for (let millionths = 0; millionths <= 1_000_000; millionths += 7) {
      const rate = (millionths / 1_000_000).toFixed(6);
      const printed = String(percent(rate));
      const [, places = ''] = printed.split('.');
      if (places.length > 4 || Math.round(Number(printed) * 10_000) !== millionths) wrong.push(`${rate}: ${printed}`);
    }
    expect(wrong).toEqual([]);
  });
});

describe('an id', () => {
  it.each([`pdt_${'a'.repeat(21)}`, `pdt_${'Z'.repeat(21)}`, `pdt_${'0'.repeat(21)}`])('can be %s', (id) => {
    expect(accepts(idOf('pdt'), id)).toBe(true);
  });

  it.each([
    '',
    'pdt_',
    `pdt_${'a'.repeat(20)}`,
    `pdt_${'a'.repeat(22)}`,
    `pay_${'a'.repeat(21)}`,
    `PDT_${'a'.repeat(21)}`,
    `pdt_${'a'.repeat(20)}#`,
    `pdt_${'a'.repeat(20)}/`,
    `pdt_${'ä'.repeat(21)}`,
    ` pdt_${'a'.repeat(21)}`,
    `pdt_${'a'.repeat(21)}\n`,
    null,
    1,
    [],
  ])('cannot be %j', (id) => {
    expect(accepts(idOf('pdt'), id)).toBe(false);
  });
});

describe('metadata', () => {
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));

  it.each([
    [{}],
    [{ a: '' }],
    [{ a: 'x'.repeat(500), b: 1.5, c: true, d: false, e: 0, f: -1 }],
    [{ a: '🐦'.repeat(500) }],
    [{ kept: ' as it is\r\n\t, e\u0301 ', blank: ' \n' }],
    [{ 'A-b_9': 'x' }],
    [{ ['k'.repeat(40)]: 'x' }],
    [{ n: Number.MAX_SAFE_INTEGER, m: -Number.MAX_SAFE_INTEGER, s: 1e-100 }],
    [keys(50)],
  ])('may be %j', (map) => {
    expect(read(MetadataMap, map)).toEqual({ value: map });
  });

  it.each([
    ['a key of 41 letters', { ['k'.repeat(41)]: 'x' }],
    ['an empty key', { '': 'x' }],
    ['a key with a space', { 'a b': 'x' }],
    ['a key with a dot', { 'a.b': 'x' }],
    ['a key with an umlaut', { ä: 'x' }],
    ['a value of 501 characters', { a: 'x'.repeat(501) }],
    ['null', { a: null }],
    ['an object', { a: {} }],
    ['an array', { a: [] }],
    ['a number beyond 2^53', { a: 2 ** 53 }],
    ['a number that only a float knows', { a: 1e300 }],
    ['a number too small to keep', { a: 1e-200 }],
    ['a card number as a key', { '4242424242424242': 'x' }],
    ['a card number as a number', { a: 4_242_424_242_424_242 }],
  ])('cannot contain %s', (_, map) => {
    expect(accepts(MetadataMap, map)).toBe(false);
  });

  it.each([
    ['a\u0000b', /control characters/],
    ['a\u001bb', /control characters/],
    ['a\u007fb', /control characters/],
    ['a\u202eb', /control characters/],
    ['a\u2066b', /control characters/],
    ['\ud800', /control characters/],
    ['4242424242424242', /card number/],
    [4_242_424_242_424_242, /card number/],
    [2 ** 53, /2\^53/],
    ['x'.repeat(501), /at most 500 characters/],
  ])('cannot contain %j, and the message says why', (value, why) => {
    expect(MetadataMap.safeParse({ a: value }).error?.issues).toMatchObject([{ message: expect.stringMatching(why) }]);
  });

  it('has at most 50 keys', () => {
    expect(read(MetadataMap, keys(51))).toEqual({ refused: 'MAXIMUM_KEYS_REACHED' });
  });

  it('must be an object', () => {
    for (const value of [[], 'a', 1, true]) expect(accepts(MetadataMap, value)).toBe(false);
  });

  it('of webhook endpoints can contain only strings', () => {
    expect(accepts(StringMetadataMap, { a: 'x\n' })).toBe(true);
    for (const value of [1, true, null]) expect(accepts(StringMetadataMap, { a: value })).toBe(false);
  });
});

describe('a name in the API’s vocabulary', () => {
  it('is accepted only if it is a known currency or tax category', () => {
    expect(read(CurrencyCode, 'EUR')).toEqual({ value: 'EUR' });
    expect(read(CurrencyCode, 'HRK')).toEqual({ refused: 'UNSUPPORTED_CURRENCY' });
    expect(read(TaxCategoryName, 'e_book')).toEqual({ value: 'e_book' });
    expect(read(TaxCategoryName, 'books')).toEqual({ refused: 'UNSUPPORTED_TAX_CATEGORY' });
    for (const value of ['toString', '__proto__', '']) {
      expect(accepts(CurrencyCode, value)).toBe(false);
      expect(accepts(TaxCategoryName, value)).toBe(false);
    }
  });
});

describe('a field that has no effect', () => {
  it('is ignored at the top level of the object only', () => {
    const anything = ignoring(['addons'], MetadataMap);
    expect(read(anything, { addons: { any: ['thing'] }, a: 1 })).toEqual({ value: { a: 1 } });
    expect(accepts(anything, { a: { addons: 1 } })).toBe(false);
    for (const value of [[], null, 'addons']) expect(accepts(anything, value)).toBe(false);
  });
});

describe('an object without its undefined members', () => {
  it('keeps members that are null, 0 or empty', () => {
    expect(Object.keys(defined({ a: undefined, b: null, c: 0, d: '' }))).toEqual(['b', 'c', 'd']);
  });
});

describe('a megabyte in a field', () => {
  const fields = {
    text: text(0, 3_000),
    email: EmailAddress,
    url: browserUrl,
    id: idOf('pdt'),
    currency: CurrencyCode,
    metadata: MetadataMap,
  };
  const megabytes = {
    letters: 'a'.repeat(1_000_000),
    digits: '1'.repeat(1_000_000),
    'digits and spaces': '1 '.repeat(500_000),
    'almost card numbers': '424242424242x'.repeat(77_000),
    'combining marks': 'a\u0301'.repeat(500_000),
    dots: 'a.'.repeat(500_000),
    'an address': `${'a'.repeat(500_000)}@${'b.'.repeat(250_000)}`,
    'a URL': `https://${'a.'.repeat(500_000)}`,
  };

  it.each(Object.keys(megabytes) as (keyof typeof megabytes)[])('of %s is refused fast', (kind) => {
    for (const [name, schema] of Object.entries(fields)) {
      const value = name === 'metadata' ? { a: megabytes[kind] } : megabytes[kind];
      expect(accepts(schema, value)).toBe(false);
      // some 15 ms; backtracking would take minutes
      expect(cpuMillisecondsOf(() => accepts(schema, value))).toBeLessThan(200);
    }
  });
});
