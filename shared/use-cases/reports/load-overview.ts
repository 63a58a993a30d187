import { currenciesOf, lastDays, type Overview, overviewOf } from '../../domain/reports/overview.ts';
import type { ProductStore } from '../../store/catalogue/product-store.ts';
import type { PaymentLists } from '../../store/payments/payment-list.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import { loadPayments } from './export-payments.ts';

export interface LoadOverviewDeps {
  payments: Pick<PaymentLists, 'listBriefly'> & Pick<PaymentStore, 'get'>;
  products: Pick<ProductStore, 'listBriefly'>;
  now: () => Date;
}

export interface LoadedOverview {
  overview: Overview;
  /** All in which something was sold, the most frequent first. */
  currencies: readonly string[];
  /** Whether older payments of these days were left out. */
  isPartial: boolean;
  hasProducts: boolean;
}

const days = 30;
/** What one look reads at most. */
const mostPayments = 1_000;
const wholeList = { size: 100, skip: 0, after: undefined };

/** The sales of the last 30 days, in the requested currency or the most frequent one. */
export async function loadOverview(deps: LoadOverviewDeps, currency: string | undefined): Promise<LoadedOverview> {
  const wanted = lastDays(deps.now(), days);
  const period = { createdFrom: `${wanted[0]}T00:00:00.000Z`, most: mostPayments, mostSearches: 2 };
  const [{ payments, isPartial }, onSale, archived] = await Promise.all([
    loadPayments(deps, { ...period, matches: ({ status }) => status === 'succeeded' }),
    deps.products.listBriefly({ archived: false }, wholeList),
    deps.products.listBriefly({ archived: true }, wholeList),
  ]);
  const products = [...onSale.items, ...archived.items];
  const open = products.filter(({ price }) => price.kind === 'pay_what_you_want').map(({ id }) => id);
  const currencies = currenciesOf(payments);
  const chosen = currencies.find((code) => code === currency) ?? currencies[0] ?? products[0]?.price.currency ?? 'EUR';
  const overview = overviewOf(payments, { days: wanted, currency: chosen, openlyPriced: new Set(open) });
  return { overview, currencies, isPartial, hasProducts: products.length > 0 };
}
