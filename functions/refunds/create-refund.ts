import { env } from '../../shared/env.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { newId, now, payments, processor, refundAllowances, site } from '../../shared/runtime.ts';
import { keys } from '../../shared/store/keys.ts';
import { createRefund } from '../../shared/use-cases/payments/create-refund.ts';
import { presentRefund } from '../../shared/wire/payments/refund.ts';
import { RefundInput } from '../../shared/wire/payments/refund-request.ts';

const { refundWindowDays } = env.merchant();
const stores = { payments: payments(), allowances: refundAllowances() };
const deps = { ...stores, processor: processor(), refundWindowDays, now, newId };
const shape = { body: RefundInput, present: presentRefund(site()) };
const once = { idempotent: true, recognizesRetries: true };

/** POST /refunds */
export const handler = endpoint(
  { ...shape, ...once, access: 'refunds', needs: ({ body }) => [keys.payment(body.paymentId)] },
  ({ body, caller, claim }) => createRefund(deps, { request: body, by: caller }, claim),
);
