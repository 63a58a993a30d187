import { normalizeEmail } from '../domain/checkout/buyer.ts';
import type { CheckoutSession } from '../domain/checkout/checkout-session.ts';
import { DomainError } from '../domain/errors.ts';
import type { Payment } from '../domain/payments/payment.ts';
import { buyerCookies, isBuyer, pressOf } from '../http/buyer-cookie.ts';
import type { Page, PageRequest, PageRoute } from '../http/page.ts';
import type { Locale } from '../pages/locale.ts';
import { refuseIn } from '../pages/notices/refused-page.ts';
import { contextOf, isAskedByScript } from '../pages/page-context.ts';
import { payCheckout } from '../use-cases/checkout/pay-checkout.ts';
import { paymentOfPress } from '../use-cases/checkout/payment-of-press.ts';
import { dropCode } from '../use-cases/discounts/enter-codes.ts';
import { payInput } from '../wire/checkout/checkout-json.ts';
import { checkoutPath } from './checkout-path.ts';
import { checkoutState, leadTo } from './checkout-responses.ts';
import { maxFormBytes, parseCheckoutForm } from './form/checkout-form.ts';
import { asksForSupply } from './form/consents.ts';
import { type CodedForm, withCodes } from './form/enter-code.ts';
import { withMarket } from './form/enter-market.ts';
import { submissionOf } from './form/read-form.ts';
import { type PricedForm, receiveForm } from './form/receive-form.ts';
import { adviceOf, endFaults, endNotice } from './form/refusals.ts';
import { isSameOrder } from './form/same-order.ts';
import { type FormPageDeps, formPage } from './form-page.ts';
import { heldByBrands, originOf, type PayByProgramDeps, paidRows, payByProgram } from './pay-by-program.ts';
import { returnAddress } from './views/receipt-page.ts';

interface PayCheckoutPageDeps extends FormPageDeps, PayByProgramDeps {
  sessions: FormPageDeps['sessions'] & PayByProgramDeps['sessions'];
}

/** The route that pays a session, for the page's form and for programs. */
export function payCheckoutPage(deps: PayCheckoutPageDeps): PageRoute {
  const input = payInput(deps.cards.map(({ number }) => number));
  return {
    answer: (request) => deps.readAhead(paidRows(request), () => answerForm(deps, request)),
    json: (request) => payByProgram(deps, input, request),
    refuse: refuseIn(deps.env),
  };
}

/** Pays the displayed total and redirects. An error is shown on the page. */
async function answerForm(deps: PayCheckoutPageDeps, request: PageRequest): Promise<Page> {
  const form = await receiveForm(deps, request, 'pay');
  if ('redirect' in form)
    return (await afterPress(deps, request)) ?? (await samePayment(deps, request)) ?? form.redirect;
  const ended = await paymentOfPress(deps, form.session, pressOf(request));
  const asked = { request, form };
  if (ended) return afterDecline(deps, asked, ended);
  try {
    const priced = await withMarket(deps, request, form);
    const coded = await withCodes(deps, priced.form);
    const isChanged = coded.isChanged || priced.isChanged;
    if (isChanged || coded.advice.faults.length > 0)
      return askedAgain(deps, { ...coded, isChanged, advice: { ...priced.advice, ...coded.advice } });
    return await payForm(deps, { request, form: coded.form });
  } catch (error) {
    return afterRefusal(deps, asked, error);
  }
}

/** The answer to a press that an earlier request has carried out, as if that answer had not been lost. */
async function afterPress(deps: PayCheckoutPageDeps, request: PageRequest): Promise<Page | undefined> {
  const press = pressOf(request);
  if (press === undefined) return undefined;
  const session = await deps.sessions.get(request.param('id'));
  const payment = await paymentOfPress(deps, session, press);
  const { locale } = contextOf(deps.env, request);
  return payment && leadOn(deps, request, { session, payment, locale });
}

/**
 * Shows the form again before paying, if the total has changed because of a typed code or another market, or if the
 * code was refused.
 */
const askedAgain = (deps: PayCheckoutPageDeps, { form, advice, isChanged }: CodedForm): Promise<Page> =>
  formPage(deps, form, isChanged ? { ...advice, payNews: [{ key: 'notice.total_changed' }] } : advice);

interface Asked {
  request: PageRequest;
  form: PricedForm;
}

async function payForm(deps: PayCheckoutPageDeps, asked: Asked): Promise<Page> {
  const { request, form } = asked;
  const reading = submissionOf(form);
  if ('advice' in reading) return formPage(deps, form, reading.advice);
  const brands = await deps.brands.get();
  const { supplyConsents, ...submission } = reading.submission;
  const payment = await payCheckout(deps, form, {
    ...submission,
    ...(asksForSupply(brands, form.context, form.session) && { supplyConsents }),
    press: pressOf(request),
    ...originOf(deps, request),
    ...heldByBrands(deps, brands, form.session, form.context.locale),
  });
  return payment.status === 'failed'
    ? afterDecline(deps, asked, payment)
    : leadOn(deps, request, { session: form.session, payment, locale: form.context.locale });
}

/**
 * Returns a second click to the same page of the processor, unless the buyer has changed something. It does so for the
 * browser that started the payment. It also does so for the same e-mail address, because an interrupted first click has
 * left no cookie.
 */
async function samePayment(deps: PayCheckoutPageDeps, request: PageRequest): Promise<Page | undefined> {
  const session = await deps.sessions.get(request.param('id'));
  if (session.paymentStatus !== 'requires_customer_action' || session.paymentId === null) return undefined;
  const payment = await deps.payments.get(session.paymentId);
  const form = parseCheckoutForm(request.form(maxFormBytes), 'pay');
  const isTheirs =
    isBuyer(request, payment) || normalizeEmail(form.buyer.email) === normalizeEmail(payment.customer.email);
  const { locale } = contextOf(deps.env, request);
  return payment.payAt && isTheirs && isSameOrder({ session, payment, locale }, form)
    ? leadTo(request, payment.payAt.url)
    : undefined;
}

/**
 * Redirects to the processor's page. After the payment, it redirects to the integrator's address, or otherwise to the
 * session's page.
 */
function leadOn(
  { env }: PayCheckoutPageDeps,
  request: PageRequest,
  { session, payment, locale }: { session: CheckoutSession; payment: Payment; locale: Locale },
): Page {
  const paid = payment.status === 'succeeded' ? returnAddress(session, payment, payment.customer.email) : null;
  const target = payment.payAt?.url ?? paid;
  return {
    ...leadTo(request, target ?? checkoutPath(session.id, locale)),
    cookies: buyerCookies(payment, env.publicUrl()),
  };
}

async function afterDecline(deps: PayCheckoutPageDeps, { request, form }: Asked, payment: Payment): Promise<Page> {
  const session = await deps.sessions.get(payment.sessionId);
  if (checkoutState(session, deps.now()) !== 'open')
    return leadTo(request, checkoutPath(session.id, form.context.locale));
  return formPage(deps, { ...form, session }, { faults: endFaults(payment), notice: endNotice(payment) });
}

/**
 * Shows the total without a code that can no longer be used, and lets the buyer confirm again. The message is the same
 * for every reason.
 */
async function afterRefusedCode(deps: PayCheckoutPageDeps, form: PricedForm, code: string): Promise<Page> {
  const session = await dropCode(deps, form.session.id, code);
  const payNews = [{ key: 'notice.code_refused', values: { code } }] as const;
  return formPage(deps, { ...form, session }, { faults: [], notice: null, payNews });
}

/**
 * Redirects to the page with the result, if another request has paid or ended the session. An earlier request of the
 * same press counts first, because it may have used up the code that this one sees refused.
 */
async function afterRefusal(deps: PayCheckoutPageDeps, { request, form }: Asked, error: unknown): Promise<Page> {
  if (!(error instanceof DomainError)) throw error;
  const repeated = await afterPress(deps, request);
  if (repeated) return repeated;
  // The script repeats the request by itself.
  if (error.code === 'SERVICE_UNAVAILABLE' && isAskedByScript(request)) throw error;
  const { session, context } = form;
  const isOver = error.code === 'CHECKOUT_SESSION_CONSUMED' || error.code === 'CHECKOUT_SESSION_EXPIRED';
  if (isOver) return leadTo(request, checkoutPath(session.id, context.locale));
  const { discountCode: code } = error.details;
  if (code !== undefined) return afterRefusedCode(deps, form, code);
  const advice = adviceOf(error, session, context.locale);
  if (!advice) throw error;
  return formPage(deps, form, advice);
}
