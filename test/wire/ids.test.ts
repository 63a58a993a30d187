import { describe, expect, it } from 'vitest';
import { normalizeEmail } from '../../shared/domain/checkout/buyer.ts';
import { customerIdOf, paymentIdOf, primaryBrandIdOf } from '../../shared/domain/ids.ts';
import { idOf } from '../../shared/wire/values.ts';
import { newId } from '../../shared/wiring/runtime.ts';

const isId = (prefix: string, id: string): boolean => idOf(prefix).safeParse(id).success;

describe('a random id', () => {
  it('has its prefix and 21 letters or digits, which are 125 bits', () => {
    for (const prefix of ['pdt', 'cks', 'ref', 'evt', 'whk'] as const) expect(isId(prefix, newId(prefix))).toBe(true);
    expect(21 * Math.log2(62)).toBeGreaterThan(120);
  });

  it('is different every time, and uses all letters equally often', () => {
    const ids = Array.from({ length: 20_000 }, () => newId('pdt'));
    expect(new Set(ids).size).toBe(20_000);
    const counts = new Map<string, number>();
    for (const letter of ids.join('').replaceAll('pdt_', '')) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    expect(counts.size).toBe(62);
    const expected = (20_000 * 21) / 62; // 6774; a standard deviation is 82
    for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(6 * 82);
  });
});

describe('a derived id', () => {
  it('is the same for the same input, and different for any other input', () => {
    expect(paymentIdOf('cks_1', 1)).toBe(paymentIdOf('cks_1', 1));
    const attempts = Array.from({ length: 10 }, (_, attempt) =>
      ['cks_1', 'cks_2', 'cks_11'].map((id) => paymentIdOf(id, attempt + 1)),
    );
    expect(new Set(attempts.flat()).size).toBe(30);
  });

  it('has the same form as a random id', () => {
    expect(isId('pay', paymentIdOf('cks_1', 1))).toBe(true);
    expect(isId('cus', customerIdOf('demo', 'a@example.com'))).toBe(true);
    expect(isId('brnd', primaryBrandIdOf('demo'))).toBe(true);
  });

  it('of a customer is the same for every spelling of an e-mail address, and differs per merchant', () => {
    const idOfBuyer = (email: string, merchant = 'demo') => customerIdOf(merchant, normalizeEmail(email));
    expect(new Set([' A@Example.com', 'a@example.com ', 'A@EXAMPLE.COM'].map((email) => idOfBuyer(email))).size).toBe(
      1,
    );
    expect(idOfBuyer('a@example.com', 'other')).not.toBe(idOfBuyer('a@example.com'));
    expect(idOfBuyer('b@example.com')).not.toBe(idOfBuyer('a@example.com'));
  });
});

describe('an invalid id', () => {
  it.each([
    ['ref_000000000000000000000', 'must be an id that starts with pay_'],
    ['', 'must be an id that starts with pay_'],
    ['pay_00000000000000000000', 'must have exactly 21 letters or digits after pay_'],
    ['pay_00000000000000000000-', 'must have exactly 21 letters or digits after pay_'],
  ])('is refused with a message that says what is wrong: %j', (id, message) => {
    expect(idOf('pay').safeParse(id).error?.issues[0]?.message).toBe(message);
  });
});
