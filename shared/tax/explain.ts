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

/** The parts of a payment that say which facts it was taxed by. */
type TaxedPayment = { calculation: Pick<Payment['calculation'], 'taxDate' | 'tableVersion'> } & Pick<Payment, 'lines'>;

/**
 * The row with an id that a payment keeps, as the table of its sale had it. If that table is not known, today's row,
 * unless it was corrected since: a corrected fact explains nothing of a sale that was taxed before.
 */
export function explainRow(id: string, payment: TaxedPayment): ExplainedRow | undefined {
  const { taxDate, tableVersion } = payment.calculation;
  const row = findRowById(id, tableVersion);
  if (!row || !holdsOn(row, taxDate)) return undefined;
  if (!isKnownTable(tableVersion) && contradicts(row, payment)) return undefined;
  return { row, sources: row.sources.map((key) => sources[key] ?? key) };
}

/** Whether a tax of the row was charged, but only at other rates. */
function contradicts({ components }: RateRow, { lines }: TaxedPayment): boolean {
  const charged = lines.flatMap((line) => line.components).filter(({ rate }) => rate !== null);
  return components.some(({ name, rate, baseFraction }) => {
    const ofThisTax = charged.filter((component) => component.name === name);
    return ofThisTax.length > 0 && !ofThisTax.some((one) => one.rate === rate && one.baseFraction === baseFraction);
  });
}
