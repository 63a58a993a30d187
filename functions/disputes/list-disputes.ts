import type { DisputeRow } from '../../shared/domain/payments/dispute.ts';
import { disputesOfPayment } from '../../shared/use-cases/finding/list-of-payment.ts';
import { presentPage, toPageRequest } from '../../shared/wire/page.ts';
import { presentDisputeItem } from '../../shared/wire/payments/dispute.ts';
import { DisputeQuery, disputeTerms, matchesDispute } from '../../shared/wire/payments/dispute-list.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { disputes, payments, site } from '../../shared/wiring/runtime.ts';

const deps = { disputes: disputes(), payments: payments() };

/** GET /disputes */
export const handler = endpoint(
  { access: 'read', query: DisputeQuery, present: presentPage<DisputeRow>(presentDisputeItem(site()), disputeTerms) },
  ({ query, walk }) => {
    const { created_at_gte: createdFrom, created_at_lte: createdTo, customer_id: customerId } = query;
    const filter = { createdFrom, createdTo, customerId, matches: matchesDispute(query) };
    const { payment_id: paymentId } = query;
    return paymentId === undefined
      ? deps.disputes.list(filter, toPageRequest(query, walk))
      : disputesOfPayment(deps, { ...filter, paymentId }, toPageRequest(query, walk));
  },
);
