import type { CheckoutSession } from '../domain/checkout/checkout-session.ts';
import { DomainError } from '../domain/errors.ts';
import { isBuyer } from '../http/buyer-cookie.ts';
import type { PageRequest, PageRoute } from '../http/page.ts';
import { assertOwnForm } from '../pages/form-guard.ts';
import { seeOther } from '../pages/headers.ts';
import { refuseIn } from '../pages/notices/refused-page.ts';
import { contextOf } from '../pages/page-context.ts';
import { keys } from '../store/keys.ts';
import { type ClosePaymentDeps, closePayment } from '../use-cases/payments/settle-payment.ts';
import { checkoutPath } from './checkout-path.ts';
import { maxFormBytes } from './form/checkout-form.ts';
import type { FormDeps } from './form/receive-form.ts';

interface ChangeCheckoutPageDeps extends ClosePaymentDeps, Pick<FormDeps, 'env'> {
  readAhead: <Result>(rows: readonly ReturnType<typeof keys.session>[], act: () => Promise<Result>) => Promise<Result>;
}

/**
 * Ends a payment that is open at the processor, so that the buyer can change the order. Only the browser that started
 * the payment can do so, because others may know the session's address. The session's page shows the result.
 */
export const changeCheckoutPage = (deps: ChangeCheckoutPageDeps): PageRoute => ({
  answer: (request) => deps.readAhead([keys.session(request.param('id'))], () => change(deps, request)),
  refuse: refuseIn(deps.env),
});

async function change(deps: ChangeCheckoutPageDeps, request: PageRequest) {
  const token = new URLSearchParams(request.form(maxFormBytes)).get('token') ?? '';
  const session = await deps.sessions.get(request.param('id'));
  assertOwnForm({ headers: request.headers, publicUrl: deps.env.publicUrl(), token }, session);
  const { locale } = contextOf(deps.env, request);
  const paymentId = await ownOpenPayment(deps, request, session);
  if (paymentId) await closePayment(deps, paymentId).catch(toUnavailable);
  return seeOther(checkoutPath(session.id, locale));
}

/** The open payment of a session. Undefined for a browser that did not start it. */
async function ownOpenPayment(
  { payments }: Pick<ChangeCheckoutPageDeps, 'payments'>,
  request: PageRequest,
  { paymentId, paymentStatus }: CheckoutSession,
): Promise<string | undefined> {
  if (paymentStatus !== 'requires_customer_action' || paymentId === null) return undefined;
  return isBuyer(request, await payments.get(paymentId)) ? paymentId : undefined;
}

/** Throws if the processor cannot be reached. The payment then stays open, and the buyer can try again. */
function toUnavailable(cause: unknown): never {
  if (cause instanceof DomainError) throw cause;
  throw new DomainError('SERVICE_UNAVAILABLE', 'The processor cannot be asked now.', { cause });
}
