import { isPermitted } from '../../shared/domain/access/access.ts';
import type { ApiKey } from '../../shared/domain/access/api-key.ts';
import type { Payment } from '../../shared/domain/payments/payment.ts';
import { keys } from '../../shared/store/keys.ts';
import { presentPayment, presentPaymentToWriters } from '../../shared/wire/payments/payment.ts';
import { presentRight } from '../../shared/wire/withdrawal/right.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { payments, site } from '../../shared/wiring/runtime.ts';
import { orderUrlOf } from '../../shared/wiring/selling.ts';

const deps = { payments: payments() };
const [plain, toWriters] = [presentPayment(site()), presentPaymentToWriters(site())];

interface Found {
  payment: Payment;
  orderUrl: string | undefined;
}

const present = ({ payment, orderUrl }: Found, caller: ApiKey) => ({
  ...(isPermitted(caller, 'write') ? toWriters(payment, orderUrl) : plain(payment)),
  withdrawal: presentRight(payment),
});

/** GET /payments/{payment_id} */
export const handler = endpoint(
  { access: 'read', needs: ({ param }) => [keys.payment(param('payment_id'))], present },
  async ({ param, caller }): Promise<Found> => {
    const payment = await deps.payments.get(param('payment_id'));
    const isLinked = payment.status === 'succeeded' && isPermitted(caller, 'write');
    return { payment, orderUrl: isLinked ? await orderUrlOf(payment) : undefined };
  },
);
