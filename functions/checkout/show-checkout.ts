import {
  checkoutState,
  closedPage,
  paidPage,
  refusedPage,
  reviewedPage,
  waitingAnswer,
} from '../../shared/checkout-page/checkout-responses.ts';
import type { Advice } from '../../shared/checkout-page/form/faults.ts';
import { placesOf } from '../../shared/checkout-page/form/places.ts';
import { formOf } from '../../shared/checkout-page/form/read-fields.ts';
import { fillCheckout } from '../../shared/checkout-page/form/read-form.ts';
import { declineNotice } from '../../shared/checkout-page/form/refusals.ts';
import { shownBrand } from '../../shared/domain/catalogue/brand.ts';
import type { CheckoutSession } from '../../shared/domain/checkout/checkout-session.ts';
import type { Payment } from '../../shared/domain/payments/payment.ts';
import { env } from '../../shared/env.ts';
import { type Page, type PageRequest, page } from '../../shared/http/page.ts';
import { boughtPaymentId, isBuyer } from '../../shared/pages/buyer-cookie.ts';
import { branded, isAskedByScript, type PageContext, pageContext } from '../../shared/pages/page-context.ts';
import { testCards } from '../../shared/processor/sandbox.ts';
import { brands, checkTaxId, now, payments, readAhead, sessions, taxSettings } from '../../shared/runtime.ts';
import { keys, type RowKey } from '../../shared/store/keys.ts';
import { countries } from '../../shared/tax/places/countries.ts';
import { findRegion, regionsOf } from '../../shared/tax/places/regions.ts';
import { needsPostalCode } from '../../shared/tax/places/territories.ts';
import * as taxId from '../../shared/tax/tax-ids/tax-id.ts';
import { reviewCheckout } from '../../shared/use-cases/checkout/review-checkout.ts';

const deps = { sessions: sessions(), payments: payments(), brands: brands(), checkTaxId, now };
const placeRules = { countries, regionsOf, findRegion, needsPostalCode, checkTaxId: taxId.checkTaxId };

const contextOf = (request: PageRequest): PageContext => pageContext(request, env.merchant(), env.stage());

/** GET /checkout/{id} */
export const handler = page(
  (refusal, request) => refusedPage(contextOf(request), refusal, request),
  (request) => readAhead(rowsOf(request), () => show(request)),
);

/** The page that waits looks at the session only; the browser that paid comes back for its receipt, any other one to fill in the form. */
function rowsOf(request: PageRequest): RowKey[] {
  const session = keys.session(request.param('id'));
  if (isAskedByScript(request)) return [session];
  const paymentId = boughtPaymentId(request);
  return [session, keys.brands(), paymentId ? keys.payment(paymentId) : keys.taxRules()];
}

async function show(request: PageRequest): Promise<Page> {
  const session = await deps.sessions.get(request.param('id'));
  const state = checkoutState(session, now());
  if (isAskedByScript(request)) return waitingAnswer(state);
  const context = branded(contextOf(request), shownBrand(await deps.brands.get(), session.brandId));
  if (state === 'open') return openPage(context, session);
  if (state !== 'paid') return closedPage(context, session, state);
  const payment = await paymentOf(session);
  return paidPage(context, session, payment, isBuyer(request, payment));
}

/** Read together with its session, a payment may be seen as it was an instant earlier; then it is read again. */
async function paymentOf({ paymentId, paymentStatus }: CheckoutSession): Promise<Payment> {
  const id = paymentId ?? '';
  const payment = await deps.payments.find(id);
  return payment?.status === paymentStatus ? payment : deps.payments.get(id);
}

async function openPage(context: PageContext, session: CheckoutSession): Promise<Page> {
  const settings = await taxSettings();
  const places = placesOf(placeRules, settings.overrides);
  const cards = context.isSandbox ? testCards : [];
  const filled = fillCheckout({ context, session, form: formOf(session, context.locale), places, cards });
  return reviewedPage(filled, await lastAttempt(session), (draft) =>
    reviewCheckout({ ...deps, taxSettings: async () => settings }, session, draft),
  );
}

/** Why the payment before this one failed, for a buyer who comes back to try again. */
async function lastAttempt({ paymentStatus, paymentId }: CheckoutSession): Promise<Advice> {
  const failed = paymentStatus === 'failed' && paymentId ? await deps.payments.find(paymentId) : undefined;
  return { faults: [], notice: failed ? declineNotice(failed.errorCode) : null };
}
