import { type CheckoutSession, isExhausted, sessionStatus } from '../domain/checkout/checkout-session.ts';
import type { CheckoutDraft } from '../domain/checkout/submission.ts';
import type { Payment } from '../domain/payments/payment.ts';
import type { Page, PageRequest } from '../http/page.ts';
import { pageHeaders, seeOther } from '../pages/headers.ts';
import { layoutHeaders } from '../pages/layout.ts';
import { noticePage } from '../pages/notices/notice-page.ts';
import { isAskedByScript, type PageContext } from '../pages/page-context.ts';
import type { CheckoutReview } from '../use-cases/checkout/review-checkout.ts';
import { offerPath } from './checkout-path.ts';
import type { CheckoutForm } from './form/checkout-form.ts';
import type { Advice, FieldMessage } from './form/faults.ts';
import type { FilledCheckout } from './form/read-form.ts';
import { adviceOf } from './form/refusals.ts';
import { openPaymentPage } from './views/at-processor/open-payment-page.ts';
import { checkoutPage } from './views/checkout-page.ts';
import { type CheckoutView, checkoutView } from './views/present-checkout.ts';
import { processingPage, type WaitingView } from './views/processing-page.ts';
import { receiptPage, receiptView } from './views/receipt-page.ts';

type CheckoutState = 'open' | 'processing' | 'at-processor' | 'paid' | 'expired' | 'exhausted';

/** Chooses the page of a session by its state. */
export function checkoutState(session: CheckoutSession, now: Date): CheckoutState {
  if (session.status === 'completed') return 'paid';
  if (session.paymentStatus === 'processing') return 'processing';
  if (session.paymentStatus === 'requires_customer_action') return 'at-processor';
  if (sessionStatus(session, now) === 'expired') return 'expired';
  return isExhausted(session) ? 'exhausted' : 'open';
}

/** The page that is shown until the processor has answered. */
export const waitingPage = (context: PageContext, view: WaitingView): Page =>
  answer(context, 200, processingPage(context, view));

/**
 * The page of a session whose payment is open at the processor. Only the browser that started the payment can continue
 * it.
 */
export function openPage(
  context: PageContext,
  { id: sessionId, formToken }: CheckoutSession,
  own: Payment | null,
): Page {
  const { payAt, gross: total = 0, currency = '' } = own ?? {};
  const view = { sessionId, formToken, own: payAt ? { total, currency, url: payAt.url } : null };
  return answer(context, 200, openPaymentPage(context, view));
}

/** The page of a session that cannot be paid: it has ended, or the merchant has no processor. */
export function closedPage(
  context: PageContext,
  session: CheckoutSession,
  state: 'expired' | 'exhausted' | 'unpayable',
): Page {
  if (state === 'unpayable') return answer(context, 403, noticePage(context, state, { cancelUrl: session.cancelUrl }));
  const cancelUrl = session.cancelUrl ?? session.returnUrl;
  return answer(context, 410, noticePage(context, state, cancelUrl ? { cancelUrl } : offersOf(context, session)));
}

/**
 * The pages of the products in a session. They are used as the way back if the integrator has set no return address.
 */
const offersOf = ({ locale }: PageContext, { lines }: CheckoutSession) => ({
  offers: lines.map(({ productId, name }) => ({ name, url: offerPath(productId, locale) })),
});

/** The page of a product that is no longer sold. */
export const unavailablePage = (context: PageContext): Page => answer(context, 410, noticePage(context, 'unavailable'));

/** @param orderUrl the link of the order page, for the buyer; null for others */
export function paidPage(
  context: PageContext,
  session: CheckoutSession,
  payment: Payment,
  orderUrl: string | null,
): Page {
  const view = receiptView(context, session, payment, orderUrl);
  const images = view.lines.map(({ image }) => image);
  return { statusCode: 200, headers: layoutHeaders(context.brand, { images }), body: receiptPage(view) };
}

const answer = ({ brand }: PageContext, statusCode: number, body: string): Page => ({
  statusCode,
  headers: layoutHeaders(brand),
  body,
});

/**
 * Redirects the browser. For a request by htmx, this needs a special header. Otherwise htmx would put the new page into
 * the open one.
 */
export const leadTo = (request: PageRequest, location: string): Page =>
  isAskedByScript(request)
    ? { statusCode: 200, headers: { ...pageHeaders(), 'hx-redirect': location }, body: '' }
    : seeOther(location);

/** Answers a waiting page: it keeps waiting, or it reloads. */
export const waitingAnswer = (isStillWaiting: boolean): Page =>
  isStillWaiting
    ? { statusCode: 204, headers: pageHeaders(), body: '' }
    : { statusCode: 200, headers: { ...pageHeaders(), 'hx-refresh': 'true' }, body: '' };

/** The form with the price for the current entries. If the tax id was refused, the price is that of a consumer. */
export async function reviewedPage(
  filled: FilledCheckout & { asksForSupply: boolean; payOrigins?: readonly string[] },
  { faults, notice, ...told }: Advice,
  review: (draft: CheckoutDraft) => Promise<CheckoutReview>,
): Promise<Page> {
  const { session, form, buyer, read, ordered, context } = filled;
  const billing = ordered.faults.length > 0 ? null : filled.billing;
  const draft = { amounts: read.amounts, quantities: ordered.quantities, billing, taxId: buyer.tax_id || null };
  const reviewed = await review(draft);
  const { problem } = reviewed;
  const found = problem && adviceOf(problem, session, context.locale);
  if (problem && !found) throw problem;
  const priced = problem?.code === 'INVALID_TAX_ID' ? await review({ ...draft, taxId: null }) : reviewed;
  const own = { faults: [...filled.faults, ...faults], notice };
  const merged = merge(own, found ?? { faults: [], notice: null }, form.action === 'pay');
  const advice = { ...told, ...merged, payNews: payNewsOf(priced, form, told) };
  const view = withKnownTotal(checkoutView({ ...filled, advice, review: priced }));
  return checkoutAnswer(view, { session, isRefused: form.action === 'pay', payOrigins: filled.payOrigins ?? [] });
}

/** What stands beside the Pay button. If its words have changed, it also says whether the total has changed. */
function payNewsOf(
  { priced }: CheckoutReview,
  { expectedTotal }: CheckoutForm,
  { payNews = [] }: Partial<Advice>,
): readonly FieldMessage[] {
  const isOther =
    payNews.some(({ key }) => key === 'notice.pay_label') && priced && priced.quote.gross !== expectedTotal;
  return isOther ? [{ key: 'notice.total_changed' }, ...payNews] : payNews;
}

/**
 * Makes the message beside the Pay button name the total if the page shows one. Otherwise it says that the total is not
 * known, unless an error says why.
 */
function withKnownTotal(view: CheckoutView): CheckoutView {
  const { payNews = [], faults, totals } = view;
  const isAboutTotal = ({ key }: FieldMessage) => key === 'notice.total_changed' || key === 'notice.total_unknown';
  const key = totals.total === null ? 'notice.total_unknown' : 'notice.total_changed';
  const others = payNews.filter((news) => !isAboutTotal(news));
  const isTold = others.length < payNews.length && (totals.total !== null || faults.length === 0);
  return { ...view, payNews: isTold ? [{ key }, ...others] : others };
}

/** Combines two lists of messages. Missing fields are reported only when the buyer presses Pay. */
function merge(own: Advice, found: Advice, tellsMissing: boolean): Advice {
  const named = new Set(own.faults.map(({ field }) => field));
  const added = found.faults.filter(
    ({ field, key }) => !named.has(field) && (tellsMissing || !key.endsWith('.missing')),
  );
  return { faults: [...own.faults, ...added], notice: own.notice ?? found.notice };
}

interface CheckoutAnswer {
  session: CheckoutSession;
  isRefused: boolean;
  payOrigins: readonly string[];
}

function checkoutAnswer(view: CheckoutView, { session, isRefused, payOrigins }: CheckoutAnswer): Page {
  const images = view.lines.map(({ image }) => image);
  return {
    statusCode: isRefused ? 422 : 200,
    headers: layoutHeaders(view.brand, { formTarget: session.returnUrl, formOrigins: payOrigins, images }),
    body: checkoutPage(view),
  };
}
