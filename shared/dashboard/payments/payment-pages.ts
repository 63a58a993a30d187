import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { documentUrl } from '../../domain/documents/document-address.ts';
import { cancelledRefundOf, correctingRefundOf } from '../../domain/documents/document-id.ts';
import { DomainError } from '../../domain/errors.ts';
import { adjustedDisputeOf } from '../../domain/ids.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { Refund } from '../../domain/payments/refund.ts';
import { isPaidOut } from '../../domain/payouts/payout.ts';
import type { Site } from '../../domain/site.ts';
import type { Page } from '../../http/page.ts';
import { seeOther } from '../../pages/headers.ts';
import { keys } from '../../store/keys.ts';
import type { PayoutStore } from '../../store/payouts/payout-store.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import { type FindRepeatedCodesDeps, findRepeatedCodes } from '../../use-cases/discounts/find-repeated-codes.ts';
import { overviewOfPayment, type PaymentGrantsDeps } from '../../use-cases/entitlements/grant-overview.ts';
import { type CreateRefundDeps, createRefund } from '../../use-cases/payments/create-refund.ts';
import { type AvailableBalanceDeps, availableBalance, previewRefund } from '../../use-cases/payments/preview-refund.ts';
import { usedAllowance } from '../../use-cases/payments/use-allowance.ts';
import { type FindDeclaredDeps, findDeclared } from '../../use-cases/reports/find-declared.ts';
import { type LoadPaymentOverviewDeps, loadPaymentOverview } from '../../use-cases/reports/load-payment-overview.ts';
import {
  type DismissCorrectionDeps,
  dismissCorrection,
  type MakeCorrectionDeps,
  makeCorrection,
  previewCorrection,
} from '../../use-cases/tax-ids/make-correction.ts';
import { type DispatchAgainDeps, dispatchAgain } from '../../use-cases/webhooks/dispatch-again.ts';
import { type LoadStandingDeps, loadStanding } from '../../use-cases/withdrawal/load-standing.ts';
import { parseInput } from '../../wire/parse.ts';
import { RefundInput } from '../../wire/payments/refund-request.ts';
import { type DashboardRoutes, unlessRefused } from '../dashboard.ts';
import { faultText } from '../form-faults.ts';
import { type Frame, frameOf, may } from '../frame.ts';
import { textsOf } from '../texts.ts';
import type { FormSubmission, Visit } from '../visit.ts';
import type { LogPlace } from './log-link.ts';
import { paymentPage } from './payment-page.ts';
import {
  amountToConfirm,
  newRefund,
  type RefundDraft,
  type RefundPreview,
  refundBody,
  refundFault,
  refundFrom,
  type TypedRefund,
} from './read-refund-form.ts';
import { type PaymentListDeps, showPaymentList } from './show-payment-list.ts';
import { whyPage } from './why-page.ts';

type Deps = LoadPaymentOverviewDeps &
  PaymentGrantsDeps &
  FindRepeatedCodesDeps &
  CreateRefundDeps &
  LoadStandingDeps &
  DispatchAgainDeps &
  Omit<MakeCorrectionDeps, 'newId'> &
  DismissCorrectionDeps;

interface PaymentPagesDeps extends Deps, FindDeclaredDeps, Omit<PaymentListDeps, 'payments' | 'documents'> {
  payouts: Pick<PayoutStore, 'ofPayment'>;
  processor: Deps['processor'] & AvailableBalanceDeps['processor'];
  payments: Deps['payments'] & PaymentListDeps['payments'];
  documents: Deps['documents'] & PaymentListDeps['documents'];
  site: () => Site;
  merchantCountry: string;
  /** Whether the stack sends mail. */
  canMail: boolean;
  /** The log group of the functions. Absent on a developer's machine. */
  functionLogs?: LogPlace | undefined;
}

const home = '/dashboard/payments';

/** Handles the list of payments, and the page of each payment with its refunds and events. */
export const paymentPages = (deps: PaymentPagesDeps): DashboardRoutes<typeof dashboardCommands.payments> => ({
  needs: ({ param }) => (param('id') ? [keys.payment(param('id'))] : []),
  show: async (visit) => {
    const id = visit.request.param('id');
    if (id === '') return showPaymentList(deps, visit);
    if (visit.request.query('why') === 'true') return showWhy(deps, visit, id);
    return visit.request.query('document') ? openDocument(deps, id, wantedIn(visit)) : showPayment(deps, visit, id);
  },
  forms: {
    commands: dashboardCommands.payments,
    run: {
      preview: (submission) => preview(deps, submission),
      refund: (submission) => refund(deps, submission),
      resend: (submission) => resend(deps, submission),
      correct: (submission) => correct(deps, submission),
      leave: (submission) => leave(deps, submission),
    },
  },
});

/** Redirects to a document with its secret. */
async function openDocument(
  deps: PaymentPagesDeps,
  paymentId: string,
  { subjectId, isCorrected, ...format }: { subjectId: string; isCorrected: boolean; format?: 'xml' },
): Promise<Page> {
  const payment = await deps.payments.get(paymentId);
  const wanted = cancelledRefundOf(subjectId) ?? correctingRefundOf(subjectId) ?? subjectId;
  const isRefund = payment.refunds.some(({ id }) => id === wanted);
  const isAdjustment = payment.disputes.some(({ id }) => id === adjustedDisputeOf(subjectId));
  if (!isRefund && !isAdjustment && subjectId !== paymentId)
    throw new DomainError('NOT_FOUND', `${paymentId} has no ${subjectId}.`);
  const { documentSecret } = payment;
  const refundId = isRefund ? wanted : null;
  const address = { paymentId, refundId, documentSecret, ...(isAdjustment && { adjustmentId: subjectId }) };
  return seeOther(documentUrl(deps.site(), { ...address, kind: kindOf(subjectId, isCorrected), ...format }));
}

/** The kind of a refund's document: the corrected invoice, the cancellation, or by default the credit note. */
function kindOf(subjectId: string, isCorrected: boolean): string {
  if (cancelledRefundOf(subjectId)) return 'CAN';
  return isCorrected || correctingRefundOf(subjectId) ? 'INV' : '';
}

/** The document that an address names: that of the payment, of one of its refunds, or of an adjustment of a dispute. */
function wantedIn({ request }: Visit) {
  const format = request.query('format') === 'xml' ? { format: 'xml' as const } : {};
  return { subjectId: request.query('document') ?? '', isCorrected: request.query('corrected') === 'true', ...format };
}

/** The page that explains the tax of a sale. */
async function showWhy(deps: PaymentPagesDeps, visit: Visit, id: string) {
  const [{ payment, documents, refunds, adjustments }, settings] = await Promise.all([
    loadPaymentOverview(deps, id),
    deps.taxSettings(),
  ]);
  const declared = await findDeclared(deps, { payment, refunds, adjustments });
  return whyPage(frameOf(visit), { payment, refunds, documents, settings, declared, adjustments });
}

async function showPayment(
  deps: PaymentPagesDeps,
  visit: Visit,
  id: string,
  posted: { draft?: RefundDraft; fault?: string; correctionFault?: string } = {},
) {
  const overview = await loadPaymentOverview(deps, id);
  const { payment } = overview;
  const canRefund =
    payment.status === 'succeeded' && payment.refundable > 0 && payment.disputes.every((one) => one.isRefundable);
  const { draft = newRefund(payment), fault } = posted;
  const typed = { payment, draft, step: deps.refundStep(payment) };
  const mayRefund = canRefund && may(frameOf(visit), dashboardCommands.payments.refund);
  const [correction, repeatedCodes, grants, withdrawal, available, payout] = await Promise.all([
    previewCorrection(deps, payment),
    findRepeatedCodes(deps, payment),
    overviewOfPayment(deps, payment),
    loadStanding(deps, payment),
    mayRefund ? availableBalance(deps, payment) : undefined,
    isPaidOut(payment) ? deps.payouts.ofPayment(payment.id) : undefined,
  ]);
  const t = textsOf(dashboardTexts('payment'), visit);
  const form = canRefund ? { ...typed, preview: previewOf(deps, { ...typed, t }), fault, available } : null;
  const view = {
    ...overview,
    repeatedCodes,
    grants,
    withdrawal,
    payout,
    form,
    correctionFault: posted.correctionFault,
    ...(correction instanceof DomainError
      ? { whyNotCorrected: correctionFault(visit, correction) }
      : { correctionWorth: correction }),
    canMail: deps.canMail,
    functionLogs: deps.functionLogs,
    now: deps.now(),
    merchantCountry: deps.merchantCountry,
  };
  return paymentPage(frameAfter(visit, payment), view);
}

/** The frame of the page after a refund. It says that the refund is in progress only if one is still pending. */
function frameAfter(visit: Visit, { pending }: Payment): Frame {
  const frame = frameOf(visit);
  return frame.done === 'refunded' && pending > 0 ? { ...frame, done: 'refunding' } : frame;
}

/**
 * Previews a refund, with the same rules as a real one. Before anything is chosen, it says why no refund is possible, or
 * asks how much.
 */
function previewOf(deps: PaymentPagesDeps, asked: TypedRefund): RefundPreview {
  const { payment, draft, t } = asked;
  if (draft.scope === '') {
    const whole = previewOf(deps, { ...asked, draft: { ...draft, scope: 'all' } });
    return 'fault' in whole ? whole : { fault: t('refund.fault.scope') };
  }
  const read = refundBody(asked);
  if ('fault' in read) return read;
  try {
    const request = { ...parseInput(RefundInput, read.body), expectedRefundable: null };
    return { refund: previewRefund(deps, payment, request).refund };
  } catch (error) {
    if (error instanceof DomainError) return { fault: refundFault(error, asked) };
    throw error;
  }
}

async function preview(deps: PaymentPagesDeps, submission: FormSubmission) {
  const id = submission.request.param('id');
  return showPayment(deps, submission, id, { draft: refundFrom(submission.form, await deps.payments.get(id)) });
}

async function refund(deps: PaymentPagesDeps, submission: FormSubmission) {
  const id = submission.request.param('id');
  const payment = await deps.payments.get(id);
  const draft = refundFrom(submission.form, payment);
  const asked = { payment, draft, step: deps.refundStep(payment), t: textsOf(dashboardTexts('payment'), submission) };
  const read = refundBody(asked);
  if ('fault' in read) return showPayment(deps, submission, id, { draft, fault: read.fault });
  const confirmed = amountToConfirm(previewOf(deps, asked), asked);
  if (confirmed !== null) return showPayment(deps, submission, id, { draft: { ...draft, confirmed } });
  return unlessRefused(
    async () => {
      const request = parseInput(RefundInput, read.body);
      return submission.once<Refund>(
        (claim) => createRefund(deps, { request, by: submission.viewer }, claim),
        () => `${home}/${id}?done=refunded`,
      );
    },
    (refusal) => showPayment(deps, submission, id, { draft, fault: refundFault(refusal, asked) }),
  );
}

const correctionFault = (visit: Visit, refusal: DomainError): string =>
  faultText(refusal, textsOf(dashboardTexts('payment'), visit));

/** Corrects the documents. If that is impossible now, or the figures have changed, the page is shown again. */
function correct(deps: PaymentPagesDeps, submission: FormSubmission) {
  const { viewer, form } = submission;
  const id = submission.request.param('id');
  const seen = { amount: Number(form.text('amount')), tax: Number(form.text('tax')) };
  const allowanceFor = (refund: Refund) => usedAllowance(deps, viewer, refund);
  return unlessRefused(
    () =>
      submission.once<Refund>(
        (claim) => makeCorrection(deps, id, { claim, allowanceFor, seen }),
        () => `${home}/${id}?done=corrected`,
      ),
    (refusal) => showPayment(deps, submission, id, { correctionFault: correctionFault(submission, refusal) }),
  );
}

function leave(deps: PaymentPagesDeps, submission: FormSubmission) {
  const id = submission.request.param('id');
  return unlessRefused(
    () =>
      submission.once<string>(
        (claim) => dismissCorrection(deps, id, claim),
        () => `${home}/${id}`,
      ),
    (refusal) => showPayment(deps, submission, id, { correctionFault: correctionFault(submission, refusal) }),
  );
}

function resend(deps: PaymentPagesDeps, { request, form, once }: FormSubmission) {
  return once(
    (claim) => dispatchAgain(deps, form.text('event_id'), form.text('endpoint_id'), claim),
    () => `${home}/${request.param('id')}?done=resent#timeline`,
  );
}
