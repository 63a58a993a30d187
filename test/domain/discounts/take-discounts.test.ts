import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { quote } from '../../../shared/domain/checkout/quote.ts';
import type { DiscountTerms } from '../../../shared/domain/discounts/discount-terms.ts';
import { type ListedLine, takeDiscounts } from '../../../shared/domain/discounts/take-discounts.ts';
import { sum } from '../../../shared/domain/money/money.ts';
import { decideRefund, settledRefund } from '../../../shared/domain/payments/refund.ts';
import { campaign } from '../../support/seeded.ts';
import { aCode, listedLine } from '../../support/shop/discounts.ts';
import { aPayment, quoteLine, refundOf } from '../../support/shop/payments.ts';

vi.setConfig({ testTimeout: campaign(600_000, 30_000) });

const carts = campaign(200_000, 4_000);

const line = fc.record({
  unitAmount: fc.oneof(fc.nat(20), fc.nat(5_000), fc.nat(2_000_000)),
  quantity: fc.integer({ min: 1, max: 20 }),
  /** How much of the amount a minimum keeps; null for a fixed price. */
  kept: fc.option(fc.integer({ min: 0, max: 100 }), { nil: null }),
  taxInclusive: fc.boolean(),
  rates: fc.array(fc.constantFrom('0.05', '0.09', '0.09975', '0.19', '0.255'), { maxLength: 3 }),
});

const code = fc
  .record({
    isFlat: fc.boolean(),
    amount: fc.oneof(fc.integer({ min: 1, max: 10_000 }), fc.constantFrom(1, 9_999, 10_000)),
    cap: fc.option(fc.integer({ min: 1, max: 50_000 }), { nil: null }),
    only: fc.option(fc.integer({ min: 0, max: 5 }), { nil: null }),
    belowMinimum: fc.boolean(),
  })
  .map(({ isFlat, amount, cap, only, belowMinimum }) =>
    aCode({
      type: isFlat ? 'flat' : 'percentage',
      amount,
      belowMinimum,
      currencies: cap === null ? [] : [{ currency: 'EUR', isDefault: true, maximum: cap, minimumSubtotal: 0 }],
      restrictedTo: only === null ? [] : [`pdt_0`, `pdt_${only}`],
    }),
  );

const cart = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 6 }),
  codes: fc.array(code, { minLength: 1, maxLength: 4 }),
});

const listed = (lines: readonly (typeof line extends fc.Arbitrary<infer Line> ? Line : never)[]) =>
  lines.map(({ unitAmount, quantity, kept, taxInclusive }, index) => {
    const minimum = kept === null ? null : Math.floor((unitAmount * kept) / 100);
    return listedLine(index, { unitAmount, quantity, minimum, taxInclusive });
  });

/** The rules of codes written down a second time: unit by unit shares of exact fractions, and nothing of the product. */
function oracle(lines: readonly ListedLine[], codes: readonly DiscountTerms[]) {
  const rest = lines.map(({ unitAmount, quantity }) => BigInt(unitAmount) * BigInt(quantity));
  const perCode = codes.map(({ type, amount, currencies, restrictedTo, belowMinimum }) => {
    const isMember = lines.map(({ productId }) => restrictedTo.length === 0 || restrictedTo.includes(productId));
    const floors = lines.map(({ price, quantity }) =>
      price.kind === 'fixed' || belowMinimum ? 0n : BigInt(price.minimum * quantity),
    );
    const base = rest.map((left, index) => (isMember[index] ? left : 0n));
    const room = base.map((left, index) => (left > floors[index]! ? left - floors[index]! : 0n));
    const weights = type === 'flat' ? room : base;
    const total = weights.reduce((a, b) => a + b, 0n);
    const cap = currencies[0]?.maximum;
    let pool = type === 'flat' ? BigInt(cap ?? amount) : (total * BigInt(amount) + 5_000n) / 10_000n;
    if (cap !== undefined && cap !== null && pool > BigInt(cap)) pool = BigInt(cap);
    if (pool > total) pool = total;
    const shares = weights.map((weight) => (total === 0n ? 0n : (pool * weight) / total));
    const order = weights
      .map((weight, index) => ({ index, part: total === 0n ? 0n : (pool * weight) % total }))
      .sort((a, b) => (a.part === b.part ? a.index - b.index : a.part > b.part ? -1 : 1));
    let missing = pool - shares.reduce((a, b) => a + b, 0n);
    for (const { index } of order) {
      if (missing === 0n) break;
      shares[index] = shares[index]! + 1n;
      missing -= 1n;
    }
    let taken = 0n;
    for (const [index, share] of shares.entries()) {
      const given = share < room[index]! ? share : room[index]!;
      rest[index] = rest[index]! - given;
      taken += given;
    }
    return Number(taken);
  });
  return { left: rest.map(Number), codes: perCode };
}

describe('discount codes', () => {
  it(`agree with exact arithmetic in ${carts} carts, and every unit taken off is assigned to a line`, () =>
    fc.assert(
      fc.property(cart, ({ lines, codes }) => {
        const before = listed(lines);
        const taken = takeDiscounts(before, codes, 'EUR');
        const expected = oracle(before, codes);
        expect(before.map((one, at) => one.unitAmount * one.quantity - taken.lines[at]!)).toEqual(expected.left);
        expect(taken.codes).toEqual(expected.codes);
        expect(sum(taken.lines)).toBe(sum(taken.codes));
      }),
      { numRuns: carts },
    ));

  it('never reduce a chosen price below its minimum unless the code allows it', () =>
    fc.assert(
      fc.property(cart, ({ lines, codes }) => {
        const before = listed(lines);
        const guarded = codes.map((one) => ({ ...one, belowMinimum: false }));
        const taken = takeDiscounts(before, guarded, 'EUR');
        for (const [at, { price, quantity, unitAmount }] of before.entries()) {
          const left = unitAmount * quantity - taken.lines[at]!;
          expect(left).toBeGreaterThanOrEqual(price.kind === 'fixed' ? 0 : price.minimum * quantity);
        }
      }),
      { numRuns: campaign(50_000, 1_000) },
    ));

  it('leave a total that refunds return exactly, with the tax on the reduced price', () =>
    fc.assert(
      fc.property(cart, fc.integer({ min: 1, max: 99 }), ({ lines, codes }, part) => {
        const before = listed(lines);
        const taken = takeDiscounts(before, codes, 'EUR');
        const sold = lines.map((one, at) => ({ ...one, discount: taken.lines[at]! }));
        const priced = quote(sold.map(quoteLine));
        for (const [at, { gross, net, taxInclusive }] of priced.lines.entries()) {
          const left = before[at]!.unitAmount * before[at]!.quantity - taken.lines[at]!;
          expect(taxInclusive ? gross : net).toBe(left);
        }
        expect(priced.gross).toBeLessThanOrEqual(quote(lines.map(quoteLine)).gross);
        let payment = aPayment(sold);
        if (payment.gross === 0) return;
        let returned = { amount: 0, tax: 0 };
        for (const amount of [Math.ceil((payment.gross * part) / 100), null]) {
          if (payment.refundable === 0) break;
          const decided = decideRefund(payment, refundOf({ amount }), { id: `ref_${part}`, now: payment.createdAt });
          returned = { amount: returned.amount + decided.refund.amount, tax: returned.tax + decided.refund.tax };
          const settled = { status: 'succeeded' as const, reference: 're_1' };
          payment = settledRefund(decided.after, decided.refund, settled, payment.createdAt)!.after;
        }
        expect(returned).toEqual({ amount: priced.gross, tax: priced.tax });
      }),
      { numRuns: campaign(50_000, 600) },
    ));
});
