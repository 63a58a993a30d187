import type { LinePart } from '../payments/counters.ts';
import type { Payment, PaymentLine } from '../payments/payment.ts';
import type { Refund } from '../payments/refund.ts';
import { movedParts } from '../payments/returned-parts.ts';
import type { CorrectedLine, FreeingRefund, TaxCorrection } from '../payments/tax-correction.ts';

/** The sums for one month, place, tax and rate. A sale with two taxes is in two rows, each with the whole net. */
export interface TaxReportRow {
  /** The month of the tax date at the buyer's place: `2026-03`. */
  month: string;
  country: string;
  region: string | null;
  jurisdiction: string;
  tax: string;
  /** The rate as a decimal string; null if no rate applies, because of `reason`. */
  rate: string | null;
  reason: string | null;
  currency: string;
  /** The number of sales, not of lines. */
  sales: number;
  soldNet: number;
  soldTax: number;
  refunds: number;
  refundedNet: number;
  refundedTax: number;
}

/** The returned amounts: of a refund that was paid out, or of a lost dispute with a ground. */
interface ReturnedAmounts extends Pick<Refund, 'correction' | 'freed'> {
  lines: readonly LinePart[];
}

/** A refund that was paid out, or a lost dispute with a ground, with its payment and its local date. */
export interface PaidRefund {
  refund: ReturnedAmounts;
  payment: Payment;
  date: string;
  /** Whether the money of the refund came back on this date. Then the row cancels the figures of the refund. */
  isReverted?: boolean;
  /** The correction before the refund. The refund then belongs to the new invoice. */
  correction?: TaxCorrection | undefined;
  /** The earlier refund that has returned only the tax. */
  freedBy?: FreeingRefund | undefined;
}

type Amounts = Pick<TaxReportRow, 'sales' | 'soldNet' | 'soldTax' | 'refunds' | 'refundedNet' | 'refundedTax'>;

const nothing: Amounts = { sales: 0, soldNet: 0, soldTax: 0, refunds: 0, refundedNet: 0, refundedTax: 0 };

/**
 * Sums sales by the month of their tax date, and refunds by the month in which they were paid, as tax returns
 * require.
 */
export function taxReport(sold: readonly Payment[], returned: readonly PaidRefund[]): TaxReportRow[] {
  const rows = new Map<string, TaxReportRow>();
  for (const payment of sold) addSale(rows, payment);
  for (const paid of returned) (paid.refund.correction ? addCorrection : addRefund)(rows, paid);
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

function addSale(rows: Map<string, TaxReportRow>, payment: Payment): void {
  const counted = new Set<string>();
  for (const { components, net, taxedIn } of payment.lines)
    for (const component of components) {
      const taxed = { payment, date: payment.calculation.taxDate, component, taxedIn };
      const sales = isFirst(counted, taxed) ? 1 : 0;
      add(rows, taxed, { sales, soldNet: net, soldTax: component.amount });
    }
}

/**
 * Whether a sale or refund is not in a row yet. It counts once in a row, even if several of its lines are in that row.
 */
function isFirst(counted: Set<string>, taxed: Taxed): boolean {
  const key = keyOf(rowOf(taxed));
  return !counted.has(key) && counted.add(key).has(key);
}

/**
 * Adds a correction: cancels the part of the sale that was not refunded, at its rates, and counts the new invoice as a
 * sale.
 */
function addCorrection(rows: Map<string, TaxReportRow>, paid: PaidRefund): void {
  for (const line of paid.refund.correction?.lines ?? []) addCorrectedLine(rows, paid, line);
}

function addCorrectedLine(
  rows: Map<string, TaxReportRow>,
  { payment, date, isReverted = false }: PaidRefund,
  line: CorrectedLine,
): void {
  const sign = isReverted ? -1 : 1;
  const sold = payment.lines.find(({ productId }) => productId === line.productId);
  for (const [index, component] of (sold?.components ?? []).entries()) {
    const refundedTax = sign * (line.reversed.components[index] ?? 0);
    const taxed = { payment, date, component, taxedIn: sold?.taxedIn };
    add(rows, taxed, { refundedNet: sign * line.reversed.net, refundedTax });
  }
  for (const component of line.invoiced.components)
    add(rows, { payment, date, component }, { soldNet: sign * line.invoiced.net, soldTax: sign * component.amount });
}

function addRefund(rows: Map<string, TaxReportRow>, paid: PaidRefund): void {
  const { refund, payment, date, isReverted = false, correction, freedBy } = paid;
  const sign = isReverted ? -1 : 1;
  const counted = new Set<string>();
  const parts = refund.lines.flatMap((line) => {
    const sold = payment.lines.find(({ productId }) => productId === line.productId);
    const corrected = correction?.lines.find(({ productId }) => productId === line.productId);
    if (!sold) return [];
    const { freed } = refund;
    const staysThere = !correction && (freed ?? freedBy)?.reason === 'exempt';
    return movedParts(line, sold, { corrected, freed, freedBy }).map((part) => ({
      ...part,
      taxedIn: staysThere || part.treatment === sold.components ? sold.taxedIn : undefined,
    }));
  });
  for (const { amount, tax, components, treatment, taxedIn } of parts)
    for (const [index, component] of treatment.entries()) {
      const refundedTax = sign * (components[index] ?? 0);
      const taxed = { payment, date, component, taxedIn };
      const refunds = isFirst(counted, taxed) ? sign : 0;
      add(rows, taxed, { refunds, refundedNet: sign * (amount - tax), refundedTax });
    }
}

interface Taxed {
  payment: Payment;
  date: string;
  component: PaymentLine['components'][number];
  /** The country that taxes the line, if it is not the buyer's. */
  taxedIn?: string | undefined;
}

const rowOf = ({ payment: { calculation, currency }, date, component, taxedIn }: Taxed) => {
  const { country, region } = taxedIn === undefined ? calculation : { country: taxedIn, region: null };
  const { name, jurisdiction, rate, reason } = component;
  return { month: date.slice(0, 7), country, region, jurisdiction, tax: name, rate, reason, currency };
};

const keyOf = (row: ReturnType<typeof rowOf>): string => Object.values(row).join('|');

function add(rows: Map<string, TaxReportRow>, taxed: Taxed, amounts: Partial<Amounts>): void {
  const row = rowOf(taxed);
  const key = keyOf(row);
  const known = rows.get(key) ?? { ...row, ...nothing };
  const more = { ...nothing, ...amounts };
  rows.set(key, {
    ...known,
    sales: known.sales + more.sales,
    soldNet: known.soldNet + more.soldNet,
    soldTax: known.soldTax + more.soldTax,
    refunds: known.refunds + more.refunds,
    refundedNet: known.refundedNet + more.refundedNet,
    refundedTax: known.refundedTax + more.refundedTax,
  });
}

/** The quarter of a month: `2026-03` → `2026-Q1`. */
export const quarterOf = (month: string): string => `${month.slice(0, 4)}-Q${Math.ceil(Number(month.slice(5, 7)) / 3)}`;
