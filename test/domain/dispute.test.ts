import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { sum } from '../../shared/domain/money/money.ts';
import { unbalanced } from '../../shared/domain/payments/balance.ts';
import { counters } from '../../shared/domain/payments/counters.ts';
import { type Dispute, type DisputeState, decideDispute } from '../../shared/domain/payments/dispute.ts';
import type { Payment } from '../../shared/domain/payments/payment.ts';
import { decideRefund, type Refund, settledRefund } from '../../shared/domain/payments/refund.ts';
import { campaign } from '../support/seeded.ts';
import { aPayment, refundOf } from '../support/shop/payments.ts';

vi.setConfig({ testTimeout: campaign(7_200_000, 30_000) });

const now = '2026-03-02T00:00:00.000Z';

const says = (fields: Partial<DisputeState> = {}): DisputeState => ({
  reference: 'du_1',
  amount: 1_190,
  currency: 'EUR',
  status: 'opened',
  stage: 'dispute',
  withdrawn: 1_190,
  isRefundable: false,
  reason: 'fraudulent',
  dueBy: '2026-03-09T00:00:00.000Z',
  url: null,
  createdAt: now,
  ...fields,
});

const hear = (payment: Payment, state: DisputeState, known?: Dispute) => {
  const decided = decideDispute(payment, known, state, now);
  if (!decided) throw new Error('It is nothing new.');
  return decided;
};

const refund = (payment: Payment, amount: number, id = 'ref_1') =>
  decideRefund(payment, refundOf({ amount }), { id, now });

describe('a dispute', () => {
  it('makes the disputed amount not refundable, line by line, with its tax', () => {
    // 1190 and 595 are 2 : 1; of 1000 they give 667 and 333
    const { after, dispute } = hear(aPayment([{ unitAmount: 1_190 }, { unitAmount: 595 }]), says({ withdrawn: 1_000 }));
    expect(after).toMatchObject({ refundable: 785, disputed: 1_000, pending: 0, refunded: 0 });
    expect(after.lines.map(({ disputed }) => disputed)).toEqual([667, 333]);
    expect(dispute.lines.map(({ tax }) => tax)).toEqual([106, 53]); // 190 × 667/1190 = 106.5 and 95 × 333/595 = 53.2
    expect(unbalanced(after)).toEqual([]);
  });

  it('makes its amount refundable again when it is won, and never when it is lost', () => {
    const payment = aPayment([{ unitAmount: 1_190 }, { unitAmount: 333 }]);
    const opened = hear(payment, says());
    const won = hear(opened.after, says({ status: 'won', withdrawn: 0, isRefundable: true }), opened.dispute);
    expect(won.after).toMatchObject({ refundable: payment.gross, disputed: 0 });
    expect(won.after.lines).toEqual(payment.lines);
    const lost = hear(opened.after, says({ status: 'lost' }), opened.dispute);
    expect(lost.after).toMatchObject({ disputed: 1_190, refundable: payment.gross - 1_190 });
  });

  it('counts the money that was withdrawn, not the status', () => {
    const payment = aPayment([{ unitAmount: 1_190 }]);
    expect(hear(payment, says({ status: 'won' })).after.disputed).toBe(1_190);
    expect(hear(payment, says({ status: 'lost', withdrawn: 0 })).after.disputed).toBe(0);
  });

  it('that is only an inquiry withdraws nothing, and the payment can still be refunded', () => {
    const inquiry = says({ stage: 'pre_dispute', withdrawn: 0, isRefundable: true });
    const { after } = hear(aPayment([{ unitAmount: 1_190 }]), inquiry);
    expect(after).toMatchObject({ refundable: 1_190, disputed: 0 });
    expect(refund(after, 1_190).after.pending).toBe(1_190);
  });

  it('blocks refunds only while the processor refuses to refund', () => {
    const opened = hear(aPayment([{ unitAmount: 1_190 }]), says({ withdrawn: 500 }));
    expect(() => refund(opened.after, 1)).toThrow(expect.objectContaining({ code: 'PAYMENT_DISPUTED' }));
    const refundable = hear(opened.after, says({ withdrawn: 500, isRefundable: true }), opened.dispute);
    expect(refund(refundable.after, 690).after).toMatchObject({ refundable: 0, pending: 690, disputed: 500 });
  });

  it('does not count money again that a refund had already taken', () => {
    const held = refund(aPayment([{ unitAmount: 1_190 }]), 1_000);
    const { after, dispute } = hear(held.after, says());
    expect(after).toMatchObject({ refundable: 0, pending: 1_000, disputed: 190 });
    expect(dispute).toMatchObject({ withdrawn: 1_190 });
    expect(sum(dispute.lines.map(({ amount }) => amount))).toBe(190);
    expect(unbalanced(after)).toEqual([]);
  });

  it('keeps its status and stage when the processor sends an unknown status, but still follows the money', () => {
    const opened = hear(aPayment([{ unitAmount: 1_190 }]), says({ stage: 'pre_dispute', withdrawn: 0 }));
    const { dispute, after, isNews } = hear(opened.after, says({ status: null, withdrawn: 700 }), opened.dispute);
    expect(dispute).toMatchObject({ status: 'opened', stage: 'pre_dispute', withdrawn: 700 });
    expect(after.disputed).toBe(700);
    expect(isNews).toBe(false);
  });

  it('changes nothing when it is reported twice', () => {
    const { after, dispute } = hear(aPayment([{ unitAmount: 1_190 }]), says());
    expect(decideDispute(after, dispute, says(), 'later')).toBeUndefined();
  });

  it.each([
    { currency: 'USD', amount: 1_300, withdrawn: 1_300, disputed: 1_190 },
    { currency: 'UGX', amount: null, withdrawn: 1, disputed: 1_190 },
    { currency: 'USD', amount: 1_300, withdrawn: 0, disputed: 0 },
  ])('in another currency holds the whole payment or nothing: $currency $withdrawn', ({ disputed, ...state }) => {
    const { dispute, after } = hear(aPayment([{ unitAmount: 1_190 }]), says(state));
    expect(after.disputed).toBe(disputed);
    const claimed = { amount: state.amount, currency: state.currency };
    expect(dispute).toMatchObject({ amount: 1_190, currency: 'EUR', withdrawn: disputed, claimed });
  });

  it('with refunds in any order counts each cent and its tax exactly once', () => {
    const step = fc.oneof(
      fc.record({ act: fc.constant('withdrawn' as const), amount: fc.integer({ min: 0, max: 6_000 }) }),
      fc.record({ act: fc.constant('refund' as const), amount: fc.integer({ min: 1, max: 3_000 }) }),
      fc.record({ act: fc.constant('end' as const), amount: fc.integer({ min: 0, max: 9 }) }),
    );
    const lines = fc.array(
      fc.record({
        unitAmount: fc.integer({ min: 1, max: 2_999 }),
        taxInclusive: fc.boolean(),
        rates: fc.subarray(['0.19', '0.07', '0.09975'], { minLength: 1 }),
      }),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(lines, fc.array(step, { maxLength: 20 }), (sold, steps) => {
        let payment = aPayment(sold);
        let dispute: Dispute | undefined;
        let pending: Refund[] = [];
        for (const [index, { act, amount }] of steps.entries()) {
          if (act === 'withdrawn') {
            const decided = decideDispute(payment, dispute, says({ withdrawn: amount, isRefundable: true }), now);
            if (decided) ({ after: payment, dispute } = decided);
            if (decided) expect(sum(decided.dispute.lines.map((line) => line.amount))).toBeLessThanOrEqual(amount);
          } else if (act === 'refund' && payment.refundable > 0) {
            const decided = refund(payment, Math.min(amount, payment.refundable), `ref_${index}`);
            payment = decided.after;
            pending.push(decided.refund);
          } else if (act === 'end' && pending.length > 0) {
            const [first, ...rest] = pending as [Refund, ...Refund[]];
            payment = settledRefund(
              payment,
              first,
              { status: amount % 2 ? 'succeeded' : 'failed', reference: null },
              now,
            )!.after;
            pending = rest;
          }
          expect(unbalanced(payment)).toEqual([]);
          expect(counters.every((counter) => payment[counter] >= 0)).toBe(true);
        }
        const gone = decideDispute(payment, dispute, says({ withdrawn: 0, isRefundable: true }), now)?.after ?? payment;
        const rest = gone.refundable > 0 ? refund(gone, gone.refundable, 'ref_rest').after : gone;
        expect(rest.lines.every((line) => line.returnedTax === line.tax)).toBe(true);
      }),
      { numRuns: campaign(20_000, 500) },
    );
  });
});
