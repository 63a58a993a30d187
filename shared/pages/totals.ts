import type { PricedItem } from '../domain/checkout/priced-item.ts';
import { sum } from '../domain/money/money.ts';

type TaxedLine = Pick<PricedItem, 'net' | 'gross' | 'components' | 'discount'>;

/** A printed tax. Only a tax with a rate has an amount. */
export interface TaxRow {
  kind: 'charged' | 'exempt' | 'reverse_charge';
  name: string;
  rate: string | null;
  baseFraction: string;
  /** The price without tax of the lines that it is on. */
  net: number;
  amount: number;
}

export interface Totals {
  /** Null while a tax must be added that is not known yet. */
  total: number | null;
  /** Null where nothing is printed about tax. */
  net: number | null;
  /** The displayed prices, where some include a tax that is not known yet and some do not; absent: not asked for. */
  displayed?: number | null;
  taxes: readonly TaxRow[];
  /** What codes take off the displayed amounts; absent: nothing. */
  discount?: number | undefined;
  /** The same by code, where it is known. */
  codes?: readonly TakenCode[] | undefined;
}

/** What a code takes off the displayed amounts. */
export interface TakenCode {
  code: string;
  amount: number;
}

/** The printed totals: each tax once, by name and rate, whether prices include it or not, and none if none is collected. */
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
