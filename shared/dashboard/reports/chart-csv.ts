import { type Column, csvOf } from '../../domain/reports/csv.ts';
import type { CountrySales, Overview, SpanFigures } from '../../domain/reports/overview.ts';
import type { ProductSales } from '../../domain/reports/sales.ts';
import type { LoadedOverview } from '../../use-cases/reports/load-overview.ts';
import { givenRows } from './given-card.ts';

export const chartNames = ['revenue', 'products', 'chosen', 'countries', 'given'] as const;
export type ChartName = (typeof chartNames)[number];

const spanColumns = (currency: string): readonly Column<SpanFigures>[] => [
  { name: 'from', cell: ({ from }) => from },
  { name: 'to', cell: ({ to }) => to },
  { name: 'currency', cell: () => currency },
  { name: 'net', cell: ({ net: amount }) => ({ amount, currency }) },
  { name: 'tax', cell: ({ tax: amount }) => ({ amount, currency }) },
];

const productColumns: readonly Column<Overview['products'][number]>[] = [
  { name: 'product_id', cell: ({ id }) => id },
  { name: 'product', cell: ({ name }) => name },
  { name: 'units', cell: ({ units }) => units },
  { name: 'currency', cell: ({ currency }) => currency },
  { name: 'paid', cell: ({ gross: amount, currency }) => ({ amount, currency }) },
  { name: 'paid_before', cell: ({ before, currency }) => (before === null ? null : { amount: before, currency }) },
];

type ChosenAmount = Pick<ProductSales, 'id' | 'name' | 'currency'> & { amount: number; units: number };

const chosenColumns: readonly Column<ChosenAmount>[] = [
  { name: 'product_id', cell: ({ id }) => id },
  { name: 'product', cell: ({ name }) => name },
  { name: 'currency', cell: ({ currency }) => currency },
  { name: 'unit_amount', cell: ({ amount, currency }) => ({ amount, currency }) },
  { name: 'units', cell: ({ units }) => units },
];

const countryColumns: readonly Column<CountrySales>[] = [
  { name: 'country', cell: ({ country }) => country },
  { name: 'payments', cell: ({ payments }) => payments },
  { name: 'currency', cell: ({ currency }) => currency },
  { name: 'net', cell: ({ net: amount, currency }) => ({ amount, currency }) },
  { name: 'net_before', cell: ({ before, currency }) => (before === null ? null : { amount: before, currency }) },
];

const givenColumns: readonly Column<ReturnType<typeof givenRows>[number]>[] = [
  { name: 'kind', cell: ({ kind }) => kind },
  { name: 'count', cell: ({ count }) => count },
  { name: 'count_before', cell: ({ before }) => before },
];

const chosenIn = ({ products }: Overview): ChosenAmount[] =>
  products.flatMap(({ id, name, currency, amounts }) =>
    amounts.map(([amount, units]) => ({ id, name, currency, amount, units })),
  );

/** The file behind a chart of the overview. */
export function chartCsv(
  chart: ChartName,
  { overview, countries }: Pick<LoadedOverview, 'overview' | 'countries'>,
): string {
  if (chart === 'revenue') return csvOf(spanColumns(overview.totals.currency), overview.spans);
  if (chart === 'products') return csvOf(productColumns, overview.products);
  if (chart === 'given') return csvOf(givenColumns, givenRows(overview));
  return chart === 'chosen' ? csvOf(chosenColumns, chosenIn(overview)) : csvOf(countryColumns, countries);
}
