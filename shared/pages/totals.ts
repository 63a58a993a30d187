import type { PricedItem } from '../domain/checkout/priced-item.ts';
import { sum } from '../domain/money/money.ts';

type TaxedLine = Pick<PricedItem, 'net' | 'gross' | 'components' | 'discount'>;

/** A printed tax. Only a tax with a rate has an amount. */
export interface TaxRow {
  kind: 'charged' | 'exempt' | 'reverse_charge';
  name: string;
  rate: string | null;
  baseFraction: string;
  /** The price without tax of the lines with this tax. */
  net: number;
  amount: number;
}

export interface Totals {
  /** The total; null while a tax that must be added is unknown. */
  total: number | null;
  /** The sum without tax; null if the page prints nothing about tax. */
  net: number | null;
  /**
   * The sum of the displayed prices, if some include a tax that is still unknown and others do not. Absent if it is not
   * needed.
   */
  displayed?: number | null;
  taxes: readonly TaxRow[];
  /** The discount of all codes on the displayed amounts; absent without a code. */
  discount?: number | undefined;
  /** The discount of each code, if it is known. */
  codes?: readonly TakenCode[] | undefined;
}

/** The discount of a code on the displayed amounts. */
export interface TakenCode {
  code: string;
  amount: number;
}

/**
 * The totals to print, with one row for each name and rate of a tax. Prices with and without tax are added up in the
 * same way.
 */
export function totalsOf(lines: readonly TaxedLine[], codes: readonly TakenCode[] = []): Totals {
  const rows = new Map<string, TaxRow>();
  for (const line of lines) for (const row of rowsOf(line)) addTo(rows, row);
  const taxes = [...rows.values()];
  const discount = sum(lines.map((line) => line.discount ?? 0));
  const net = taxes.length > 0 ? sumOf(lines, 'net') : null;
  return { total: sumOf(lines, 'gross'), net, taxes, ...(discount > 0 && { discount, codes }) };
}

const sumOf = (lines: readonly TaxedLine[], side: 'net' | 'gross'): number => sum(lines.map((line) => line[side]));

function rowsOf({ net, components }: TaxedLine): TaxRow[] {
  return components.flatMap(({ name, rate, baseFraction, reason, amount }): TaxRow[] => {
    const row = { name, rate, baseFraction, net, amount };
    if (reason === 'exempt' || reason === 'reverse_charge') return [{ kind: reason, ...row }];
    if (rate === null || (reason !== null && reason !== 'zero_rated')) return [];
    return [{ kind: 'charged', ...row }];
  });
}

function addTo(rows: Map<string, TaxRow>, row: TaxRow): void {
  const key = `${row.kind} ${row.name} ${row.rate} ${row.baseFraction}`;
  const known = rows.get(key);
  rows.set(key, known ? { ...known, net: known.net + row.net, amount: known.amount + row.amount } : row);
}
