import { env } from '../../shared/env.ts';
import { keys } from '../../shared/store/keys.ts';
import { previewRefund } from '../../shared/use-cases/payments/preview-refund.ts';
import { presentRefundPreview } from '../../shared/wire/payments/refund.ts';
import { RefundInput } from '../../shared/wire/payments/refund-request.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { now, payments } from '../../shared/wiring/runtime.ts';
import { refundStep } from '../../shared/wiring/selling.ts';

const deps = { payments: payments(), refundWindowDays: env.merchant().refundWindowDays, refundStep, now };

/** POST /refunds/preview */
export const handler = endpoint(
  {
    body: RefundInput,
    present: presentRefundPreview,
    access: 'read',
    needs: ({ body }) => [keys.payment(body.paymentId)],
  },
  async ({ body }) => previewRefund(deps, await deps.payments.get(body.paymentId), body),
);
