import { keys } from '../../shared/store/keys.ts';
import { presentLineItems } from '../../shared/wire/payments/payment.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { payments } from '../../shared/wiring/runtime.ts';

const deps = { payments: payments() };

/** GET /payments/{payment_id}/line-items */
export const handler = endpoint(
  { access: 'read', needs: ({ param }) => [keys.payment(param('payment_id'))], present: presentLineItems },
  ({ param }) => deps.payments.get(param('payment_id')),
);
