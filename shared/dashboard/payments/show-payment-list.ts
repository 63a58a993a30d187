import { namedProducts } from '../../domain/payments/payment-row.ts';
import type { Page } from '../../http/page.ts';
import { formatCount } from '../../pages/format.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import {
  collectPayments,
  type FoundPayments,
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
  merchantId: string;
}

/** Shows the list, or its payments as a file. If the filters cannot match anything, it shows an error. */
export async function showPaymentList(deps: PaymentListDeps, visit: Visit) {
  const t = textsOf(dashboardTexts('paymentList'), visit);
  const filters = paymentFilters(visit.request.query);
  const { request, links } = await listView(visit, '/dashboard/payments', activeFilters(filters));
  const show = async ({ items, ...page }: Listed) => {
    const used = await usedFilters(deps);
    const shown = items.flatMap((item) => namedProducts(item.productIds));
    const names = await deps.products.names([...shown, ...used.productIds, filters.product]);
    return paymentListPage(frameOf(visit), { payments: items, names, filters, used, ...page });
  };
  const refused = (fault: string) => show({ ...nothing, fault });
  return unlessRefused(
    async () => {
      const search = searchOf(filters, deps.merchantId, visit.locale);
      if (visit.request.query('format') === 'csv') return download(deps, search, { refused, t });
      const page = await searchPayments(deps, search, request);
      return show({ ...page, fault: undefined, ...links(page) });
    },
    () => refused(t('filterFault')),
  );
}

interface Listed extends Pick<FoundPayments, 'items' | 'totals' | 'looked'> {
  fault: string | undefined;
  newest: string | undefined;
  older: string | undefined;
}

const nothing = { items: [], totals: [], newest: undefined, older: undefined };

/** A file is made from at most 100,000 rows of the list. */
const mostSteps = 50;

/** Sends all matching payments as a file. If they do not fit into one file, it shows the list with the reason. */
const download = (
  deps: PaymentListDeps,
  search: PaymentSearch,
  { refused, t }: { refused: (fault: string) => Promise<Page>; t: Texts<TextKey<'paymentList'>> },
): Promise<Page> =>
  unlessRefused(
    async () => {
      const { payments, isPartial } = await collectPayments(deps, search, { most: mostInFile, mostSteps });
      if (isPartial) return refused(t('tooManyToExport', { most: formatCount(mostInFile, t.locale) }));
      return csvPage('payments.csv', paymentsCsv(payments));
    },
    () => refused(t('tooLarge')),
  );
