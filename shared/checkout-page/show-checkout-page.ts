import { type CheckoutSession, costsSomething } from '../domain/checkout/checkout-session.ts';
import { takesItsTime } from '../domain/payments/charge.ts';
import type { Payment } from '../domain/payments/payment.ts';
import { boughtPaymentId, hasProvedToBeBuyer, isBuyer } from '../http/buyer-cookie.ts';
import type { Page, PageRequest, PageRoute } from '../http/page.ts';
import { isAskedByScript, type PageContext } from '../pages/page-context.ts';
import { keys, type RowKey } from '../store/keys.ts';
import { contextOf, refuseIn, underBrand } from './checkout-context.ts';
import { checkoutPath } from './checkout-path.ts';
import { checkoutState, closedPage, openPage, paidPage, waitingAnswer, waitingPage } from './checkout-responses.ts';
import { withLikelyCountry } from './form/likely-country.ts';
import { formAgain, formOf } from './form/read-fields.ts';
import { priceableForm } from './form/receive-form.ts';
import { endNotice } from './form/refusals.ts';
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
  if (isAskedByScript(request)) return waitingAnswer(state === awaitedState(request));
  if (state === 'open' && (deps.takesPayments() || !costsSomething(session))) return showForm(deps, request, session);
  const context = await underBrand(deps, contextOf(deps.env, request), session);
  if (state === 'processing' || state === 'at-processor')
    return unfinishedPage(deps, request, { context, session, state });
  if (state !== 'paid') return closedPage(context, session, state === 'open' ? 'unpayable' : state);
  const payment = await paymentOf(deps, session);
  return paidPage(context, session, payment, isBuyer(request, payment));
}

interface Unfinished {
  context: PageContext;
  session: CheckoutSession;
  state: 'processing' | 'at-processor';
}

/** The page of a payment that has begun and not ended. The browser that began it sees where it goes on. */
async function unfinishedPage(
  deps: ShowCheckoutPageDeps,
  request: PageRequest,
  { context, session, state }: Unfinished,
): Promise<Page> {
  const own = await ownPayment(deps, request, session);
  if (state === 'at-processor') return openPage(context, session, own);
  const isSlow = own !== null && takesItsTime(own, deps.now());
  return waitingPage(context, { isSlow, checkAt: checkoutPath(session.id, context.locale) });
}

/** The session's latest payment, if this browser began it; it has been read ahead. */
async function ownPayment(
  { payments }: ShowCheckoutPageDeps,
  request: PageRequest,
  { paymentId }: CheckoutSession,
): Promise<Payment | null> {
  if (paymentId === null || boughtPaymentId(request) !== paymentId) return null;
  const payment = await payments.find(paymentId);
  return payment && isBuyer(request, payment) ? payment : null;
}

/** The state that the open page shows while its script asks. */
const awaitedState = (request: PageRequest): Unfinished['state'] =>
  request.query('at') === 'processor' ? 'at-processor' : 'processing';

/** Reads the payment again when the row that was read ahead is older than the session's. */
async function paymentOf(
  { payments }: ShowCheckoutPageDeps,
  { paymentId, paymentStatus }: CheckoutSession,
): Promise<Payment> {
  const id = paymentId ?? '';
  const payment = await payments.find(id);
  return payment?.status === paymentStatus ? payment : payments.get(id);
}

/** The form, with the entries of the last payment for a buyer who comes back to try again, and why it failed. */
async function showForm(deps: ShowCheckoutPageDeps, request: PageRequest, session: CheckoutSession): Promise<Page> {
  const { locale } = contextOf(deps.env, request);
  const last = await lastAttempt(deps, session);
  const isOwn = last !== undefined && hasProvedToBeBuyer(request, last);
  const entries = isOwn ? formAgain(session, last, { locale, cards: deps.cards }) : formOf(session, locale);
  const form = await priceableForm(deps, request, session, withLikelyCountry(deps, request, entries));
  return formPage(deps, form, { faults: [], notice: last ? endNotice(last) : null });
}

/** The last payment, if it has ended without success. */
async function lastAttempt(
  { payments }: ShowCheckoutPageDeps,
  { paymentStatus, paymentId }: CheckoutSession,
): Promise<Payment | undefined> {
  const hasFailed = paymentStatus === 'failed' || paymentStatus === 'cancelled';
  return hasFailed && paymentId ? payments.find(paymentId) : undefined;
}
