import { endpoint } from '../../shared/http/endpoint.ts';
import { payments, site } from '../../shared/runtime.ts';
import { presentPayment } from '../../shared/wire/payment.ts';

const deps = { payments: payments() };

/** GET /payments/{payment_id} */
export const handler = endpoint({ access: 'read', present: presentPayment(site()) }, ({ param }) =>
  deps.payments.get(param('payment_id')),
);
