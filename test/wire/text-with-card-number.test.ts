import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { SessionInput } from '../../shared/wire/checkout/checkout-session.ts';
import { MetadataMap } from '../../shared/wire/metadata.ts';
import { isOtherNumber } from '../../shared/wire/text/other-number.ts';
import { text } from '../../shared/wire/text/texts.ts';

/** What comes out, or the first reason why not. */
function read(schema: z.ZodType, value: unknown): { value: unknown } | { refused: string } {
  const result = schema.safeParse(value);
  if (result.success) return { value: result.data };
  const [issue] = result.error.issues;
  return { refused: (issue?.code === 'custom' && (issue.params?.['code'] as string)) || 'INVALID_REQUEST_BODY' };
}
const accepts = (schema: z.ZodType, value: unknown): boolean => 'value' in read(schema, value);

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
