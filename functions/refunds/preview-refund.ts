import { decideRefund } from '../../shared/domain/payments/refund.ts';
import { env } from '../../shared/env.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { now, payments } from '../../shared/runtime.ts';
import { keys } from '../../shared/store/keys.ts';
import { presentRefundPreview } from '../../shared/wire/payments/refund.ts';
import { RefundInput } from '../../shared/wire/payments/refund-request.ts';

const { refundWindowDays } = env.merchant();
const deps = { payments: payments() };

/** POST /refunds/preview */
export const handler = endpoint(
  {
    access: 'read',
    body: RefundInput,
    needs: ({ body }) => [keys.payment(body.paymentId)],
    present: presentRefundPreview,
  },
  async ({ body }) => {
    const payment = await deps.payments.get(body.paymentId);
    const terms = { id: 'preview', now: now().toISOString(), refundWindowDays };
    const { refund } = decideRefund(payment, body, terms);
    return { refund, payment };
  },
);
