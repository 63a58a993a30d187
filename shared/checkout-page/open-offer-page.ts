import { DomainError } from '../domain/errors.ts';
import type { Page, PageRequest, PageRoute } from '../http/page.ts';
import { isSameOrigin } from '../pages/form-guard.ts';
import { seeOther } from '../pages/headers.ts';
import { refuseIn } from '../pages/notices/refused-page.ts';
import { contextOf } from '../pages/page-context.ts';
import {
  type CreateCheckoutSessionDeps,
  createCheckoutSession,
} from '../use-cases/checkout/create-checkout-session.ts';
import type { EnterCodesDeps } from '../use-cases/discounts/enter-codes.ts';
import { written } from '../use-cases/written.ts';
import type { CheckoutEnvironment } from './checkout-context.ts';
import { checkoutPath } from './checkout-path.ts';
import { applyLinkedCode } from './form/enter-code.ts';
import { offerParameters } from './form/offer-parameters.ts';

interface OpenOfferPageDeps extends Omit<CreateCheckoutSessionDeps, 'isSoldTo'> {
  env: CheckoutEnvironment;
  sessions: CreateCheckoutSessionDeps['sessions'] & EnterCodesDeps['sessions'];
}

/**
 * Opens a session from a product's page, like the API does. It accepts only a form from that page, and only the
 * parameters of its link. A return address must have an origin in the merchant's configuration, because anyone can
 * write a link. The gateway limits the rate.
 */
export const openOfferPage = (deps: OpenOfferPageDeps): PageRoute => ({
  answer: (request) => openOffer(deps, request),
  refuse: refuseIn(deps.env),
});

const noFields = {
  customer: {},
  billing: {},
  taxId: null,
  businessName: null,
  cancelUrl: null,
  metadata: {},
};

async function openOffer(deps: OpenOfferPageDeps, request: PageRequest): Promise<Page> {
  if (!isSameOrigin(request.headers, deps.env.publicUrl()))
    throw new DomainError('FORBIDDEN', 'This form does not come from the product’s page.');
  const { quantity, amount, email, return_url: returnUrl = null, discount } = offerParameters(request).link;
  const wish = amount === undefined ? undefined : { amount };
  const cart = [{ productId: request.param('id'), quantity, amount: null, wish, adjustable: 'as_product' as const }];
  const fields = { ...noFields, customer: email ? { email } : {}, returnUrl };
  // The country is not known yet, so no country is refused.
  const isSoldTo = async () => true;
  const sessionRequest = { cart, fields, currency: null };
  const session = await createCheckoutSession({ ...deps, isSoldTo }, sessionRequest, () => []);
  if (discount) await applyLinkedCode(deps, written(session), discount);
  return seeOther(checkoutPath(session.id, contextOf(deps.env, request).locale));
}
