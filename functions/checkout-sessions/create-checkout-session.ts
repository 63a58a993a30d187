import { env } from '../../shared/env.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { checkTaxId, newId, now, paymentLists, products, randomText, sessions, site } from '../../shared/runtime.ts';
import { keys } from '../../shared/store/keys.ts';
import { createCheckoutSession } from '../../shared/use-cases/checkout/create-checkout-session.ts';
import { presentSessionCreated, SessionInput } from '../../shared/wire/checkout/checkout-session.ts';

const deps = {
  products: products(),
  sessions: sessions(),
  payments: paymentLists(),
  checkTaxId,
  returnRules: { origins: env.merchant().returnOrigins, httpsOnly: env.stage() === 'live' },
  now,
  newId,
  newToken: () => randomText(32),
};

/** POST /checkout-sessions/create, POST /checkouts */
export const handler = endpoint(
  {
    access: 'write',
    body: SessionInput,
    idempotent: true,
    needs: ({ body }) => body.cart.map(({ productId }) => keys.product(productId)),
    present: presentSessionCreated(site()),
  },
  ({ body, claim }) => createCheckoutSession(deps, body, claim),
);
