import { describe, expect, it } from 'vitest';
import type { Price } from '../../shared/domain/catalogue/price.ts';
import { newProduct, type Product } from '../../shared/domain/catalogue/product.ts';
import { type CartLine, chosenUnitAmounts, snapshotCart } from '../../shared/domain/checkout/cart.ts';
import {
  afterPayment,
  assertPayable,
  type CheckoutSession,
  maxAttempts,
  openSession,
  sessionStatus,
} from '../../shared/domain/checkout/checkout-session.ts';
import { maxAmount } from '../../shared/domain/money/money.ts';
import { aSessionLine, sessionOf } from '../support/shop/sessions.ts';

const fixed = (unitAmount = 1_999): Price => ({ kind: 'fixed', currency: 'EUR', taxInclusive: true, unitAmount });
const open = (minimum = 500, maximum: number | null = null): Price => ({
  kind: 'pay_what_you_want',
  currency: 'EUR',
  taxInclusive: true,
  minimum,
  suggested: null,
  maximum,
});

let serial = 0;
function cartLine(price: Price, fields: Partial<Product> = {}, line: Partial<CartLine> = {}): CartLine {
  serial += 1;
  const sold = {
    name: 'Guide',
    description: 'An example.',
    brandId: 'brnd_1',
    price,
    taxCategory: 'e_book' as const,
    metadata: {},
  };
  const product = newProduct(sold, { id: `pdt_${serial}`, now: '2026-03-01T12:00:00.000Z' });
  return { product: { ...product, ...fields }, quantity: 1, amount: null, ...line };
}

const refused = (code: string, path?: string) =>
  expect.objectContaining({
    code,
    ...(path && { details: expect.objectContaining({ faults: [expect.objectContaining({ path })] }) }),
  });

describe('a cart', () => {
  it('is copied into the session: name, description, image, category, price, quantity', () => {
    const line = cartLine(fixed(), { image: 'https://images.example/a.png' }, { quantity: 3 });
    const { name, description, image, taxCategory, price, id: productId } = line.product;
    expect(snapshotCart([line])).toEqual([
      { productId, name, description, image, taxCategory, price, quantity: 3, amount: null },
    ]);
  });

  it('may fix the amount only for a product whose price the buyer chooses', () => {
    const amounts = (price: Price, amount: number | null) => snapshotCart([cartLine(price, {}, { amount })])[0]?.amount;
    expect(amounts(open(), 700)).toBe(700);
    expect(amounts(open(0), 0)).toBe(0);
    expect(amounts(open(), null)).toBeNull();
    expect(amounts(fixed(), 700)).toBeNull();
  });

  it('is refused when it is empty', () => {
    expect(() => snapshotCart([])).toThrow(refused('PRODUCT_CART_EMPTY'));
  });

  it('is refused with products of two brands', () => {
    const cart = [cartLine(fixed()), cartLine(fixed()), cartLine(fixed(), { brandId: 'brnd_2' })];
    expect(() => snapshotCart(cart)).toThrow(refused('BRAND_MISMATCH', 'product_cart[2].product_id'));
  });

  it('is refused with two currencies', () => {
    const cart = [cartLine(fixed()), cartLine({ ...fixed(), currency: 'USD' })];
    expect(() => snapshotCart(cart)).toThrow(refused('INVALID_REQUEST_PARAMETERS', 'product_cart[1].product_id'));
  });

  it('is refused with an archived product', () => {
    const cart = [cartLine(fixed()), cartLine(fixed(), { archived: true })];
    expect(() => snapshotCart(cart)).toThrow(refused('ARCHIVED_PRODUCT_IN_CART', 'product_cart[1].product_id'));
  });

  it.each([
    [499, 'REQUEST_AMOUNT_BELOW_MINIMUM'],
    [901, 'REQUEST_AMOUNT_ABOVE_MAXIMUM'],
  ])('is refused with the amount %i outside of 500 to 900', (amount, code) => {
    const cart = [cartLine(fixed()), cartLine(open(500, 900), {}, { amount })];
    expect(() => snapshotCart(cart)).toThrow(refused(code, 'product_cart[1].amount'));
  });

  it('is refused when a line or the total exceeds 32 bits', () => {
    const half = (maxAmount + 1) / 2; // 2^30
    expect(() => snapshotCart([cartLine(fixed(half), {}, { quantity: 2 })])).toThrow(
      refused('INTEGER_CONVERSION_FAILURE', 'product_cart[0].amount'),
    );
    expect(() => snapshotCart([cartLine(fixed(half)), cartLine(fixed(half))])).toThrow(
      refused('INTEGER_CONVERSION_FAILURE', 'product_cart'),
    );
    expect(snapshotCart([cartLine(fixed(half)), cartLine(fixed(half - 1))])).toHaveLength(2);
    expect(snapshotCart([cartLine(fixed(maxAmount))])).toHaveLength(1);
  });

  it('is refused when its fixed total is below the currency’s minimum, because it could never be paid', () => {
    const tooLittle = refused('TOTAL_PAYMENT_AMOUNT_BELOW_MINIMUM_AMOUNT');
    expect(() => snapshotCart([cartLine(fixed(49))])).toThrow(tooLittle); // the floor is 0.50 EUR
    expect(() => snapshotCart([cartLine(fixed(24), {}, { quantity: 2 })])).toThrow(tooLittle);
    expect(() => snapshotCart([cartLine(fixed(48)), cartLine(open(0), {}, { amount: 1 })])).toThrow(tooLittle);
  });

  it.each([
    ['of the floor', [cartLine(fixed(50))]],
    ['that reaches the floor together', [cartLine(fixed(25), {}, { quantity: 2 })]],
    ['of nothing', [cartLine(fixed(0)), cartLine(open(0), {}, { amount: 0 })]],
    ['to which tax comes on top', [cartLine({ ...fixed(49), taxInclusive: false })]],
    ['of which the buyer chooses a part', [cartLine(fixed(1)), cartLine(open(0))]],
  ])('is accepted with a total %s', (_, cart) => {
    expect(snapshotCart(cart)).toHaveLength(cart.length);
  });
});

describe('a new session', () => {
  const session = sessionOf([aSessionLine(fixed())]);

  it('is open for 24 hours, with no attempt and no payment', () => {
    expect(session).toMatchObject({
      status: 'open',
      currency: 'EUR',
      createdAt: '2026-03-01T12:00:00.000Z',
      expiresAt: '2026-03-02T12:00:00.000Z',
      attempts: 0,
      paymentId: null,
      paymentStatus: null,
    });
  });

  it('is open for exactly 24 hours even if clocks change to summer time during that time', () => {
    const now = new Date('2026-03-28T12:00:00Z');
    const origin = { id: 'cks_1', now, formToken: 'token', brandId: 'brnd_1', tableVersion: 'test' };
    expect(openSession([aSessionLine(fixed())], session, origin).expiresAt).toBe('2026-03-29T12:00:00.000Z');
  });
});

const at = (text: string) => new Date(text);
const justBefore = at('2026-03-02T11:59:59.999Z');
const end = at('2026-03-02T12:00:00.000Z');
const session = (fields: Partial<CheckoutSession> = {}) => ({ ...sessionOf([aSessionLine(fixed())]), ...fields });

describe('a checkout session', () => {
  it.each([
    ['open', null, justBefore, 'open'],
    ['open', null, end, 'expired'],
    ['open', 'failed', end, 'expired'],
    ['open', 'processing', end, 'open'],
    ['completed', 'succeeded', end, 'completed'],
    ['expired', null, justBefore, 'expired'],
  ] as const)(
    'that is stored as %s with the payment %s has, at %s, the status %s',
    (status, paymentStatus, now, seen) => {
      expect(sessionStatus(session({ status, paymentStatus }), now)).toBe(seen);
    },
  );

  it.each([
    ['open', null, 0, justBefore, null],
    ['open', 'failed', maxAttempts - 1, justBefore, null],
    ['open', 'failed', maxAttempts, justBefore, 'CHECKOUT_SESSION_CONSUMED'],
    ['open', 'processing', 1, justBefore, 'CHECKOUT_SESSION_CONSUMED'],
    ['open', 'processing', 1, end, 'CHECKOUT_SESSION_CONSUMED'],
    ['completed', 'succeeded', 1, justBefore, 'CHECKOUT_SESSION_CONSUMED'],
    ['completed', 'succeeded', 1, end, 'CHECKOUT_SESSION_CONSUMED'],
    ['open', null, 0, end, 'CHECKOUT_SESSION_EXPIRED'],
    ['open', 'failed', 3, end, 'CHECKOUT_SESSION_EXPIRED'],
    ['expired', null, 0, justBefore, 'CHECKOUT_SESSION_EXPIRED'],
  ] as const)(
    'that is %s, with the payment %s after %i attempts, answers a payment at %s with the error %s',
    (status, paymentStatus, attempts, now, code) => {
      const pay = () => assertPayable(session({ status, paymentStatus, attempts, paymentId: 'pay_1' }), now);
      if (code === null) expect(pay).not.toThrow();
      else expect(pay).toThrow(refused(code));
    },
  );

  it.each([
    [{ status: 'completed', paymentStatus: 'succeeded' }, 'is already paid.'],
    [{ paymentStatus: 'processing' }, 'has begun and has not ended.'],
    [{ paymentStatus: 'requires_customer_action' }, 'has begun and has not ended.'],
    [{ paymentStatus: 'failed', attempts: maxAttempts }, 'has used its 10 attempts.'],
  ] as const)('with %j is refused with the right reason: %s', (fields, said) => {
    expect(() => assertPayable(session(fields), justBefore)).toThrow(said);
  });

  it('hides its payment id from a later buyer, because another buyer may have paid', () => {
    const paid = session({ status: 'completed', paymentStatus: 'succeeded', paymentId: 'pay_1' });
    expect(() => assertPayable(paid, justBefore)).toThrow(expect.objectContaining({ details: {} }));
  });

  it.each([
    ['succeeded', true, 'completed', 1],
    ['failed', true, 'open', 1],
    ['processing', true, 'open', 1],
    ['succeeded', false, 'completed', 0],
    ['failed', false, 'open', 0],
  ] as const)(
    'whose payment has the result %s (as a new attempt: %s) becomes %s, with %i attempts',
    (status, isNew, state, attempts) => {
      const payer = { email: 'ada@example.com', name: 'Ada' };
      const customer = { id: 'cus_1', phone: null, ...payer };
      const after = afterPayment(session(), { id: 'pay_1', status, customer }, isNew);
      expect(after).toMatchObject({ status: state, attempts, paymentId: 'pay_1', paymentStatus: status, payer });
      expect(after.customer).toEqual(session().customer);
    },
  );
});

describe('the amounts that are charged', () => {
  const lines = [
    aSessionLine(fixed(), 0),
    aSessionLine(open(500, 900), 1),
    { ...aSessionLine(open(500, 900), 2), amount: 600 },
  ];
  const mixed = sessionOf(lines);

  it('are the fixed price, the buyer’s choice, or the amount that the session fixes', () => {
    const chosen = new Map([
      ['pdt_0', 1],
      ['pdt_1', 700],
      ['pdt_2', 900],
    ]);
    expect(chosenUnitAmounts(mixed.lines, chosen)).toEqual([1_999, 700, 600]);
  });

  it('are refused while the buyer has not chosen an amount', () => {
    expect(() => chosenUnitAmounts(mixed.lines, new Map())).toThrow(
      refused('PAY_AS_YOU_WANT_AMOUNT_REQUIRED', 'amounts.pdt_1'),
    );
  });

  it.each([
    [499, 'REQUEST_AMOUNT_BELOW_MINIMUM'],
    [901, 'REQUEST_AMOUNT_ABOVE_MAXIMUM'],
    [-1, 'REQUEST_AMOUNT_BELOW_MINIMUM'],
  ])('are refused with %i, outside the limits that the session was created with', (amount, code) => {
    expect(() => chosenUnitAmounts(mixed.lines, new Map([['pdt_1', amount]]))).toThrow(refused(code, 'amounts.pdt_1'));
  });
});
