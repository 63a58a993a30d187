import { keys } from '../../shared/store/keys.ts';
import { createRefund, resumeRefund } from '../../shared/use-cases/payments/create-refund.ts';
import { presentRefund } from '../../shared/wire/payments/refund.ts';
import { RefundInput } from '../../shared/wire/payments/refund-request.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { refunds } from '../../shared/wiring/processor.ts';
import { newId, now, payments, refundAllowances, site } from '../../shared/wiring/runtime.ts';
import { refundRules } from '../../shared/wiring/selling.ts';

const stores = { payments: payments(), allowances: refundAllowances() };
const deps = { ...stores, ...refundRules(), processor: refunds(), now, newId };
const shape = { body: RefundInput, present: presentRefund(site()) };
const continuation = { begun: ({ id }: { id: string }) => id, resume: (id: string) => resumeRefund(deps, id) };
const once = { idempotent: true, recognizesRetries: true, continuation };

/** POST /refunds */
export const handler = endpoint(
  { ...shape, ...once, access: 'refunds', needs: ({ body }) => [keys.payment(body.paymentId)] },
  ({ body, caller, claim }) => createRefund(deps, { request: body, by: caller }, claim),
);
