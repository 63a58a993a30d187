import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { awaitsEvidence, type Dispute, type DisputeRow } from '../../domain/payments/dispute.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { Page } from '../../http/page.ts';
import { type Html, html } from '../../pages/html.ts';
import type { DisputeStore } from '../../store/payments/dispute-store.ts';
import type { PaymentLists } from '../../store/payments/payment-list.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import { type ChooseGroundDeps, chooseGround } from '../../use-cases/disputes/choose-ground.ts';
import { type LoadDisputeEvidenceDeps, loadDisputeEvidence } from '../../use-cases/payments/load-dispute-evidence.ts';
import { parseInput } from '../../wire/parse.ts';
import { AdjustmentInput } from '../../wire/payments/dispute-adjustment.ts';
import { type DashboardRoutes, unlessRefused } from '../dashboard.ts';
import { date, time } from '../dates.ts';
import { faultsOf } from '../form-faults.ts';
import { dashboardAnswer, type Frame, frameOf } from '../frame.ts';
import { listView } from '../list-view.ts';
import { card, type DataColumn, dataTable, emptyState, money, pager } from '../parts.ts';
import { disputeBadge } from '../payments/dispute-badge.ts';
import { saleColumns } from '../sales/sale-columns.ts';
import { type Texts, textsOf, withMarkup } from '../texts.ts';
import type { FormSubmission } from '../visit.ts';
import { disputePage } from './dispute-page.ts';

interface DisputePagesDeps extends LoadDisputeEvidenceDeps {
  disputes: Pick<DisputeStore, 'list' | 'get'>;
  lists: Pick<PaymentLists, 'named'>;
}

interface DisputeFormsDeps extends LoadDisputeEvidenceDeps, ChooseGroundDeps {
  disputes: Pick<DisputeStore, 'get' | 'save'>;
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
    const sales = await deps.lists.named(page.items.map(({ paymentId }) => paymentId));
    return disputeListPage(frameOf(visit), { disputes: page.items, sales, ...links(page) });
  },
});

/** The page of a dispute, and its form for the ground of a lost dispute. */
export const disputeForms = (deps: DisputeFormsDeps): DashboardRoutes<typeof dashboardCommands.disputes> => ({
  show: async (visit) => disputePage(frameOf(visit), await loadDisputeEvidence(deps, visit.request.param('id'))),
  forms: {
    commands: dashboardCommands.disputes,
    run: { choose_ground: (submission) => choose(deps, submission) },
  },
});

/** Books the chosen ground of a lost dispute. */
function choose(deps: DisputeFormsDeps, submission: FormSubmission): Promise<Page> {
  const disputeId = submission.request.param('id');
  return unlessRefused(
    async () => {
      const replaces = submission.form.text('replaces') || undefined;
      const choice = parseInput(AdjustmentInput, { ground: submission.form.text('ground'), replaces });
      return submission.once<Dispute>(
        (claim) => chooseGround(deps, { disputeId, ...choice }, claim),
        () => `${section}/${disputeId}?done=saved`,
      );
    },
    async (refusal) =>
      disputePage(
        frameOf(submission),
        await loadDisputeEvidence(deps, disputeId),
        faultsOf(refusal, textsOf(dashboardTexts('evidence'), submission)),
      ),
  );
}

interface DisputeListView {
  disputes: readonly DisputeRow[];
  /** The payments of the disputes. */
  sales: readonly Payment[];
  newest: string | undefined;
  older: string | undefined;
}

function disputeListPage(frame: Frame, { disputes, sales, newest, older }: DisputeListView) {
  const t = textsOf(dashboardTexts('paymentList'), frame);
  return dashboardAnswer(frame, {
    title: t('nav./dashboard/disputes'),
    section,
    main:
      disputes.length > 0
        ? card(
            {},
            html`${dataTable(t('nav./dashboard/disputes'), columnsOf(sales, t), disputes)}${pager(newest, older, t)}`,
          )
        : emptyState(t('disputes.none'), t('disputes.none.text')),
  });
}

const columnsOf = (sales: readonly Payment[], t: Texts<TextKey<'paymentList'>>): readonly DataColumn<DisputeRow>[] => [
  {
    label: t('disputes.opened'),
    cell: ({ createdAt, id }) =>
      html`<a class="leads" href="${section}/${id}">${time(createdAt, t.locale)}</a><span class="hint"><code>${id}</code></span>`,
  },
  ...saleColumns<DisputeRow>(({ paymentId }) => sales.find(({ id }) => id === paymentId), t),
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
