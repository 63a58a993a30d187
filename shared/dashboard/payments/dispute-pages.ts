import { awaitsEvidence, type DisputeRow } from '../../domain/payments/dispute.ts';
import { type Html, html } from '../../pages/html.ts';
import type { DisputeStore } from '../../store/payments/dispute-store.ts';
import type { DashboardRoutes } from '../dashboard.ts';
import { dashboardAnswer, type Frame, frameOf } from '../frame.ts';
import { listView } from '../list-view.ts';
import { badge, type DataColumn, dataTable, date, emptyState, money, pager, time } from '../parts.ts';

interface DisputePagesDeps {
  disputes: Pick<DisputeStore, 'list'>;
}

const section = '/dashboard/disputes';

/** The disputes, with what is due until when. Evidence is given on the processor's page. */
export const disputePages = (deps: DisputePagesDeps): DashboardRoutes => ({
  show: async (visit) => {
    const { request, links } = listView(visit, section, {});
    const page = await deps.disputes.list({}, request);
    return disputeListPage(frameOf(visit), { disputes: page.items, ...links(page) });
  },
});

interface DisputeListView {
  disputes: readonly DisputeRow[];
  newest: string | undefined;
  older: string | undefined;
}

const disputeListPage = (frame: Frame, { disputes, newest, older }: DisputeListView) =>
  dashboardAnswer(frame, {
    title: 'Disputes',
    section,
    main:
      disputes.length > 0
        ? html`<section class="card">${dataTable('Disputes', columns, disputes)}${pager(newest, older)}</section>`
        : emptyState(
            'No disputes',
            'When a buyer asks the bank for a payment back, it appears here with what is due until when.',
          ),
  });

const columns: readonly DataColumn<DisputeRow>[] = [
  {
    label: 'Opened',
    cell: ({ paymentId, createdAt, id }) =>
      html`<a href="/dashboard/payments/${paymentId}">${time(createdAt)}</a><span class="hint"><code>${id}</code></span>`,
  },
  {
    label: 'Status',
    cell: (dispute) =>
      html`${statusBadge(dispute)}${dispute.stage === 'pre_dispute' && html`<span class="hint">inquiry, no money taken</span>`}`,
  },
  { label: 'Evidence', cell: (dispute) => evidenceCell(dispute) },
  { label: 'Amount', isNumber: true, cell: ({ amount, currency }) => money(amount, currency) },
];

const moods = { won: 'good', cancelled: 'good', lost: 'bad', opened: 'wait', challenged: 'wait' } as const;

/** The status of a dispute as a word, with a matching colour. */
export const statusBadge = ({ status }: Pick<DisputeRow, 'status'>): Html =>
  badge(status, Object.hasOwn(moods, status) ? moods[status as keyof typeof moods] : 'none');

/** What is due until when, with the processor's page where evidence is given. */
function evidenceCell(dispute: DisputeRow): Html {
  const { dueBy, url } = dispute;
  if (!awaitsEvidence(dispute)) return html`–`;
  const due = dueBy ? html`due until ${date(dueBy)}` : html`due`;
  return url ? html`${due} <a href="${url}" rel="noreferrer">Answer at the processor</a>` : due;
}
