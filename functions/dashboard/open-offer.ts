import { checkoutPath } from '../../shared/checkout-page/checkout-path.ts';
import { refusedPage, seeOther } from '../../shared/checkout-page/checkout-responses.ts';
import { DomainError } from '../../shared/domain/errors.ts';
import { env } from '../../shared/env.ts';
import { type PageRequest, page } from '../../shared/http/page.ts';
import { isSameOrigin } from '../../shared/pages/form-guard.ts';
import { type PageContext, pageContext } from '../../shared/pages/page-context.ts';
import { checkTaxId, newId, now, paymentLists, products, randomText, sessions } from '../../shared/runtime.ts';
import { createCheckoutSession } from '../../shared/use-cases/checkout/create-checkout-session.ts';

const stores = { products: products(), sessions: sessions(), payments: paymentLists() };
const returnRules = { origins: undefined, httpsOnly: true };
const deps = { ...stores, checkTaxId, returnRules, now, newId, newToken: () => randomText(32) };

const contextOf = (request: PageRequest): PageContext => pageContext(request, env.merchant(), env.stage());

const nothing = {
  customer: {},
  billing: {},
  taxId: null,
  businessName: null,
  returnUrl: null,
  cancelUrl: null,
  metadata: {},
};

/** POST /buy/{id}: a session for one unit, by the use case of the API; only from the page itself, and throttled by the gateway. */
export const handler = page(
  (refusal, request) => refusedPage(contextOf(request), refusal, request),
  async (request) => {
    if (!isSameOrigin(request.headers, env.publicUrl()))
      throw new DomainError('FORBIDDEN', 'This form does not come from the page of its product.');
    const cart = [{ productId: request.param('id'), quantity: 1, amount: null }];
    const session = await createCheckoutSession(deps, { cart, fields: nothing, currency: null }, () => []);
    return seeOther(checkoutPath(session.id, contextOf(request).locale));
  },
);
