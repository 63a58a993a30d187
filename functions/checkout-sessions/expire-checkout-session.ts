import { keys } from '../../shared/store/keys.ts';
import { endCheckout } from '../../shared/use-cases/checkout/expire-checkout.ts';
import { presentSession } from '../../shared/wire/checkout/checkout-session.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { expiries, newId, now, sessions, site } from '../../shared/wiring/runtime.ts';

const deps = { sessions: sessions(), expiries: expiries(), now, newId };

/** POST /checkout-sessions/{id}/expire, POST /checkouts/{id}/expire */
export const handler = endpoint(
  {
    access: 'write',
    idempotent: true,
    needs: ({ param }) => [keys.session(param('id'))],
    present: presentSession(site(), now),
  },
  ({ param, claim }) => endCheckout(deps, param('id'), claim),
);
