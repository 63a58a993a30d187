import type { Payment } from '../domain/payments/payment.ts';
import { findRowById } from './rates/rate-lookup.ts';
import { holdsOn, type RateRow } from './rates/rate-row.ts';
import { isKnownTable } from './rates/rate-table.ts';
import { sources } from './rates/sources.ts';

/** A row of the rate table with its sources and other facts. */
export interface ExplainedRow {
  row: RateRow;
  sources: string[];
}

/** The fields of a payment that name the rows by which it was taxed. */
type TaxedPayment = { calculation: Pick<Payment['calculation'], 'taxDate' | 'tableVersion'> } & Pick<Payment, 'lines'>;

/**
 * Finds a row by the id that a payment stores, in the table that its sale used. If that version of the table is
 * unknown, the current row is used. If the row was corrected since the sale, the result is undefined, because a
 * corrected fact cannot explain the sale.
 */
export function explainRow(id: string, payment: TaxedPayment): ExplainedRow | undefined {
  const { taxDate, tableVersion } = payment.calculation;
  const row = findRowById(id, tableVersion);
  if (!row || !holdsOn(row, taxDate)) return undefined;
  if (!isKnownTable(tableVersion) && contradicts(row, payment)) return undefined;
  return { row, sources: row.sources.map((key) => sources[key] ?? key) };
}

/** Whether the sale has a tax of this row, but all of its rates differ from the row. */
function contradicts({ components }: RateRow, { lines }: TaxedPayment): boolean {
  const charged = lines.flatMap((line) => line.components).filter(({ rate }) => rate !== null);
  return components.some(({ name, rate, baseFraction }) => {
    const ofThisTax = charged.filter((component) => component.name === name);
    return ofThisTax.length > 0 && !ofThisTax.some((one) => one.rate === rate && one.baseFraction === baseFraction);
  });
}
