import type { ProductBrief } from '../../domain/catalogue/product.ts';
import { namedProducts, type PaymentRow } from '../../domain/payments/payment-row.ts';
import {
  type CountrySales,
  currenciesOf,
  type Overview,
  overviewOf,
  salesByCountry,
  salesIn,
} from '../../domain/reports/overview.ts';
import { daysOf, type OverviewPeriod } from '../../domain/reports/period.ts';
import type { ThresholdWatch } from '../../domain/reports/thresholds.ts';
import type { ProductStore } from '../../store/catalogue/product-store.ts';
import type { PaymentLists } from '../../store/payments/payment-list.ts';
import { type LoadSalesDeps, loadSales } from './load-sales.ts';

export interface LoadOverviewDeps extends LoadSalesDeps {
  payments: LoadSalesDeps['payments'] & Pick<PaymentLists, 'list'>;
  products: Pick<ProductStore, 'listBriefly' | 'names'>;
}

interface OverviewRequest {
  watch: ThresholdWatch;
  period: OverviewPeriod;
  currency: string | undefined;
}

export interface LoadedOverview {
  overview: Overview;
  countries: readonly CountrySales[];
  /** All currencies in which something was sold, most frequent first. */
  currencies: readonly string[];
  /** Whether payments of these days were left out. */
  isPartial: boolean;
  /** The newest products, on sale or archived. */
  products: readonly ProductBrief[];
  /** The newest payments, of any day and in any state. */
  latest: readonly PaymentRow[];
  /** The names of the products in these payments. */
  names: ReadonlyMap<string, string>;
}

const wholeList = { size: 100, skip: 0, after: undefined };
const latestFew = { size: 5, skip: 0, after: undefined };

/** The sales of a period, in the requested currency or the most frequent one, and the latest payments. */
export async function loadOverview(
  deps: LoadOverviewDeps,
  { watch, period, currency }: OverviewRequest,
): Promise<LoadedOverview> {
  const [{ byDay, partsOf, isPartial }, onSale, archived, latest] = await Promise.all([
    loadSales(deps, watch, period),
    deps.products.listBriefly({ archived: false }, wholeList),
    deps.products.listBriefly({ archived: true }, wholeList),
    deps.payments.list({}, latestFew),
  ]);
  const products = [...onSale.items, ...archived.items];
  const currencies = currenciesOf(salesIn(byDay, period));
  const chosen = currencies.find((code) => code === currency) ?? currencies[0] ?? products[0]?.price.currency ?? 'EUR';
  const names = await deps.products.names(latest.items.flatMap(({ productIds }) => namedProducts(productIds)));
  const overview = overviewOf(byDay, chosen, period);
  const earlier = overview.before && daysOf(period.before).flatMap(partsOf);
  const countries = salesByCountry(daysOf(period).flatMap(partsOf), earlier, chosen);
  return { overview, countries, currencies, isPartial, products, latest: latest.items, names };
}
