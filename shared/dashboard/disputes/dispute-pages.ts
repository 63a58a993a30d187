import { awaitsEvidence, type DisputeRow } from '../../domain/payments/dispute.ts';
import { type Html, html } from '../../pages/html.ts';
import type { DisputeStore } from '../../store/payments/dispute-store.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import { type LoadDisputeEvidenceDeps, loadDisputeEvidence } from '../../use-cases/payments/load-dispute-evidence.ts';
import type { DashboardRoutes } from '../dashboard.ts';
import { date, time } from '../dates.ts';
import { dashboardAnswer, type Frame, frameOf } from '../frame.ts';
import { listView } from '../list-view.ts';
import { card, type DataColumn, dataTable, emptyState, money, pager } from '../parts.ts';
import { disputeBadge } from '../payments/dispute-badge.ts';
import { type Texts, textsOf, withMarkup } from '../texts.ts';
import { disputePage } from './dispute-page.ts';

interface DisputePagesDeps extends LoadDisputeEvidenceDeps {
  disputes: Pick<DisputeStore, 'list' | 'get'>;
}

const section = '/dashboard/disputes';

/**
 * The list of disputes with their deadlines, and a page of each with evidence. The merchant gives the evidence to the
 * bank on the processor's page.
 */
export const disputePages = (deps: DisputePagesDeps): DashboardRoutes => ({
  show: async (visit) => {
    const id = visit.request.param('id');
    if (id !== '') return disputePage(frameOf(visit), await loadDisputeEvidence(deps, id));
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

/** The deadline of a dispute, with a link to the processor's page for evidence. */
function evidenceCell(dispute: DisputeRow, t: Texts<TextKey<'paymentList'>>): Html {
  const { id, dueBy, url } = dispute;
  const collected = html`<a href="${section}/${id}">${t('disputes.collected')}</a>`;
  if (!awaitsEvidence(dispute)) return collected;
  const due = dueBy ? withMarkup(t('disputes.dueUntil'), { day: date(dueBy, t.locale) }) : html`${t('disputes.due')}`;
  const answer = url && html` · <a href="${url}" rel="noreferrer">${t('disputes.answer')}</a>`;
  return html`${due} · ${collected}${answer}`;
}
