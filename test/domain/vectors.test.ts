import { describe, expect, it } from 'vitest';
import { quote } from '../../shared/domain/checkout/quote.ts';
import { allocate } from '../../shared/domain/money/allocation.ts';
import { decideRefund, settledRefund } from '../../shared/domain/payments/refund.ts';
import { aPayment, quoteLine, refundOf } from '../support/shop/payments.ts';
import vectors from './vectors.json' with { type: 'json' };

interface Vector {
  id: string;
  kind: string;
  inclusive?: boolean;
  price_minor?: number;
  quantity?: number;
  rates?: string[];
  lines?: { price_minor: number; quantity: number; rate: string }[];
  gross_minor?: number;
  expected_net_minor?: number;
  expected_tax_minor?: number;
  paid_net_minor?: number;
  paid_gross_minor?: number;
  paid_tax_minor?: number;
  refunds?: { net: number; tax: number; gross?: number }[];
  weights?: number[];
  amount?: number;
  expected?: number[];
}

const of = (kind: string): Vector[] => (vectors as Vector[]).filter((vector) => vector.kind === kind);

const linesOf = ({ lines, price_minor = 0, quantity = 1, rates = [], inclusive = true }: Vector) =>
  (lines ?? [{ price_minor, quantity, rate: null }]).map((line) =>
    quoteLine({
      unitAmount: line.price_minor,
      quantity: line.quantity,
      taxInclusive: inclusive,
      rates: line.rate === null ? rates : [line.rate],
    }),
  );

describe('the 57 published examples', () => {
  it('are all in the test’s file', () => expect(vectors).toHaveLength(57));

  it.each(of('extract'))('$id: tax is taken out of, or added to, the price exactly to the minor unit', (vector) => {
    const { net, tax, gross } = quote(linesOf(vector));
    expect({ net, tax, gross }).toEqual({
      net: vector.expected_net_minor,
      tax: vector.expected_tax_minor,
      gross: vector.gross_minor ?? (vector.expected_net_minor ?? 0) + (vector.expected_tax_minor ?? 0),
    });
  });

  it.each(of('allocation'))(
    '$id: an amount is divided without losing a unit',
    ({ amount = 0, weights = [], expected }) => {
      expect(allocate(amount, weights)).toEqual(expected);
    },
  );

  it.each(of('refund'))('$id: a refund by net amount returns its share of the tax', (vector) => {
    const { paid_tax_minor: tax = 0, paid_net_minor, paid_gross_minor = 0 } = vector;
    const net = paid_net_minor ?? paid_gross_minor - tax;
    // The paid tax as a rate of the net, exact for these cases to six places.
    const rate = vector.rates?.[0] ?? (tax / net).toFixed(6);
    let payment = aPayment([{ unitAmount: net, taxInclusive: false, rates: [rate] }]);
    expect(payment.tax).toBe(tax);
    for (const [index, expected] of (vector.refunds ?? []).entries()) {
      const request = refundOf({ amount: expected.net, taxInclusive: false });
      const decided = decideRefund(payment, request, { id: `ref_${index}`, now: payment.createdAt });
      expect(decided.refund).toMatchObject({
        tax: expected.tax,
        amount: expected.gross ?? expected.net + expected.tax,
      });
      payment =
        settledRefund(decided.after, decided.refund, { status: 'succeeded', reference: 're_1' }, payment.createdAt)
          ?.after ?? payment;
    }
  });
});
