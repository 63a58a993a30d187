import { env } from '../../shared/env.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { newId, now, payments, processor, refundAllowances, site } from '../../shared/runtime.ts';
import { keys } from '../../shared/store/keys.ts';
import { createRefund } from '../../shared/use-cases/payments/create-refund.ts';
import { presentRefund } from '../../shared/wire/payments/refund.ts';
import { RefundInput } from '../../shared/wire/payments/refund-request.ts';

const { refundWindowDays } = env.merchant();
const deps = {
  payments: payments(),
  allowances: refundAllowances(),
  processor: processor(),
  refundWindowDays,
  now,
  newId,
};

/** POST /refunds */
export const handler = endpoint(
  {
    access: 'refunds',
    body: RefundInput,
    idempotent: true,
    recognizesRetries: true,
    needs: ({ body }) => [keys.payment(body.paymentId)],
    present: presentRefund(site()),
  },
  ({ body, caller, claim }) => createRefund(deps, { request: body, by: caller }, claim),
);
