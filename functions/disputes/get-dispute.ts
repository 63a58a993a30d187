import { keys } from '../../shared/store/keys.ts';
import { presentDispute } from '../../shared/wire/payments/dispute.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { disputes, site } from '../../shared/wiring/runtime.ts';

const deps = { disputes: disputes() };

/** GET /disputes/{dispute_id} */
export const handler = endpoint(
  { access: 'read', needs: ({ param }) => [keys.dispute(param('dispute_id'))], present: presentDispute(site()) },
  ({ param }) => deps.disputes.get(param('dispute_id')),
);
