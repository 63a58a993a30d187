import { keys } from '../../shared/store/keys.ts';
import { presentSession } from '../../shared/wire/checkout/checkout-session.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { now, sessions, site } from '../../shared/wiring/runtime.ts';

const deps = { sessions: sessions() };

/** GET /checkout-sessions/{id}, GET /checkouts/{id} */
export const handler = endpoint(
  { access: 'read', needs: ({ param }) => [keys.session(param('id'))], present: presentSession(site(), now) },
  ({ param }) => deps.sessions.get(param('id')),
);
