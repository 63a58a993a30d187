import { env } from '../../shared/env.ts';
import { hashApiKey } from '../../shared/http/api-key.ts';
import { portalSessionMailComposer } from '../../shared/portal/portal-mail.ts';
import { keys } from '../../shared/store/keys.ts';
import { createPortalSession, portalSessionAgain } from '../../shared/use-cases/portal/create-portal-session.ts';
import { PortalSessionQuery, presentPortalSession } from '../../shared/wire/customers/portal-session.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { mailer } from '../../shared/wiring/mailer.ts';
import * as runtime from '../../shared/wiring/runtime.ts';
import { returnRules } from '../../shared/wiring/selling.ts';

const merchant = env.merchant();
const deps = {
  customers: runtime.customers(),
  payments: { ...runtime.payments(), ...runtime.paymentLists() },
  portals: runtime.portals(),
  throttles: runtime.throttles(),
  mailer: mailer(),
  compose: portalSessionMailComposer({
    merchant,
    from: merchant.receipts?.from,
    isSandbox: env.stage() === 'sandbox',
  }),
  returnRules: returnRules(),
  newId: runtime.newId,
  stackSecret: runtime.stackSecret,
  hashOf: hashApiKey,
  publicUrl: env.publicUrl(),
  now: runtime.now,
};

/** POST /customers/{customer_id}/customer-portal/session */
export const handler = endpoint(
  {
    query: PortalSessionQuery,
    present: presentPortalSession,
    access: 'write',
    idempotent: true,
    continuation: { started: ({ id }) => id, resume: (id) => portalSessionAgain(deps, id), isSecret: true },
    needs: ({ param }) => [keys.customer(param('customer_id'))],
  },
  ({ param, query, claim }) => createPortalSession(deps, { ...query, customerId: param('customer_id') }, claim),
);
