import { dashboard, type FormSubmission, unlessRefused, type Visit } from '../../shared/dashboard/dashboard.ts';
import { frameOf } from '../../shared/dashboard/frame.ts';
import { guard } from '../../shared/dashboard/guard.ts';
import { listView } from '../../shared/dashboard/list-view.ts';
import { paymentFilters, paymentQuery } from '../../shared/dashboard/payments/payment-filters.ts';
import { paymentListPage } from '../../shared/dashboard/payments/payment-list-page.ts';
import { paymentPage } from '../../shared/dashboard/payments/payment-page.ts';
import {
  newRefund,
  type RefundDraft,
  refundBody,
  refundFault,
  refundFrom,
} from '../../shared/dashboard/payments/read-refund-form.ts';
import type { RefundPreview } from '../../shared/dashboard/payments/refund-form.ts';
import { dashboardCommands } from '../../shared/domain/access/dashboard-commands.ts';
import { normalizeEmail } from '../../shared/domain/checkout/buyer.ts';
import { documentUrl } from '../../shared/domain/documents/document-address.ts';
import { DomainError } from '../../shared/domain/errors.ts';
import { customerIdOf } from '../../shared/domain/ids.ts';
import type { Payment } from '../../shared/domain/payments/payment.ts';
import { decideRefund, type Refund } from '../../shared/domain/payments/refund.ts';
import { env } from '../../shared/env.ts';
import type { Page } from '../../shared/http/page.ts';
import {
  deliveries,
  documents,
  events,
  newId,
  now,
  paymentLists,
  payments,
  processor,
  refundAllowances,
  site,
  webhooks,
} from '../../shared/runtime.ts';
import { keys } from '../../shared/store/keys.ts';
import { createRefund } from '../../shared/use-cases/payments/create-refund.ts';
import { loadPaymentOverview } from '../../shared/use-cases/reports/load-payment-overview.ts';
import { dispatchAgain } from '../../shared/use-cases/webhooks/dispatch-again.ts';
import { parseInput } from '../../shared/wire/parse.ts';
import { matchesPayment } from '../../shared/wire/payments/payment-list.ts';
import { RefundInput } from '../../shared/wire/payments/refund-request.ts';

const { id: merchantId, refundWindowDays } = env.merchant();
const stores = {
  payments: { ...payments(), ...paymentLists() },
  events: events(),
  deliveries: deliveries(),
  webhooks: webhooks(),
};
const deps = { ...stores, allowances: refundAllowances(), processor: processor(), refundWindowDays, now, newId };
const home = '/dashboard/payments';

/** GET, POST /dashboard/payments /dashboard/payments/{id} */
export const handler = dashboard(guard, {
  needs: ({ param }) => (param('id') ? [keys.payment(param('id'))] : []),
  show: async (visit) => {
    const id = visit.request.param('id');
    const documentOf = visit.request.query('document');
    if (id === '') return showList(visit);
    return documentOf ? openDocument(id, documentOf) : showPayment(visit, id);
  },
  forms: { commands: dashboardCommands.payments, run: { preview, refund, resend } },
});

function showList(visit: Visit) {
  const filters = paymentFilters(visit.request.query);
  const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
  const { request, links } = listView(visit, home, given);
  const fault = 'There is no such status or currency: choose another one.';
  const nothing = { payments: [], filters, fault, newest: undefined, older: undefined };
  return unlessRefused(
    async () => {
      const { created_at_gte: createdFrom, created_at_lte: createdTo, ...query } = paymentQuery(filters);
      const customerId = filters.customer ? customerIdOf(merchantId, normalizeEmail(filters.customer)) : undefined;
      const filter = { createdFrom, createdTo, customerId, matches: matchesPayment(query) };
      const page = await deps.payments.list(filter, request);
      return paymentListPage(frameOf(visit), { payments: page.items, filters, fault: undefined, ...links(page) });
    },
    () => paymentListPage(frameOf(visit), nothing),
  );
}

/** Leads on to a document under its secret; one of version 0.1, which has none, gets one when it is looked at. */
async function openDocument(paymentId: string, subjectId: string): Promise<Page> {
  const payment = await deps.payments.get(paymentId);
  const isRefund = payment.refunds.some(({ id }) => id === subjectId);
  if (!isRefund && subjectId !== paymentId) throw new DomainError('NOT_FOUND', `${paymentId} has no ${subjectId}.`);
  const documentSecret = payment.documentSecret ?? (await documents().linkSecret(subjectId, newId('doc')));
  return guard.seeOther(documentUrl(site(), { paymentId, refundId: isRefund ? subjectId : null, documentSecret }));
}

async function showPayment(visit: Visit, id: string, given?: RefundDraft, fault?: string) {
  const overview = await loadPaymentOverview(deps, id);
  const { payment } = overview;
  const canRefund = payment.status === 'succeeded' && payment.refundable > 0;
  const draft = given ?? newRefund(payment);
  const form = canRefund ? { payment, draft, preview: previewOf(payment, draft), fault } : null;
  return paymentPage(frameOf(visit), { ...overview, form });
}

/** What the refund would be, by the very decision that makes it. */
function previewOf(payment: Payment, draft: RefundDraft): RefundPreview {
  const read = refundBody(payment, draft);
  if ('fault' in read) return read;
  try {
    const request = { ...parseInput(RefundInput, read.body), expectedRefundable: null };
    const terms = { id: 'preview', now: now().toISOString(), refundWindowDays };
    return { refund: decideRefund(payment, request, terms).refund };
  } catch (error) {
    if (error instanceof DomainError) return { fault: refundFault(error, payment, draft) };
    throw error;
  }
}

async function preview(submission: FormSubmission) {
  const id = submission.request.param('id');
  return showPayment(submission, id, refundFrom(submission.form, await deps.payments.get(id)));
}

async function refund(submission: FormSubmission) {
  const id = submission.request.param('id');
  const payment = await deps.payments.get(id);
  const draft = refundFrom(submission.form, payment);
  const read = refundBody(payment, draft);
  if ('fault' in read) return showPayment(submission, id, draft);
  return unlessRefused(
    async () => {
      const request = parseInput(RefundInput, read.body);
      return submission.once<Refund>(
        (claim) => createRefund(deps, { request, by: submission.viewer }, claim),
        () => `${home}/${id}?done=refunded`,
      );
    },
    (refusal) => showPayment(submission, id, draft, refundFault(refusal, payment, draft)),
  );
}

function resend({ request, form, once }: FormSubmission) {
  return once(
    (claim) => dispatchAgain(deps, form.text('event_id'), form.text('endpoint_id'), claim),
    () => `${home}/${request.param('id')}?done=resent#timeline`,
  );
}
