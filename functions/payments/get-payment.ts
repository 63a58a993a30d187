import { endpoint } from '../../shared/http/endpoint.ts';
import { payments, site } from '../../shared/runtime.ts';
import { keys } from '../../shared/store/keys.ts';
import { presentPayment } from '../../shared/wire/payments/payment.ts';

const deps = { payments: payments() };

/** GET /payments/{payment_id} */
export const handler = endpoint(
  { access: 'read', needs: ({ param }) => [keys.payment(param('payment_id'))], present: presentPayment(site()) },
  ({ param }) => deps.payments.get(param('payment_id')),
);
