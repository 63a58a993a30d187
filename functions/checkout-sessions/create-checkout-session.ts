import { env } from '../../shared/env.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import * as runtime from '../../shared/runtime.ts';
import { keys } from '../../shared/store/keys.ts';
import { createCheckoutSession } from '../../shared/use-cases/checkout/create-checkout-session.ts';
import { presentSessionCreated, SessionInput } from '../../shared/wire/checkout/checkout-session.ts';

const stores = { products: runtime.products(), sessions: runtime.sessions(), payments: runtime.paymentLists() };
const { checkTaxId, takesPayments, now, newId, randomText } = runtime;
const returnRules = { origins: env.merchant().returnOrigins, httpsOnly: env.stage() === 'live' };
const deps = { ...stores, checkTaxId, returnRules, takesPayments, now, newId, newToken: () => randomText(32) };
const shape = { body: SessionInput, present: presentSessionCreated(runtime.site()) };
const rowsOf = (cart: { productId: string }[]) => cart.map(({ productId }) => keys.product(productId));
const rules = { access: 'write', idempotent: true } as const;

/** POST /checkout-sessions/create, POST /checkouts */
export const handler = endpoint({ ...shape, ...rules, needs: ({ body }) => rowsOf(body.cart) }, ({ body, claim }) =>
  createCheckoutSession(deps, body, claim),
);
