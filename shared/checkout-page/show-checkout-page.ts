import { type CheckoutSession, costsSomething } from '../domain/checkout/checkout-session.ts';
import { takesItsTime } from '../domain/payments/charge.ts';
import type { Payment } from '../domain/payments/payment.ts';
import { boughtPaymentId, browserCookie, hasBrowserName, isBuyer } from '../http/buyer-cookie.ts';
import type { Page, PageRequest, PageRoute } from '../http/page.ts';
import { refuseIn } from '../pages/notices/refused-page.ts';
import { contextOf, isAskedByScript, type PageContext } from '../pages/page-context.ts';
import { keys, type RowKey } from '../store/keys.ts';
import type { ChangeMarketDeps } from '../use-cases/checkout/change-market.ts';
import { underBrand } from './checkout-context.ts';
import { checkoutPath } from './checkout-path.ts';
import { checkoutState, closedPage, openPage, paidPage, waitingAnswer, waitingPage } from './checkout-responses.ts';
import { linkedCodeFaults, withLinkedCode } from './form/enter-code.ts';
import { inLikelyMarket } from './form/enter-market.ts';
import { withLikelyCountry } from './form/likely-country.ts';
import { formAgain, formOf } from './form/read-fields.ts';
import { priceableForm } from './form/receive-form.ts';
import { endNotice } from './form/refusals.ts';
import { type FormPageDeps, formPage } from './form-page.ts';

interface ShowCheckoutPageDeps extends FormPageDeps, ChangeMarketDeps {
  sessions: FormPageDeps['sessions'] & {
    getWithPayment: (id: string) => Promise<{ session: CheckoutSession; payment: Payment | undefined }>;
  };
  payments: { find: (id: string) => Promise<Payment | undefined>; get: (id: string) => Promise<Payment> };
  /** Whether payments are possible. If not, the page asks for no data. */
  takesPayments: () => boolean;
  /** The link of the order page of a payment. */
  orderUrl: (payment: Payment) => Promise<string>;
  /** A generator of random letters and digits. */
  randomText: (length: number) => string;
}

/** The page of a session: its form, the wait for its payment, its receipt, or the reason why it has ended. */
export const showCheckoutPage = (deps: ShowCheckoutPageDeps): PageRoute => ({
  answer: (request) => deps.readAhead(rowsOf(request), () => show(deps, request)),
  refuse: refuseIn(deps.env),
});

/**
 * The rows to read: the session, and also its payment for the browser that paid, or the tax rules for other browsers. A
 * request by the script shows no page, so it needs only the session.
 */
function rowsOf(request: PageRequest): RowKey[] {
  const session = keys.session(request.param('id'));
  const paymentId = boughtPaymentId(request);
  const payment = paymentId ? [keys.payment(paymentId)] : [];
  if (isAskedByScript(request)) return [session, ...payment];
  return [session, keys.brands(), ...(paymentId ? payment : [keys.taxRules()])];
}

async function show(deps: ShowCheckoutPageDeps, request: PageRequest): Promise<Page> {
  const { session, payment: known } = await deps.sessions.getWithPayment(request.param('id'));
  const state = checkoutState(session, deps.now());
  if (isAskedByScript(request)) return waitingAnswer(state === awaitedState(request));
  if (state === 'open' && (deps.takesPayments() || !costsSomething(session))) return showForm(deps, request, session);
  const context = await underBrand(deps, contextOf(deps.env, request), session);
  if (state === 'processing' || state === 'at-processor')
    return unfinishedPage(deps, request, { context, session, state, payment: known });
  if (state !== 'paid') return closedPage(context, session, state === 'open' ? 'unpayable' : state);
  const payment = known ?? (await paymentOf(deps, session));
  return paidPage(context, session, payment, await ownOrderUrl(deps, request, payment));
}

/** The link of the order page; null in a browser that did not pay. */
const ownOrderUrl = async (
  { orderUrl }: ShowCheckoutPageDeps,
  request: PageRequest,
  payment: Payment,
): Promise<string | null> => (isBuyer(request, payment) ? orderUrl(payment) : null);

interface Unfinished {
  context: PageContext;
  session: CheckoutSession;
  state: 'processing' | 'at-processor';
  payment: Payment | undefined;
}

/** The page of a payment that has not ended yet. The browser that started it gets a link to continue. */
function unfinishedPage(
  deps: Pick<ShowCheckoutPageDeps, 'now'>,
  request: PageRequest,
  { context, session, state, payment }: Unfinished,
): Page {
  const own = payment && isBuyer(request, payment) ? payment : null;
  if (state === 'at-processor') return openPage(context, session, own);
  const isSlow = own !== null && takesItsTime(own, deps.now());
  return waitingPage(context, { isSlow, checkAt: checkoutPath(session.id, context.locale) });
}

/** The state that the open page shows while its script asks for a newer one. */
const awaitedState = (request: PageRequest): Unfinished['state'] =>
  request.query('at') === 'processor' ? 'at-processor' : 'processing';

/** The payment of a session. If it was read before the session's row was written, it is read again. */
async function paymentOf(
  { payments }: ShowCheckoutPageDeps,
  { paymentId, paymentStatus }: CheckoutSession,
): Promise<Payment> {
  const id = paymentId ?? '';
  const payment = await payments.find(id);
  return payment?.status === paymentStatus ? payment : payments.get(id);
}

/** Shows the form. If a payment has failed, the form has the buyer's old entries and the reason of the failure. */
async function showForm(deps: ShowCheckoutPageDeps, request: PageRequest, opened: CheckoutSession): Promise<Page> {
  const session = await inLikelyMarket(deps, request, opened);
  const { locale } = contextOf(deps.env, request);
  const last = await lastAttempt(deps, session);
  const isOwn = last !== undefined && isBuyer(request, last);
  const entries = isOwn
    ? formAgain(session, last, { locale, cards: deps.cards })
    : withLinkedCode(session, formOf(session, locale));
  const form = await priceableForm(deps, request, session, withLikelyCountry(deps, request, entries));
  const faults = isOwn ? [] : linkedCodeFaults(session, form.context.locale);
  const page = await formPage(deps, form, { faults, notice: last ? endNotice(last) : null });
  return hasBrowserName(request) ? page : named(deps, page);
}

const nameLength = 21;

const named = ({ randomText, env }: ShowCheckoutPageDeps, page: Page): Page => ({
  ...page,
  cookies: [...(page.cookies ?? []), browserCookie(randomText(nameLength), env.publicUrl())],
});

/** The last payment, if it has ended without success. */
async function lastAttempt(
  { payments }: ShowCheckoutPageDeps,
  { paymentStatus, paymentId }: CheckoutSession,
): Promise<Payment | undefined> {
  const hasFailed = paymentStatus === 'failed' || paymentStatus === 'cancelled';
  return hasFailed && paymentId ? payments.find(paymentId) : undefined;
}
