import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { taxesCsv } from '../../shared/dashboard/report-csv.ts';
import type { ItemPage, ItemPageRequest } from '../../shared/domain/list-page.ts';
import type { Payment } from '../../shared/domain/payments/payment.ts';
import { paymentRow } from '../../shared/domain/payments/payment-row.ts';
import { decideRefund, type Refund, RefundRow, settledRefund } from '../../shared/domain/payments/refund.ts';
import { type PaidRefund, quarterOf, taxReport } from '../../shared/domain/reports/tax-report.ts';
import { type ReportDeps, reportTaxes } from '../../shared/use-cases/reports/report-taxes.ts';
import { aPayment, refundOf, type SoldLine } from '../support/shop/payments.ts';

const at = (taxDate: string, lines: readonly SoldLine[], country = 'DE'): Payment => {
  const payment = aPayment(lines);
  return { ...payment, calculation: { ...payment.calculation, taxDate, country } };
};

/** A refund of so much of a payment, paid on a day. */
function refunded(
  payment: Payment,
  amount: number,
  date: string,
): { after: Payment; paid: PaidRefund & { refund: Refund } } {
  const decided = decideRefund(payment, refundOf({ amount }), { id: `ref_${amount}`, now: `${date}T12:00:00.000Z` });
  const settled = settledRefund(
    decided.after,
    decided.refund,
    { status: 'succeeded', reference: 're_1' },
    `${date}T12:00:00.000Z`,
  );
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

  it('subtracts a refund in the month of the refund, not in the month of the sale', () => {
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

  it('counts a sale and a refund once per row, also when they have several lines there', () => {
    const payment = at('2026-03-01', [
      { unitAmount: 1_190 },
      { unitAmount: 2_380 },
      { unitAmount: 1_070, rates: ['0.07'] },
    ]);
    const rows = taxReport([payment], [refunded(payment, payment.gross, '2026-03-02').paid]);
    expect(
      rows.map(({ rate, sales, soldNet, refunds, refundedNet }) => [rate, sales, soldNet, refunds, refundedNet]),
    ).toEqual([
      ['0.07', 1, 1_000, 1, 1_000],
      ['0.19', 1, 3_000, 1, 3_000],
    ]);
  });

  it('puts a sale with two taxes into two rows, each with the full net amount', () => {
    const rows = taxReport(
      [at('2026-03-01', [{ unitAmount: 10_000, taxInclusive: false, rates: ['0.05', '0.09975'] }], 'CA')],
      [],
    );
    expect(rows.map(({ tax, soldNet, soldTax }) => [tax, soldNet, soldTax])).toEqual([
      ['VAT 1', 10_000, 500],
      ['VAT 2', 10_000, 998],
    ]);
  });

  it('adds up to exactly the charged and the refunded tax, for any combination of refunds', () => {
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

it('the quarter of a month has a name such as 2026-Q1', () => {
  expect(['2026-01', '2026-03', '2026-04', '2026-12'].map(quarterOf)).toEqual([
    '2026-Q1',
    '2026-Q1',
    '2026-Q2',
    '2026-Q4',
  ]);
});

interface Listed {
  id: string;
  createdAt: string;
}

interface Wanted<Row> {
  createdFrom?: string | undefined;
  createdTo?: string | undefined;
  matches?: (row: Row) => boolean;
}

/** A list as the store has it: the newest first, in pages, between two instants. */
const listOf =
  <Row extends Listed>(rows: readonly Row[]) =>
  async ({ createdFrom = '', createdTo = '~', matches }: Wanted<Row>, { size, after = '~' }: ItemPageRequest) => {
    const keyOf = ({ createdAt, id }: Row) => `${createdAt}#${id}`;
    const isWanted = (row: Row) => createdFrom <= keyOf(row) && keyOf(row) <= `${createdTo}#~` && keyOf(row) < after;
    const found = rows
      .filter((row) => isWanted(row) && (matches?.(row) ?? true))
      .sort((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1));
    const items = found.slice(0, size);
    const last = items.at(-1);
    return { items, hasMore: found.length > size, last: last && keyOf(last) } satisfies ItemPage<Row>;
  };

/** A shop that has sold and returned this. */
function shopOf(sold: readonly Payment[], returned: readonly Refund[] = []): ReportDeps {
  const byId = new Map([...sold, ...returned].map((one) => [one.id, one]));
  return {
    payments: {
      listBriefly: listOf(sold.map(paymentRow)),
      get: async (id) => byId.get(id) as Payment,
      listRefundsBriefly: listOf(returned.map((refund) => RefundRow.parse(refund))),
      getRefund: async (id) => byId.get(id) as Refund,
    },
    disputes: {
      listAdjustments: async () => ({ items: [], hasMore: false, last: undefined }),
      get: () => Promise.reject(new Error('There is no dispute.')),
    },
  };
}

describe('a report of a month', () => {
  const months = [
    { from: '2026-02-01', to: '2026-02-28' },
    { from: '2026-03-01', to: '2026-03-31' },
    { from: '2026-04-01', to: '2026-04-30' },
  ];

  it.each([
    { where: 'at noon in Berlin', taxDate: '2026-04-01', createdAt: '2026-04-01T10:00:00.000Z' },
    {
      where: 'in Los Angeles, quoted on the last evening and paid on the next',
      taxDate: '2026-03-31',
      createdAt: '2026-04-02T02:00:00.000Z',
    },
    {
      where: 'where the day ends last, on a quote of its last second',
      taxDate: '2026-03-31',
      createdAt: '2026-04-02T11:59:59.998Z', // UTC-12, and 24 hours later
    },
    { where: 'where the day begins first', taxDate: '2026-04-01', createdAt: '2026-03-31T10:00:00.000Z' }, // UTC+14
  ])(
    'contains every sale whose tax date is in the month, and no other month contains it: sold $where',
    async (sold) => {
      const deps = shopOf([{ ...at(sold.taxDate, [{ unitAmount: 1_190 }]), createdAt: sold.createdAt }]);
      const reports = await Promise.all(months.map((month) => reportTaxes(deps, month)));
      expect(reports.flat().map(({ month, sales }) => [month, sales])).toEqual([[sold.taxDate.slice(0, 7), 1]]);
    },
  );

  const payment = at('2026-03-15', [{ unitAmount: 1_000_000 }]);
  const paidOn = (day: string, index: number): Refund => ({
    ...refunded(payment, 119, day).paid.refund,
    id: `ref_${day}_${index}`,
  });
  /** This number of refunds on each of the last 95 days until the end of March. */
  const everyDay = (count: number): Refund[] =>
    Array.from({ length: 95 }, (_, day) => new Date(Date.UTC(2026, 2, 31 - day)).toISOString().slice(0, 10)).flatMap(
      (day) => Array.from({ length: count }, (_, index) => paidOn(day, index)),
    );
  const refundsIn = async (deps: ReportDeps, from: string, to: string): Promise<number> =>
    (await reportTaxes(deps, { from, to })).reduce((sum, { refunds }) => sum + refunds, 0);

  it('counts only refunds of the month against its limit, not refunds of earlier months', async () => {
    const deps = shopOf([payment], everyDay(40)); // 3,800 of them
    expect(await refundsIn(deps, '2026-03-01', '2026-03-31')).toBe(31 * 40);
    expect(await refundsIn(deps, '2026-03-31', '2026-03-31')).toBe(40);
    await expect(refundsIn(deps, '2026-01-01', '2026-03-31')).rejects.toThrow('choose a shorter period'); // 90 × 40
  });

  it('counts only sales of the month against its limit, not sales of the days around it', async () => {
    const sold = Array.from({ length: 6_000 }, (_, index) => ({
      ...at(`2026-03-0${1 + (index % 4)}`, [{ unitAmount: 119 }]), // 1,500 on each of four days
      id: `pay_${index}`,
      createdAt: `2026-03-0${1 + (index % 4)}T12:00:00.000Z`,
    }));
    const [row] = await reportTaxes(shopOf(sold), { from: '2026-03-02', to: '2026-03-03' });
    expect(row?.sales).toBe(3_000);
    await expect(reportTaxes(shopOf(sold), { from: '2026-03-01', to: '2026-03-03' })).rejects.toThrow('more than 3000');
  });

  it('contains a refund of the month even if the refund was created months earlier', async () => {
    const late = { ...paidOn('2026-03-01', 99), createdAt: '2025-12-05T12:00:00.000Z' }; // pending for 86 days
    const deps = shopOf([{ ...payment, createdAt: '2026-03-15T12:00:00.000Z' }], [...everyDay(20), late]);
    const rows = await reportTaxes(deps, { from: '2026-03-01', to: '2026-03-31' });
    expect(rows.map(({ month, sales, refunds }) => [month, sales, refunds])).toEqual([['2026-03', 1, 31 * 20 + 1]]);
  });
});
