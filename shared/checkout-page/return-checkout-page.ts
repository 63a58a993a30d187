import type { CheckoutSession } from '../domain/checkout/checkout-session.ts';
import { takesItsTime } from '../domain/payments/charge.ts';
import type { Payment } from '../domain/payments/payment.ts';
import { isBuyer } from '../http/buyer-cookie.ts';
import type { Page, PageRequest, PageRoute } from '../http/page.ts';
import { refuseIn } from '../pages/notices/refused-page.ts';
import { contextOf, isAskedByScript } from '../pages/page-context.ts';
import { keys } from '../store/keys.ts';
import { type SettlePaymentDeps, tryToContinue } from '../use-cases/payments/settle-payment.ts';
import { underBrand } from './checkout-context.ts';
import { checkoutPath, returnPath } from './checkout-path.ts';
import { leadTo, waitingAnswer, waitingPage } from './checkout-responses.ts';
import type { FormDeps } from './form/receive-form.ts';
import type { FormPageDeps } from './form-page.ts';
import { returnAddress } from './views/receipt-page.ts';

interface ReturnCheckoutPageDeps extends SettlePaymentDeps, Pick<FormDeps, 'env'>, Pick<FormPageDeps, 'brands'> {
  readAhead: <Result>(rows: readonly ReturnType<typeof keys.session>[], act: () => Promise<Result>) => Promise<Result>;
}

/** The page to which the processor sends buyers back. It asks the processor for the payment's state, then redirects. */
export const returnCheckoutPage = (deps: ReturnCheckoutPageDeps): PageRoute => ({
  answer: (request) =>
    deps.readAhead([keys.session(request.param('id')), keys.brands()], () => comeBack(deps, request)),
  refuse: refuseIn(deps.env),
});

async function comeBack(deps: ReturnCheckoutPageDeps, request: PageRequest): Promise<Page> {
  const session = await deps.sessions.get(request.param('id'));
  const { locale } = contextOf(deps.env, request);
  if (session.paymentId === null) return leadTo(request, checkoutPath(session.id, locale));
  const started = await deps.payments.get(session.paymentId);
  const payment =
    started.status === 'processing' ? await settleNow(deps, request, { payment: started, session }) : started;
  if (payment.status === 'processing' && !payment.payAt) return wait(deps, request, session, payment);
  return leadTo(request, addressAfter(request, session, payment) ?? checkoutPath(session.id, locale));
}

const settleNow = (
  deps: SettlePaymentDeps,
  request: PageRequest,
  known: { payment: Payment; session: CheckoutSession },
) => tryToContinue(deps, known, request.queryParameters);

/** The integrator's address after payment. The e-mail is added only for the browser that paid. */
const addressAfter = (request: PageRequest, session: CheckoutSession, payment: Payment): string | null =>
  payment.status === 'succeeded'
    ? returnAddress(session, payment, isBuyer(request, payment) ? payment.customer.email : undefined)
    : null;

/** Waits for the result if it comes soon. Otherwise shows that the payment method takes days. */
async function wait(
  deps: ReturnCheckoutPageDeps,
  request: PageRequest,
  session: CheckoutSession,
  payment: Payment,
): Promise<Page> {
  const isSlow = takesItsTime(payment, deps.now());
  if (isAskedByScript(request)) return waitingAnswer(!isSlow);
  const context = await underBrand(deps, contextOf(deps.env, request), session);
  const { locale } = context;
  return waitingPage(context, { isSlow, checkAt: (isSlow ? checkoutPath : returnPath)(session.id, locale) });
}
