import { namedProducts, type PaymentRow } from '../../domain/payments/payment-row.ts';
import type { Page } from '../../http/page.ts';
import { amountText } from '../../pages/amount-input.ts';
import { formatCount } from '../../pages/format.ts';
import type { ProductStore } from '../../store/catalogue/product-store.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import {
  collectPayments,
  type PaymentSearch,
  type SearchPaymentsDeps,
  searchPayments,
  usedFilters,
} from '../../use-cases/reports/search-payments.ts';
import { unlessRefused } from '../dashboard.ts';
import { frameOf } from '../frame.ts';
import { listView } from '../list-view.ts';
import { csvPage, paymentsCsv } from '../report-csv.ts';
import { type Texts, textsOf } from '../texts.ts';
import type { Visit } from '../visit.ts';
import { activeFilters, mostInFile, paymentFilters, searchOf } from './payment-filters.ts';
import { paymentListPage } from './payment-list-page.ts';

export interface PaymentListDeps extends SearchPaymentsDeps {
  products: Pick<ProductStore, 'names'>;
  merchantId: string;
}

/** Shows the list, or its payments as a file. If the filters cannot match anything, it shows an error. */
export async function showPaymentList(deps: PaymentListDeps, visit: Visit) {
  const t = textsOf(dashboardTexts('paymentList'), visit);
  const filters = paymentFilters(visit.request.query);
  const { request, links } = await listView(visit, '/dashboard/payments', activeFilters(filters));
  const show = async ({ items, fault, ...page }: Listed) => {
    const productIds = items.flatMap((item) => namedProducts(item.productIds));
    const [used, names] = await Promise.all([usedFilters(deps), deps.products.names(productIds)]);
    return paymentListPage(frameOf(visit), { payments: items, names, filters, used, fault, ...page });
  };
  const refused = (fault: string) => show({ items: [], fault, newest: undefined, older: undefined });
  return unlessRefused(
    async () => {
      const search = searchOf(filters, deps.merchantId, visit.locale);
      if (!search) return refused(t('searchFault', { amount: amountText(1_999, 'EUR', t.locale) }));
      if (visit.request.query('format') === 'csv') return download(deps, search, { refused, t });
      const page = await searchPayments(deps, search, request);
      return show({ items: page.items, fault: undefined, ...links(page) });
    },
    () => refused(t('filterFault')),
  );
}

interface Listed {
  items: PaymentRow[];
  fault: string | undefined;
  newest: string | undefined;
  older: string | undefined;
}

const mostSearches = 4;

/** Sends all matching payments as a file. If they do not fit into one file, it shows the list with the reason. */
const download = (
  deps: PaymentListDeps,
  search: PaymentSearch,
  { refused, t }: { refused: (fault: string) => Promise<Page>; t: Texts<TextKey<'paymentList'>> },
): Promise<Page> =>
  unlessRefused(
    async () => {
      const { payments, isPartial } = await collectPayments(deps, search, { most: mostInFile, mostSearches });
      if (isPartial) return refused(t('tooManyToExport', { most: formatCount(mostInFile, t.locale) }));
      return csvPage('payments.csv', paymentsCsv(payments));
    },
    () => refused(t('tooLarge')),
  );
