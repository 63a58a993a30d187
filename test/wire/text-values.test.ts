import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { browserUrl, EmailAddress } from '../../shared/wire/addresses.ts';
import { ProductInput } from '../../shared/wire/catalogue/product-input.ts';
import { text } from '../../shared/wire/text/texts.ts';
import { anyCharacter } from '../support/any-character.ts';
import { growthOf, linear } from '../support/cpu.ts';

/** What comes out, or the first reason why not. */
function read(schema: z.ZodType, value: unknown): { value: unknown } | { refused: string } {
  const result = schema.safeParse(value);
  if (result.success) return { value: result.data };
  const [issue] = result.error.issues;
  return { refused: (issue?.code === 'custom' && (issue.params?.['code'] as string)) || 'INVALID_REQUEST_BODY' };
}
const accepts = (schema: z.ZodType, value: unknown): boolean => 'value' in read(schema, value);

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
