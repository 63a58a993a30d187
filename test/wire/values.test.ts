import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { parseJsonBody } from '../../shared/http/request/json-body.ts';
import { browserUrl, EmailAddress } from '../../shared/wire/addresses.ts';
import { ProductInput } from '../../shared/wire/catalogue/product-input.ts';
import { SessionInput } from '../../shared/wire/checkout/checkout-session.ts';
import { MetadataMap, StringMetadataMap } from '../../shared/wire/metadata.ts';
import { percent } from '../../shared/wire/percent.ts';
import { isOtherNumber } from '../../shared/wire/text/other-number.ts';
import { text } from '../../shared/wire/text/texts.ts';
import { CurrencyCode, defined, idOf, ignoring, MoneyAmount, TaxCategoryName } from '../../shared/wire/values.ts';
import { anyCharacter } from '../support/any-character.ts';
import { cpuMillisecondsOf, growthOf, linear } from '../support/cpu.ts';

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

describe('a text', () => {
  const name = text(1, 100);

  it.each([
    ['plain', 'plain'],
    ['  trimmed ', 'trimmed'],
    ['two  spaces', 'two  spaces'],
    ['e\u0301', 'é'],
    ['A\u030a', 'Å'],
    ['\u1e9b\u0323', '\u1e9b\u0323'.normalize('NFC')],
    ['日本語 العربية עברית', '日本語 العربية עברית'],
    ['👩‍👩‍👧 family', '👩‍👩‍👧 family'],
    ['<b>&amp;"\'', '<b>&amp;"\''],
    ['=1+1', '=1+1'],
    ['null', 'null'],
    ['x'.repeat(100), 'x'.repeat(100)],
    ['🐦'.repeat(100), '🐦'.repeat(100)],
    ['e\u0301'.repeat(100), 'é'.repeat(100)],
    [` ${'x'.repeat(100)} `, 'x'.repeat(100)],
  ])('is normalized when it is %j', (given, kept) => {
    expect(read(name, given)).toEqual({ value: kept });
  });

  it.each([
    '',
    ' ',
    '\n',
    'x'.repeat(101),
    '🐦'.repeat(101),
    '\u0000',
    'a\u0000b',
    'a\u0001b',
    'a\u0008b',
    'a\u000bb',
    'a\u000cb',
    'a\rb',
    'a\u001bb',
    'a\u007fb',
    '\ud800',
    'a\udc26b',
    '\udc26\ud83d',
    'a\u202eb',
    'a\u202ab',
    'a\u2066b',
    'a\u2069b',
    1,
    null,
    true,
    [],
    {},
  ])('cannot be %j', (given) => {
    expect(accepts(name, given)).toBe(false);
  });

  it('cannot contain control characters except tab and newline, or characters that change the text direction', () => {
    const refused = [
      ...Array.from({ length: 32 }, (_, code) => code),
      0x7f,
      0x202a,
      0x202b,
      0x202c,
      0x202d,
      0x202e,
      0x2066,
      0x2067,
      0x2068,
      0x2069,
    ]
      .filter((code) => code !== 9 && code !== 10)
      .filter((code) => accepts(name, `a${String.fromCodePoint(code)}b`));
    expect(refused).toEqual([]);
  });

  const product = {
    name: 'Guide',
    description: 'An example.',
    price: { type: 'one_time_price', currency: 'EUR', price: 1_999 },
    tax_category: 'e_book',
  };

  it('can contain tabs and new lines in a description', () => {
    expect(accepts(ProductInput, { ...product, description: 'First line.\n\n\t- second' })).toBe(true);
  });

  it.each(['\n', '\t'])('is a single line in a name, and cannot contain %j', (separator) => {
    expect(accepts(ProductInput, { ...product, name: `Guide${separator}Book` })).toBe(false);
  });

  it('is well formed, normalized, trimmed and not too long after parsing, in 2 000 random cases', () => {
    const unit = fc.oneof(
      fc.constantFrom('\u0000', '\ud800', '\udc00', 'e', '\u0301', ' ', '🐦', '\u202e', '4', 'ß'),
      anyCharacter,
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 120 }), (units) => {
        const result = read(name, units.join(''));
        if ('refused' in result) return;
        const kept = result.value as string;
        expect(kept.isWellFormed() && kept === kept.normalize('NFC') && kept === kept.trim()).toBe(true);
        expect([...kept].length).toBeGreaterThan(0);
        expect([...kept].length).toBeLessThanOrEqual(100);
        expect(read(name, kept)).toEqual({ value: kept });
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('an address for a browser', () => {
  it.each(['https://shop.example/thanks', 'https://shop.example/@ada?mail=a@b.example#@', 'http://localhost:3000/@'])(
    'may be %s',
    (url) => {
      expect(read(browserUrl, url)).toEqual({ value: url });
    },
  );

  it.each([
    'https://@shop.example/',
    'https://:@shop.example/',
    'https://user@shop.example/',
    'https://user:secret@shop.example/',
    'https://shop.example@evil.example/',
    'http://@localhost/',
    `https://shop.example/${'a'.repeat(2_048)}`,
  ])('may not be %.60s', (url) => {
    expect(accepts(browserUrl, url)).toBe(false);
  });
});

describe('a card number', () => {
  const note = text(0, 500);

  it.each([
    '4242424242424242',
    '4242 4242 4242 4242',
    '4242-4242-4242-4242',
    'card 4000000000000002, please',
    'x4242424242424242x',
    '4242 4242 4242 4242 12/34 123',
    'order 7, 4242 4242 4242 4242 123',
    '378282246310005',
    '3782 822463 10005',
    '6011111111111117',
    '5555555555554444',
    '6304000000000000000',
    '4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2',
    '４２４２４２４２４２４２４２４２'.normalize('NFKC'),
  ])('is refused inside a text: %s', (given) => {
    expect(accepts(note, given)).toBe(false);
  });

  it.each([
    '4242424242424241',
    '424242424242',
    '42424242424242424242',
    '2026-03-01T12:00:00Z',
    '+49 30 123456789',
    '+4915123456787',
    'order 1234567890',
    'EAN 4006381333931',
    '10115 Berlin',
  ])('is not found by mistake in %s', (given) => {
    expect(accepts(note, given)).toBe(true);
  });

  /** The digits and the one that makes them pass the Luhn check. */
  function luhnNumber(digits: string): string {
    const total = [...digits].reverse().reduce((so, digit, index) => {
      const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
      return so + (value > 9 ? value - 9 : value);
    }, 0);
    return `${digits}${(10 - (total % 10)) % 10}`;
  }

  const digits = (length: number) =>
    fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: length });

  it.each([
    ['Visa', ['4'], [16, 19]],
    ['Mastercard', ['51', '52', '53', '54', '55', '2221', '2229', '223', '23', '26', '271', '2720'], [16]],
    ['American Express', ['34', '37'], [15]],
    ['Diners Club', ['300', '305', '36', '38', '39'], [14]],
    ['Discover', ['6011', '644', '649', '65'], [16, 19]],
    ['JCB', ['3528', '3535', '3589'], [16, 19]],
    ['UnionPay', ['62'], [16, 17, 18, 19]],
    ['Maestro', ['5018', '5020', '5038', '5893', '6304', '6759', '6761', '6763'], [16, 17, 18, 19]],
  ])('of %s is refused in a text, in metadata and as a number', (_, prefixes, lengths) => {
    const number = fc
      .tuple(fc.constantFrom(...prefixes), fc.constantFrom(...lengths))
      .chain(([prefix, length]) => digits(length - prefix.length - 1).map((rest) => luhnNumber(prefix + rest)));
    fc.assert(
      fc.property(
        number.filter((card) => !isOtherNumber(card)),
        (card) => {
          const values = [card, `Paid with ${card}.`, ...(Number.isSafeInteger(Number(card)) ? [Number(card)] : [])];
          expect(values.filter((value) => accepts(MetadataMap, { value }))).toEqual([]);
          expect(accepts(note, card)).toBe(false);
        },
      ),
      { seed: 1, numRuns: 300 },
    );
  });

  /** How many of ten thousand, the same ones in every run, are refused as a text, or as a number where one holds them. */
  const refusedOf = (values: fc.Arbitrary<bigint>): number =>
    fc.sample(values, { seed: 7, numRuns: 10_000 }).filter((value) => {
      const isExact = value <= BigInt(Number.MAX_SAFE_INTEGER);
      return !accepts(note, `${value}`) || (isExact && !accepts(MetadataMap, { value: Number(value) }));
    }).length;

  const millisecondsOf = (year: number) => BigInt(Date.UTC(year, 0));
  const instants = fc.bigInt({ min: millisecondsOf(2020), max: millisecondsOf(2036) - 1n });
  /** Milliseconds since 2015, then 22 bits. */
  const snowflakes = fc
    .tuple(
      fc.bigInt({ min: millisecondsOf(2016), max: millisecondsOf(2036) - 1n }),
      fc.bigInt({ min: 0n, max: (1n << 22n) - 1n }),
    )
    .map(([at, rest]) => ((at - 1_420_070_400_000n) << 22n) + rest);

  it('is never found by mistake in a timestamp in milliseconds or microseconds', () => {
    expect(refusedOf(instants)).toBe(0);
    expect(refusedOf(instants.map((at) => at * 1_000n + 7n))).toBe(0);
  });

  it('is found by mistake in fewer than one of five hundred Snowflake ids', () => {
    expect(refusedOf(snowflakes)).toBeLessThan(20);
  });

  it('is not searched for in a phone number or a tax id, which have similar lengths', () => {
    const cart = { product_cart: [{ product_id: `pdt_${'a'.repeat(21)}`, quantity: 1 }] };
    const billing_address = { country: 'DE' };
    fc.assert(
      fc.property(digits(8), digits(11), (subscriber, company) => {
        const phone_number = luhnNumber(`4915${subscriber}`);
        const tax_id = luhnNumber(`36${company}`);
        const customer = { email: 'ada@example.com', phone_number };
        expect(accepts(SessionInput, { ...cart, customer, billing_address, tax_id })).toBe(true);
      }),
      { seed: 1 },
    );
    for (const phone_number of ['1'.repeat(41), '+49\u000030'])
      expect(accepts(SessionInput, { ...cart, customer: { email: 'ada@example.com', phone_number } })).toBe(false);
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

describe('an e-mail address', () => {
  it.each(['a@example.com', ' a@example.com ', 'first.last+tag@sub.example.co.uk', `${'a'.repeat(64)}@example.com`])(
    'may be %j',
    (given) => {
      expect(read(EmailAddress, given)).toEqual({ value: given.trim() });
    },
  );

  it.each([
    '',
    'a',
    'a@',
    '@example.com',
    'a@example',
    'a b@example.com',
    'a@exa mple.com',
    'a@@example.com',
    `a@${'b'.repeat(250)}.com`,
    'a@example.com\u0000',
    'a@example.com\nbcc: b@example.com',
    '4242424242424242@example.com',
    null,
    1,
  ])('may not be %j', (given) => {
    expect(accepts(EmailAddress, given)).toBe(false);
  });
});

describe('a name of the dialect', () => {
  it('is accepted only if it is a currency or tax category of the dialect', () => {
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
  it('is ignored by the checks at the top level only', () => {
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

/** Bodies hold 256 KiB; schemas are held to four times that. */
describe('a text full of combining characters', () => {
  it('is refused before it is normalized, because that would take time with the square of its length', async () => {
    const refuse = (value: string) => expect(accepts(text(0, 3_000), value)).toBe(false);
    expect(await growthOf((length) => `a${'\u0301\u0323'.repeat(length / 2)}`, refuse, 60_000)).toBeLessThan(linear);
  });

  it('may have at most thirty of them in a row, even if it is short', () => {
    expect(accepts(text(0, 100), `a${'\u0301'.repeat(30)}`)).toBe(true);
    expect(accepts(text(0, 100), `a${'\u0301'.repeat(31)}`)).toBe(false);
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

  it.each(Object.keys(megabytes) as (keyof typeof megabytes)[])('of %s is refused quickly', (kind) => {
    for (const [name, schema] of Object.entries(fields)) {
      const value = name === 'metadata' ? { a: megabytes[kind] } : megabytes[kind];
      expect(accepts(schema, value)).toBe(false);
      // some 15 ms; backtracking would take minutes
      expect(cpuMillisecondsOf(() => accepts(schema, value))).toBeLessThan(200);
    }
  });
});
