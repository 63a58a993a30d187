import { keys } from '../../shared/store/keys.ts';
import { soldTo } from '../../shared/tax/supported-countries.ts';
import { createCheckoutSession, neededRows } from '../../shared/use-cases/checkout/create-checkout-session.ts';
import { presentSessionCreated, SessionInput } from '../../shared/wire/checkout/checkout-session.ts';
import { loadCodes } from '../../shared/wiring/discounts.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { leniency } from '../../shared/wiring/leniency.ts';
import { checkTaxId } from '../../shared/wiring/registers.ts';
import * as runtime from '../../shared/wiring/runtime.ts';
import * as selling from '../../shared/wiring/selling.ts';

const deps = {
  products: runtime.products(),
  entitlements: runtime.entitlements(),
  offers: runtime.offers(),
  sessions: runtime.sessions(),
  customers: runtime.customers(),
  payments: runtime.paymentLists(),
  loadCodes,
  returnRules: selling.returnRules(),
  isSoldTo: soldTo(selling.taxSettings, runtime.now),
  checkTaxId,
  takesPayments: selling.takesPayments,
  chargeLimits: selling.chargeLimits,
  announcesExpiry: selling.announcesExpiry,
  now: runtime.now,
  newId: runtime.newId,
  newToken: () => runtime.randomText(32),
};
/** POST /checkout-sessions/create, POST /checkouts */
export const handler = endpoint(
  {
    body: SessionInput,
    leniency,
    present: presentSessionCreated(runtime.site()),
    access: 'write',
    idempotent: true,
    ...selling.keyedBySession(),
    needs: ({ body }) => neededRows(body, keys),
  },
  ({ body, claim, ownId }) => createCheckoutSession({ ...deps, ...(ownId && { newId: () => ownId }) }, body, claim),
);
