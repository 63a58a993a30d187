import { env } from '../../shared/env.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { checkTaxId, newId, now, paymentLists, products, randomText, sessions, site } from '../../shared/runtime.ts';
import { keys } from '../../shared/store/keys.ts';
import { createCheckoutSession } from '../../shared/use-cases/checkout/create-checkout-session.ts';
import { presentSessionCreated, SessionInput } from '../../shared/wire/checkout/checkout-session.ts';

const stores = { products: products(), sessions: sessions(), payments: paymentLists() };
const returnRules = { origins: env.merchant().returnOrigins, httpsOnly: env.stage() === 'live' };
const deps = { ...stores, checkTaxId, returnRules, now, newId, newToken: () => randomText(32) };
const shape = { body: SessionInput, present: presentSessionCreated(site()) };

const rowsOf = (cart: { productId: string }[]) => cart.map(({ productId }) => keys.product(productId));

/** POST /checkout-sessions/create, POST /checkouts */
export const handler = endpoint(
  { ...shape, access: 'write', idempotent: true, needs: ({ body }) => rowsOf(body.cart) },
  ({ body, claim }) => createCheckoutSession(deps, body, claim),
);
