import { type CheckoutSession, costsSomething } from '../domain/checkout/checkout-session.ts';
import type { Payment } from '../domain/payments/payment.ts';
import { boughtPaymentId, isBuyer } from '../http/buyer-cookie.ts';
import type { Page, PageRequest, PageRoute } from '../http/page.ts';
import { isAskedByScript } from '../pages/page-context.ts';
import { keys, type RowKey } from '../store/keys.ts';
import { contextOf, refuseIn, underBrand } from './checkout-context.ts';
import { checkoutState, closedPage, paidPage, waitingAnswer } from './checkout-responses.ts';
import type { Advice } from './form/faults.ts';
import { formOf } from './form/read-fields.ts';
import { priceableForm } from './form/receive-form.ts';
import { declineNotice } from './form/refusals.ts';
import { type FormPageDeps, formPage } from './form-page.ts';

interface ShowCheckoutPageDeps extends FormPageDeps {
  payments: { find: (id: string) => Promise<Payment | undefined>; get: (id: string) => Promise<Payment> };
  /** Whether somebody takes the money: a page that cannot be paid asks for nothing. */
  takesPayments: () => boolean;
}

/** The page of a session: its form, the wait for its payment, its receipt, or why it is over. */
export const showCheckoutPage = (deps: ShowCheckoutPageDeps): PageRoute => ({
  answer: (request) => deps.readAhead(rowsOf(request), () => show(deps, request)),
  refuse: refuseIn(deps.env),
});

/**
 * The rows to read. A waiting page needs only the session, the browser that paid also its payment, other browsers
 * the tax rules.
 */
function rowsOf(request: PageRequest): RowKey[] {
  const session = keys.session(request.param('id'));
  if (isAskedByScript(request)) return [session];
  const paymentId = boughtPaymentId(request);
  return [session, keys.brands(), paymentId ? keys.payment(paymentId) : keys.taxRules()];
}

async function show(deps: ShowCheckoutPageDeps, request: PageRequest): Promise<Page> {
  const session = await deps.sessions.get(request.param('id'));
  const state = checkoutState(session, deps.now());
  if (isAskedByScript(request)) return waitingAnswer(state);
  if (state === 'open' && (deps.takesPayments() || !costsSomething(session))) return showForm(deps, request, session);
  const context = await underBrand(deps, contextOf(deps.env, request), session);
  if (state !== 'paid') return closedPage(context, session, state === 'open' ? 'unpayable' : state);
  const payment = await paymentOf(deps, session);
  return paidPage(context, session, payment, isBuyer(request, payment));
}

/** Reads the payment again when the row that was read ahead is older than the session's. */
async function paymentOf(
  { payments }: ShowCheckoutPageDeps,
  { paymentId, paymentStatus }: CheckoutSession,
): Promise<Payment> {
  const id = paymentId ?? '';
  const payment = await payments.find(id);
  return payment?.status === paymentStatus ? payment : payments.get(id);
}

async function showForm(deps: ShowCheckoutPageDeps, request: PageRequest, session: CheckoutSession): Promise<Page> {
  const { locale } = contextOf(deps.env, request);
  const form = await priceableForm(deps, request, session, formOf(session, locale));
  return formPage(deps, form, await lastAttempt(deps, session));
}

/** Why the last payment failed, for a buyer who comes back to try again. */
async function lastAttempt(
  { payments }: ShowCheckoutPageDeps,
  { paymentStatus, paymentId }: CheckoutSession,
): Promise<Advice> {
  const failed = paymentStatus === 'failed' && paymentId ? await payments.find(paymentId) : undefined;
  return { faults: [], notice: failed ? declineNotice(failed.errorCode) : null };
}
