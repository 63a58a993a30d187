import type { Payment } from '../domain/payments/payment.ts';
import { findRowById } from './rates/rate-lookup.ts';
import { holdsOn, type RateRow } from './rates/rate-row.ts';
import { isKnownTable } from './rates/rate-table.ts';
import { sources } from './rates/sources.ts';

/** A row of the table with all that is known about it. */
export interface ExplainedRow {
  row: RateRow;
  sources: string[];
}

/** The parts of a payment that name the facts by which it was taxed. */
type TaxedPayment = { calculation: Pick<Payment['calculation'], 'taxDate' | 'tableVersion'> } & Pick<Payment, 'lines'>;

/**
 * Finds a row by the id that a payment stores, in the table of its sale. If that table is unknown, it is today's row,
 * unless the row was corrected later: a corrected fact cannot explain an older sale.
 */
export function explainRow(id: string, payment: TaxedPayment): ExplainedRow | undefined {
  const { taxDate, tableVersion } = payment.calculation;
  const row = findRowById(id, tableVersion);
  if (!row || !holdsOn(row, taxDate)) return undefined;
  if (!isKnownTable(tableVersion) && contradicts(row, payment)) return undefined;
  return { row, sources: row.sources.map((key) => sources[key] ?? key) };
}

/** Whether the sale has a tax of the row, but only at other rates. */
function contradicts({ components }: RateRow, { lines }: TaxedPayment): boolean {
  const charged = lines.flatMap((line) => line.components).filter(({ rate }) => rate !== null);
  return components.some(({ name, rate, baseFraction }) => {
    const ofThisTax = charged.filter((component) => component.name === name);
    return ofThisTax.length > 0 && !ofThisTax.some((one) => one.rate === rate && one.baseFraction === baseFraction);
  });
}
