import type { CheckoutSession } from '../domain/checkout/checkout-session.ts';
import { DomainError } from '../domain/errors.ts';
import type { Payment } from '../domain/payments/payment.ts';
import type { Page, PageRequest, PageRoute } from '../http/page.ts';
import { assertOwnForm } from '../pages/form-guard.ts';
import { seeOther } from '../pages/headers.ts';
import { layoutHeaders } from '../pages/layout.ts';
import { refuseIn } from '../pages/notices/refused-page.ts';
import { contextOf } from '../pages/page-context.ts';
import { keys } from '../store/keys.ts';
import { underBrand } from './checkout-context.ts';
import { checkoutPath, returnPath } from './checkout-path.ts';
import { maxFormBytes } from './form/checkout-form.ts';
import type { FormDeps } from './form/receive-form.ts';
import type { FormPageDeps } from './form-page.ts';
import { stepPage } from './views/at-processor/step-page.ts';

interface StepCheckoutPageDeps extends Pick<FormDeps, 'env' | 'sessions'>, Pick<FormPageDeps, 'brands'> {
  payments: { get: (id: string) => Promise<Payment> };
  readAhead: <Result>(rows: readonly ReturnType<typeof keys.session>[], act: () => Promise<Result>) => Promise<Result>;
}

/**
 * The page that plays the buyer's bank in a sandbox. A buyer confirms a payment, refuses it, or leaves the page. It
 * exists only for test money.
 */
export const stepCheckoutPage = (deps: StepCheckoutPageDeps): PageRoute => ({
  answer: (request) => deps.readAhead([keys.session(request.param('id')), keys.brands()], () => step(deps, request)),
  refuse: refuseIn(deps.env),
});

async function step(deps: StepCheckoutPageDeps, request: PageRequest): Promise<Page> {
  if (deps.env.stage() !== 'sandbox') throw new DomainError('NOT_FOUND', 'The sandbox alone has this page.');
  const session = await deps.sessions.get(request.param('id'));
  return request.method === 'POST' ? answerStep(deps, request, session) : showStep(deps, request, session);
}

async function showStep(deps: StepCheckoutPageDeps, request: PageRequest, session: CheckoutSession): Promise<Page> {
  const { locale } = contextOf(deps.env, request);
  if (session.paymentStatus !== 'requires_customer_action' || session.paymentId === null)
    return seeOther(checkoutPath(session.id, locale));
  const { gross: total, currency, payAt } = await deps.payments.get(session.paymentId);
  const context = await underBrand(deps, contextOf(deps.env, request), session);
  const { id: sessionId, formToken, returnUrl: formTarget } = session;
  // The address in the payment is used, because the page's language form drops other parameters.
  const asksToConfirm = payAt !== undefined && new URL(payAt.url).searchParams.get('step') === 'confirm';
  const body = stepPage(context, { sessionId, formToken, total, currency, asksToConfirm });
  return { statusCode: 200, headers: layoutHeaders(context.brand, { formTarget }), body };
}

function answerStep(deps: StepCheckoutPageDeps, request: PageRequest, session: CheckoutSession): Page {
  const form = new URLSearchParams(request.form(maxFormBytes));
  const token = form.get('token') ?? '';
  assertOwnForm({ headers: request.headers, publicUrl: deps.env.publicUrl(), token }, session);
  const { locale } = contextOf(deps.env, request);
  const outcome = form.get('step') === 'confirmed' ? 'confirmed' : 'refused';
  return seeOther(`${returnPath(session.id, locale)}&step=${outcome}`);
}
