import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sum } from '../../../shared/domain/money/money.ts';
import type { Payment } from '../../../shared/domain/payments/payment.ts';
import { decideRefund, type Refund, revertedRefund, settledRefund } from '../../../shared/domain/payments/refund.ts';
import { freedReasons } from '../../../shared/domain/payments/tax-correction.ts';
import { returnMovement, saleMovement, type TaxMovement } from '../../../shared/domain/reports/returns/movement.ts';
import { aPayment, refundOf } from '../../support/shop/payments.ts';

const now = '2026-03-02T00:00:00.000Z';
const paid = { status: 'succeeded', reference: 're' } as const;

const sold = (country: string, lines: Parameters<typeof aPayment>[0] = [{ unitAmount: 11_900 }]): Payment => {
  const payment = aPayment(lines);
  return { ...payment, calculation: { ...payment.calculation, country } };
};

function refunded(
  payment: Payment,
  id: string,
  asked: Parameters<typeof refundOf>[0],
): { after: Payment; refund: Refund } {
  const held = decideRefund(payment, refundOf(asked), { id, now });
  return settledRefund(held.after, held.refund, paid, now) ?? held;
}

/** What is left in returns, by reason: null is what is taxed. */
function leftOf(moves: readonly TaxMovement[]): Record<string, { net: number; tax: number }> {
  const left: Record<string, { net: number; tax: number }> = {};
  for (const { net, components } of moves.flatMap(({ lines }) => lines)) {
    const { reason = null, tax = 0 } = components[0] ?? {};
    const before = left[String(reason)] ?? { net: 0, tax: 0 };
    left[String(reason)] = { net: before.net + net, tax: before.tax + tax };
  }
  return left;
}

const refundMove = (payment: Payment, { id, lines, freed, freedBy }: Refund): TaxMovement =>
  returnMovement(payment, { id, lines, ...(freed && { freed }) }, { kind: 'refund', date: '2026-03-02', freedBy });

describe('a refund of the tax alone', () => {
  it.each([
    ['needs a reason', 'US', null, 'refund_tax_reason'],
    ['leads to the corrected invoice in the European Union', 'FR', 'reverse_charge', 'refund_tax_corrected'],
    ['leads to the corrected invoice in the United Kingdom', 'GB', 'reverse_charge', 'refund_tax_corrected'],
    ['leads to the corrected invoice in Norway', 'NO', 'reverse_charge', 'refund_tax_corrected'],
    ['is refused to a business in Switzerland', 'CH', 'reverse_charge', 'refund_tax_charged'],
    ['is refused to a business in Liechtenstein', 'LI', 'reverse_charge', 'refund_tax_charged'],
  ] as const)('%s', (_, country, taxReason, rule) => {
    const refuse = () => decideRefund(sold(country), refundOf({ type: 'tax', taxReason }), { id: 'ref_1', now });
    expect(refuse).toThrow(
      expect.objectContaining({ details: { faults: [expect.objectContaining({ path: 'tax_reason', rule })] } }),
    );
  });

  it.each([
    ['FR', 'exempt', 'exempt'],
    ['CH', 'place_corrected', 'no_tax'],
    ['AU', 'reverse_charge', 'reverse_charge'],
  ] as const)(
    'declares the net amount of a sale in %s under another tax reason too: %s',
    (country, taxReason, reason) => {
      const payment = sold(country);
      const { after, refund } = refunded(payment, 'ref_1', { type: 'tax', taxReason });
      expect(refund).toMatchObject({ amount: payment.tax, tax: payment.tax, freed: { reason: taxReason } });
      const moves = [saleMovement(payment), refundMove(after, refund)];
      expect(leftOf(moves)).toEqual({ null: { net: 0, tax: 0 }, [reason]: { net: payment.net, tax: 0 } });
    },
  );

  it('makes later refunds reduce the moved net amount, so no taxed amount falls below 0', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 100, max: 100_000 }), { minLength: 1, maxLength: 3 }),
        fc.double({ min: 0, max: 0.9, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.constantFrom(...freedReasons),
        (amounts, earlier, later, taxReason) => {
          let payment = sold(
            'US',
            amounts.map((unitAmount) => ({ unitAmount })),
          );
          const moves = [saleMovement(payment)];
          const take = (id: string, asked: Parameters<typeof refundOf>[0]) => {
            const { after, refund } = refunded(payment, id, asked);
            payment = after;
            moves.push(refundMove(after, refund));
            return refund;
          };
          const first = Math.floor(payment.refundable * earlier);
          if (first > 0) take('ref_1', { amount: first });
          if (sum(payment.lines.map(({ tax, returnedTax }) => tax - returnedTax)) === 0) return;
          take('ref_tax', { type: 'tax', taxReason });
          const part = Math.floor(payment.refundable * later);
          if (part > 0)
            expect(take('ref_2', { amount: part })).toMatchObject({ tax: 0, freedBy: { refundId: 'ref_tax' } });
          const left = leftOf(moves);
          expect(left['null']).toEqual({ net: 0, tax: 0 });
          const others = Object.entries(left).filter(([reason]) => reason !== 'null');
          expect(sum(others.map(([, { net }]) => net))).toBe(payment.refundable);
          expect(sum(others.map(([, { tax }]) => tax))).toBe(0);
        },
      ),
    );
  });

  it('restores the tax when it fails, so later refunds return the tax', () => {
    const { after, refund } = refunded(sold('US'), 'ref_tax', { type: 'tax', taxReason: 'exempt' });
    expect(after.taxFreed).toEqual({ refundId: 'ref_tax', reason: 'exempt', productIds: [refund.lines[0]?.productId] });
    const back = revertedRefund(after, refund, { reference: 're', failureReason: 'closed' }, now);
    expect(back?.after.taxFreed).toBeUndefined();
    const rest = decideRefund(back?.after ?? after, refundOf(), { id: 'ref_2', now }).refund;
    expect([rest.freedBy, rest.tax]).toEqual([undefined, 1_900]);
    const held = decideRefund(sold('US'), refundOf({ type: 'tax', taxReason: 'exempt' }), { id: 'ref_tax', now });
    const failed = settledRefund(held.after, held.refund, { status: 'failed', reference: null }, now);
    expect(failed?.after.taxFreed).toBeUndefined();
  });
});
