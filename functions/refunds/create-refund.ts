import { env } from '../../shared/env.ts';
import { keys } from '../../shared/store/keys.ts';
import { createRefund, resumeRefund } from '../../shared/use-cases/payments/create-refund.ts';
import { presentRefund } from '../../shared/wire/payments/refund.ts';
import { RefundInput } from '../../shared/wire/payments/refund-request.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { alertMoney } from '../../shared/wiring/metrics.ts';
import { refunds } from '../../shared/wiring/processor.ts';
import { newId, now, payments, refundAllowances, site } from '../../shared/wiring/runtime.ts';
import { refundStep } from '../../shared/wiring/selling.ts';

const deps = {
  payments: payments(),
  allowances: refundAllowances(),
  refundWindowDays: env.merchant().refundWindowDays,
  refundStep,
  processor: refunds(),
  alert: alertMoney,
  now,
  newId,
};
const continuation = { started: ({ id }: { id: string }) => id, resume: (id: string) => resumeRefund(deps, id) };

/** POST /refunds */
export const handler = endpoint(
  {
    body: RefundInput,
    present: presentRefund(site()),
    idempotent: true,
    recognizesRetries: true,
    continuation,
    access: 'refunds',
    needs: ({ body }) => [keys.payment(body.paymentId)],
  },
  ({ body, caller, claim }) => createRefund(deps, { request: body, by: caller }, claim),
);
