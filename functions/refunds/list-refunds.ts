import { emptyPage } from '../../shared/domain/list-page.ts';
import type { RefundBrief, RefundRow } from '../../shared/domain/payments/refund.ts';
import { presentPage, toPageRequest } from '../../shared/wire/page.ts';
import { presentRefundItem } from '../../shared/wire/payments/refund.ts';
import { RefundQuery, refundTerms } from '../../shared/wire/payments/refund-list.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { paymentLists, site } from '../../shared/wiring/runtime.ts';

const deps = { payments: paymentLists() };

/** GET /refunds */
export const handler = endpoint(
  { access: 'read', query: RefundQuery, present: presentPage<RefundRow>(presentRefundItem(site()), refundTerms) },
  async ({ query, walk }) => {
    if (query.subscription_id || query.status === 'review') return emptyPage;
    const { created_at_gte: createdFrom, created_at_lte: createdTo, customer_id: customerId, status } = query;
    const matches = (row: RefundBrief) => !status || row.status === status;
    return deps.payments.listRefunds({ createdFrom, createdTo, customerId, matches }, toPageRequest(query, walk));
  },
);
