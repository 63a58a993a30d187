import { endpoint } from '../../shared/http/endpoint.ts';
import { now, sessions, site } from '../../shared/runtime.ts';
import { presentSession } from '../../shared/wire/checkout-session.ts';

const deps = { sessions: sessions() };

/** GET /checkout-sessions/{id}, GET /checkouts/{id} */
export const handler = endpoint({ access: 'read', present: presentSession(site(), now) }, ({ param }) =>
  deps.sessions.get(param('id')),
);
