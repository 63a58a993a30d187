import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Payment } from '../../shared/domain/payment.ts';
import { decideRefund, settleRefund } from '../../shared/domain/refund.ts';
import { type PaidRefund, quarterOf, taxReport } from '../../shared/domain/tax-report.ts';
import { taxesCsv } from '../../shared/wire/dashboard-csv.ts';
import { aPayment, refundOf, type SoldLine } from '../support/payments.ts';

const at = (taxDate: string, lines: readonly SoldLine[], country = 'DE'): Payment => {
  const payment = aPayment(lines);
  return { ...payment, calculation: { ...payment.calculation, taxDate, country } };
};

/** A refund of so much of a payment, paid on a day. */
function refunded(payment: Payment, amount: number, date: string): { after: Payment; paid: PaidRefund } {
  const decided = decideRefund(payment, refundOf({ amount }), { id: `ref_${amount}`, now: `${date}T12:00:00.000Z` });
  const settled = settleRefund(decided.after, decided.refund, 'succeeded', `${date}T12:00:00.000Z`);
  if (!settled) throw new Error('The refund had ended already.');
  return { after: settled.after, paid: { refund: settled.refund, payment, date } };
}

describe('the tax report', () => {
  it('has a row for each month, country, tax and rate', () => {
    const rows = taxReport(
      [
        at('2026-03-31', [{ unitAmount: 1_190 }, { unitAmount: 1_070, rates: ['0.07'] }]),
        at('2026-04-01', [{ unitAmount: 1_190 }]),
        at('2026-04-01', [{ unitAmount: 1_200, rates: ['0.20'] }], 'FR'),
        at('2026-04-30', [{ unitAmount: 1_190 }]),
      ],
      [],
    );
    expect(
      rows.map(({ month, country, rate, sales, soldNet, soldTax }) => [month, country, rate, sales, soldNet, soldTax]),
    ).toEqual([
      ['2026-03', 'DE', '0.07', 1, 1_000, 70],
      ['2026-03', 'DE', '0.19', 1, 1_000, 190],
      ['2026-04', 'DE', '0.19', 2, 2_000, 380],
      ['2026-04', 'FR', '0.20', 1, 1_000, 200],
    ]);
  });

  it('takes a refund off in the month in which it was paid, not in that of its sale', () => {
    const payment = at('2026-03-10', [{ unitAmount: 1_190 }]);
    const rows = taxReport([payment], [refunded(payment, 595, '2026-05-02').paid]);
    expect(
      rows.map(({ month, soldTax, refundedTax, refundedNet }) => [month, soldTax, refundedTax, refundedNet]),
    ).toEqual([
      ['2026-03', 190, 0, 0],
      ['2026-05', 0, 95, 500],
    ]);
    expect(taxesCsv(rows).split('\r\n')[2]).toBe(
      '2026-05,2026-Q2,DE,,DE,VAT 1,19,,EUR,0,0.00,0.00,1,5.00,0.95,-5.00,-0.95',
    );
  });

  it('puts a sale with two taxes into two rows, each with its whole net', () => {
    const rows = taxReport(
      [at('2026-03-01', [{ unitAmount: 10_000, taxInclusive: false, rates: ['0.05', '0.09975'] }], 'CA')],
      [],
    );
    expect(rows.map(({ tax, soldNet, soldTax }) => [tax, soldNet, soldTax])).toEqual([
      ['VAT 1', 10_000, 500],
      ['VAT 2', 10_000, 998],
    ]);
  });

  it('keeps every cent of tax, however sales are refunded', () => {
    const line = fc.record({
      unitAmount: fc.integer({ min: 100, max: 100_000 }),
      rates: fc.constantFrom(['0.07'], ['0.19'], ['0.05', '0.09975']),
    });
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 5_000 }), { maxLength: 4 }),
        (lines, amounts) => {
          const payment = at('2026-03-01', lines);
          let left = payment;
          const paid = amounts.flatMap((amount) => {
            if (amount > left.refundable) return [];
            const done = refunded(left, amount, '2026-03-02');
            left = done.after;
            return [done.paid];
          });
          const rows = taxReport([payment], paid);
          const total = (field: 'soldTax' | 'refundedTax') => rows.reduce((sum, row) => sum + row[field], 0);
          expect(total('soldTax')).toBe(payment.tax);
          expect(total('refundedTax')).toBe(paid.reduce((sum, { refund }) => sum + refund.tax, 0));
        },
      ),
    );
  });
});

it('names quarters', () => {
  expect(['2026-01', '2026-03', '2026-04', '2026-12'].map(quarterOf)).toEqual([
    '2026-Q1',
    '2026-Q1',
    '2026-Q2',
    '2026-Q4',
  ]);
});
