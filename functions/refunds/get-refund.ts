import { keys } from '../../shared/store/keys.ts';
import { presentRefund } from '../../shared/wire/payments/refund.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { payments, site } from '../../shared/wiring/runtime.ts';

const deps = { payments: payments() };

/** GET /refunds/{refund_id} */
export const handler = endpoint(
  { access: 'read', needs: ({ param }) => [keys.refund(param('refund_id'))], present: presentRefund(site()) },
  ({ param }) => deps.payments.getRefund(param('refund_id')),
);
