import { awaitsEvidence, type DisputeRow } from '../../domain/payments/dispute.ts';
import { type Html, html } from '../../pages/html.ts';
import type { Locale } from '../../pages/locale.ts';
import type { DisputeStore } from '../../store/payments/dispute-store.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import type { DashboardRoutes } from '../dashboard.ts';
import { date, time } from '../dates.ts';
import { dashboardAnswer, type Frame, frameOf } from '../frame.ts';
import { listView } from '../list-view.ts';
import { card, type DataColumn, dataTable, emptyState, money, pager } from '../parts.ts';
import { type Texts, textsOf, withMarkup } from '../texts.ts';
import { statusBadge } from './payment-list-page.ts';

interface DisputePagesDeps {
  disputes: Pick<DisputeStore, 'list'>;
}

const section = '/dashboard/disputes';

/** The list of disputes, with the deadline of each. The merchant gives evidence on the processor's page. */
export const disputePages = (deps: DisputePagesDeps): DashboardRoutes => ({
  show: async (visit) => {
    const { request, links } = await listView(visit, section, {});
    const page = await deps.disputes.list({}, request);
    return disputeListPage(frameOf(visit), { disputes: page.items, ...links(page) });
  },
});

interface DisputeListView {
  disputes: readonly DisputeRow[];
  newest: string | undefined;
  older: string | undefined;
}

function disputeListPage(frame: Frame, { disputes, newest, older }: DisputeListView) {
  const t = textsOf(dashboardTexts('paymentList'), frame);
  return dashboardAnswer(frame, {
    title: t('nav./dashboard/disputes'),
    section,
    main:
      disputes.length > 0
        ? card({}, html`${dataTable(t('nav./dashboard/disputes'), columnsOf(t), disputes)}${pager(newest, older, t)}`)
        : emptyState(t('disputes.none'), t('disputes.none.text')),
  });
}

const columnsOf = (t: Texts<TextKey<'paymentList'>>): readonly DataColumn<DisputeRow>[] => [
  {
    label: t('disputes.opened'),
    cell: ({ paymentId, createdAt, id }) =>
      html`<a href="/dashboard/payments/${paymentId}">${time(createdAt, t.locale)}</a><span class="hint"><code>${id}</code></span>`,
  },
  {
    label: t('status'),
    cell: (dispute) =>
      html`${disputeBadge(dispute, t)}${dispute.stage === 'pre_dispute' && html`<span class="hint">${t('disputes.inquiry')}</span>`}`,
  },
  { label: t('disputes.evidence'), cell: (dispute) => evidenceCell(dispute, t) },
  { label: t('amount'), isNumber: true, cell: ({ amount, currency }) => money(amount, currency, t.locale) },
];

const moods = { won: 'good', cancelled: 'good', lost: 'bad', opened: 'wait', challenged: 'wait' } as const;

/** The status of a dispute as a word, with a matching colour. */
export const disputeBadge = ({ status }: Pick<DisputeRow, 'status'>, spoken: { locale: Locale }): Html =>
  statusBadge(status, spoken, Object.hasOwn(moods, status) ? moods[status as keyof typeof moods] : 'none');

/** The deadline of a dispute, with a link to the processor's page for evidence. */
function evidenceCell(dispute: DisputeRow, t: Texts<TextKey<'paymentList'>>): Html {
  const { dueBy, url } = dispute;
  if (!awaitsEvidence(dispute)) return html`–`;
  const due = dueBy ? withMarkup(t('disputes.dueUntil'), { day: date(dueBy, t.locale) }) : html`${t('disputes.due')}`;
  return url ? html`${due} <a href="${url}" rel="noreferrer">${t('disputes.answer')}</a>` : due;
}
