import { notFound } from '../../domain/errors.ts';
import type { PayoutAccess, PayoutRow } from '../../domain/payouts/payout.ts';
import type { Page } from '../../http/page.ts';
import { html } from '../../pages/html.ts';
import type { PaymentLists } from '../../store/payments/payment-list.ts';
import type { PayoutStore } from '../../store/payouts/payout-store.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import { fileCountOf, type LoadPayoutDeps, loadPayout, loadPayoutFile } from '../../use-cases/payouts/load-payout.ts';
import type { DashboardRoutes } from '../dashboard.ts';
import { date, time } from '../dates.ts';
import { dashboardAnswer, type Frame, frameOf } from '../frame.ts';
import { listView } from '../list-view.ts';
import { card, type DataColumn, dataTable, emptyState, pager } from '../parts.ts';
import { csvPage } from '../report-csv.ts';
import { textsOf } from '../texts.ts';
import type { Visit } from '../visit.ts';
import { payoutCsv } from './payout-csv.ts';
import { payoutPage } from './payout-page.ts';
import { matchingText, type PayoutTexts, payoutBadge, payoutMoney } from './payout-words.ts';

interface PayoutPagesDeps extends LoadPayoutDeps {
  payouts: LoadPayoutDeps['payouts'] & Pick<PayoutStore, 'list' | 'findAccess'>;
  lists: Pick<PaymentLists, 'named'>;
  /** Whether the stage has an account at a processor, which pays out. */
  isPaidOut: boolean;
}

const section = '/dashboard/payouts';

/** The list of payouts, a page of each with the sales in it, and its lines as a file. */
export const payoutPages = (deps: PayoutPagesDeps): DashboardRoutes => ({
  show: (visit) => {
    const id = visit.request.param('id');
    if (id === '') return showList(deps, visit);
    const file = visit.request.query('csv');
    return file === undefined ? showPayout(deps, visit, id) : download(deps, id, numberIn(file));
  },
});

/** A number in an address; 0 for anything else, which names nothing. */
const numberIn = (text: string): number => (/^[1-9]\d{0,6}$/.test(text) ? Number(text) : 0);

async function showPayout(deps: PayoutPagesDeps, visit: Visit, id: string): Promise<Page> {
  const part = numberIn(visit.request.query('part') ?? '1');
  const view = await loadPayout(deps, id, part);
  const ids = view.lines.flatMap(({ paymentId }) => paymentId ?? []);
  const sales = await deps.lists.named(ids);
  return payoutPage(frameOf(visit), { ...view, sales }, part);
}

async function download(deps: PayoutPagesDeps, id: string, file: number): Promise<Page> {
  const view = await loadPayoutFile(deps, id, file);
  if (view.lines.length === 0 || !view.payout.read.isComplete) throw notFound('file');
  const { arrivesOn } = view.payout;
  const suffix = fileCountOf(view.payout) === 1 ? '' : `-${file}`;
  return csvPage(`payout-${arrivesOn}-${id}${suffix}.csv`, payoutCsv(view));
}

interface PayoutListView {
  payouts: readonly PayoutRow[];
  access: PayoutAccess | undefined;
  isPaidOut: boolean;
  newest: string | undefined;
  older: string | undefined;
}

async function showList({ payouts, isPaidOut }: PayoutPagesDeps, visit: Visit): Promise<Page> {
  const { request, links } = await listView(visit, section, {});
  const [page, access] = await Promise.all([payouts.list({}, request), payouts.findAccess()]);
  return payoutListPage(frameOf(visit), { payouts: page.items, access, isPaidOut, ...links(page) });
}

function payoutListPage(frame: Frame, { payouts, access, isPaidOut, newest, older }: PayoutListView): Page {
  const t = textsOf(dashboardTexts('payouts'), frame);
  const title = t('nav./dashboard/payouts');
  const lacks = access?.lacks ?? [];
  const empty = isPaidOut ? emptyState(t('none'), t('none.text')) : emptyState(t('sandbox'), t('sandbox.text'));
  return dashboardAnswer(frame, {
    title,
    section,
    main: html`${lacks.map((right) => html`<p class="note wait">${t('lacks', { right })}</p>`)}${
      payouts.length > 0 ? card({}, html`${dataTable(title, columnsOf(t), payouts)}${pager(newest, older, t)}`) : empty
    }`,
  });
}

const columnsOf = (t: PayoutTexts): readonly DataColumn<PayoutRow>[] => [
  {
    label: t('made'),
    cell: ({ id, createdAt }) =>
      html`<a href="${section}/${id}">${time(createdAt, t.locale)}</a><span class="hint"><code>${id}</code></span>`,
  },
  {
    label: t('state'),
    cell: (payout) => html`${payoutBadge(payout, t)}<span class="hint">${matchingText(payout, t)}</span>`,
  },
  { label: t('arrives'), cell: ({ arrivesOn }) => date(arrivesOn, t.locale) },
  { label: t('amount'), isNumber: true, cell: (payout) => payoutMoney(payout, payout.amount, t) },
];
