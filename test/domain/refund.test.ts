import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { sum } from '../../shared/domain/money/money.ts';
import type { Payment } from '../../shared/domain/payments/payment.ts';
import { decideRefund, type Refund, settledRefund } from '../../shared/domain/payments/refund.ts';
import type { RefundRequest } from '../../shared/domain/payments/refund-portions.ts';
import { campaign } from '../support/seeded.ts';
import { aPayment, refundOf, type SoldLine } from '../support/shop/payments.ts';

vi.setConfig({ testTimeout: campaign(7_200_000, 30_000) });

const now = '2026-03-02T00:00:00.000Z';
let counter = 0;

const hold = (payment: Payment, asked: Partial<RefundRequest> = {}) => {
  counter += 1;
  return decideRefund(payment, refundOf(asked), { id: `ref_${counter}`, now });
};

function pay(payment: Payment, asked: Partial<RefundRequest> = {}): { after: Payment; refund: Refund } {
  const decided = hold(payment, asked);
  return settledRefund(decided.after, decided.refund, { status: 'succeeded', reference: 're_1' }, now)!;
}

const code = (expected: string) => expect.objectContaining({ code: expected });

describe('a refund', () => {
  it('of the tax alone is refused if it names lines or an amount', () => {
    const payment = aPayment([{ unitAmount: 1_190 }]);
    const terms = { id: 'ref_1', now: '2026-03-02T12:00:00.000Z' };
    const items = [{ productId: 'pdt_0', amount: 100, taxInclusive: true }];
    for (const asked of [{ items }, { amount: 100 }, { items: [] }])
      expect(() => decideRefund(payment, refundOf({ type: 'tax', ...asked }), terms)).toThrow(
        expect.objectContaining({
          code: 'INVALID_REQUEST_PARAMETERS',
          details: expect.objectContaining({ faults: [expect.objectContaining({ path: 'type' })] }),
        }),
      );
    expect(decideRefund(payment, refundOf({ type: 'tax' }), terms).refund).toMatchObject({ amount: 190, tax: 190 });
  });

  it.each([
    { split: 'at once', parts: [1_249] },
    { split: 'in thirds', parts: [417, 416, 416] },
    { split: 'cent by cent', parts: Array<number>(1_249).fill(1) },
  ])('returns exactly the tax that was charged, when it is refunded $split', ({ parts }) => {
    let payment = aPayment([{ unitAmount: 1_249, rates: ['0.25'] }]); // 1249 × 0.25 / 1.25 = 249.8
    let taxReturned = 0;
    for (const amount of parts) {
      const { after, refund } = pay(payment, { amount });
      payment = after;
      taxReturned += refund.tax;
    }
    expect(taxReturned).toBe(250);
    expect(payment).toMatchObject({ refundable: 0, pending: 0, refunded: 1_249 });
  });

  it('without an amount returns all that is left', () => {
    const payment = aPayment([{ unitAmount: 1_000 }, { unitAmount: 333, taxInclusive: false }]);
    const first = pay(payment, { amount: 1 });
    const rest = pay(first.after);
    expect(first.refund.amount + rest.refund.amount).toBe(payment.gross);
    expect(rest.refund).toMatchObject({ isPartial: true });
    expect(pay(payment).refund).toMatchObject({ isPartial: false, amount: payment.gross, tax: payment.tax });
  });

  it('by net amount also returns the tax on it, and a refund of the whole net closes the line', () => {
    const payment = aPayment([{ unitAmount: 1_190 }]); // net 1000, tax 190
    const first = pay(payment, { amount: 333, taxInclusive: false });
    expect(first.refund.amount - first.refund.tax).toBe(333);
    const last = pay(first.after, { amount: 667, taxInclusive: false });
    expect(last.after.refundable).toBe(0);
    expect(first.refund.tax + last.refund.tax).toBe(190);
  });

  it('that fails frees its amount exactly once', () => {
    const payment = aPayment([{ unitAmount: 1_999 }]);
    const { after, refund } = hold(payment, { amount: 700 });
    expect(after).toMatchObject({ refundable: 1_299, pending: 700, refunded: 0 });
    const failed = settledRefund(after, refund, { status: 'failed', reference: 're_1' }, now)!;
    expect(failed.after).toMatchObject({ refundable: 1_999, pending: 0, refunded: 0 });
    expect(settledRefund(failed.after, failed.refund, { status: 'failed', reference: 're_1' }, now)).toBeUndefined();
    expect(pay(failed.after).refund).toMatchObject({ amount: 1_999, tax: payment.tax });
  });

  it('is refused with a reason when there is not enough left', () => {
    const payment = aPayment([{ unitAmount: 1_000 }, { unitAmount: 500 }]);
    expect(() => hold(payment, { amount: 1_501 })).toThrow(code('REFUND_AMOUNT_EXCEEDS_PAID_AMOUNT'));
    const item = { productId: 'pdt_0', amount: 1_001, taxInclusive: true };
    expect(() => hold(payment, { items: [item] })).toThrow(code('LINE_ITEM_REFUND_AMOUNT_TOO_HIGH'));
    expect(() => hold(payment, { items: [{ ...item, amount: 0 }] })).toThrow(code('LINE_ITEM_REFUND_AMOUNT_TOO_LOW'));
    expect(() => hold(payment, { items: [item, item] })).toThrow(code('DUPLICATE_LINE_ITEMS_IN_REQUEST'));
    expect(() => hold(payment, { items: [{ ...item, productId: 'pdt_9' }] })).toThrow(code('LINE_ITEM_NOT_FOUND'));
    const oneLine = pay(payment, { items: [{ ...item, amount: null }] }).after;
    expect(() => hold(oneLine, { items: [{ ...item, amount: 1 }] })).toThrow(code('LINE_ITEM_FULLY_REFUNDED'));
    expect(() => hold(hold(payment).after)).toThrow(code('NOTHING_TO_REFUND'));
    expect(() => hold(pay(payment).after)).toThrow(code('PAYMENT_ALREADY_REFUNDED'));
    expect(() => hold({ ...payment, status: 'failed' })).toThrow(code('PAYMENT_NOT_SUCCEEDED'));
    expect(() => hold(aPayment([{ unitAmount: 0 }]))).toThrow(code('ZERO_AMOUNT_PAYMENT_REFUND_NOT_ALLOWED'));
  });

  const soldLine: fc.Arbitrary<SoldLine> = fc.record({
    unitAmount: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 50_000 })),
    quantity: fc.integer({ min: 1, max: 3 }),
    taxInclusive: fc.boolean(),
    rates: fc.array(fc.constantFrom('0.05', '0.09', '0.09975', '0.19', '0.255'), { minLength: 1, maxLength: 3 }),
  });
  const step = fc.record({
    portion: fc.integer({ min: 1, max: 100 }),
    line: fc.option(fc.nat(3), { nil: null }),
    taxInclusive: fc.boolean(),
    fate: fc.constantFrom('succeeded' as const, 'succeeded' as const, 'failed' as const),
  });

  it('returns the exact tax of every line and component in any order and split, even after failed refunds', () => {
    fc.assert(
      fc.property(
        fc.array(soldLine, { minLength: 1, maxLength: 4 }),
        fc.array(step, { maxLength: 12 }),
        (lines, steps) => {
          let payment = aPayment(lines);
          for (const { portion, line, taxInclusive, fate } of steps) {
            const decided = tryHold(payment, portion, line, taxInclusive);
            if (!decided) continue;
            assertBalanced(decided.after);
            payment = settledRefund(decided.after, decided.refund, { status: fate, reference: 're_1' }, now)!.after;
            assertBalanced(payment);
          }
          if (payment.refundable > 0) payment = pay(payment).after;
          expect(payment.refunded).toBe(payment.gross);
          for (const sold of payment.lines) {
            expect(sold.returnedTax).toBe(sold.tax);
            expect(sold.returnedComponents).toEqual(sold.components.map(({ amount }) => amount));
          }
        },
      ),
      { numRuns: campaign(20_000, 500) },
    );
  });

  function tryHold(payment: Payment, portion: number, line: number | null, taxInclusive: boolean) {
    try {
      const target = line === null ? undefined : payment.lines[line];
      const refundable = target?.refundable ?? payment.refundable;
      const amount = Math.max(1, Math.floor((refundable * portion) / 100));
      return target
        ? hold(payment, { items: [{ productId: target.productId, amount, taxInclusive }] })
        : hold(payment, { amount, taxInclusive });
    } catch {
      return undefined;
    }
  }

  function assertBalanced(payment: Payment): void {
    const parts = ['refundable', 'pending', 'refunded'] as const;
    const sums = [
      [payment.refundable + payment.pending + payment.refunded, payment.gross],
      ...parts.map((part) => [sum(payment.lines.map((line) => line[part])), payment[part]]),
      ...payment.lines.map((line) => [line.refundable + line.pending + line.refunded, line.gross]),
      ...payment.lines.map((line) => [sum(line.returnedComponents), line.returnedTax]),
    ];
    const atLeastNothing = payment.lines.flatMap((line) => [
      line.refundable,
      line.pending,
      line.refunded,
      line.tax - line.returnedTax,
      line.refundable - (line.tax - line.returnedTax),
      ...line.returnedComponents,
      ...line.returnedComponents.map((returned, index) => line.components[index]!.amount - returned),
    ]);
    expect(sums.filter(([is, should]) => is !== should)).toEqual([]);
    expect(atLeastNothing.filter((figure) => !(figure >= 0))).toEqual([]);
  }
});
