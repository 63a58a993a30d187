import { emptyPage } from '../../shared/domain/list-page.ts';
import type { RefundBrief, RefundRow } from '../../shared/domain/payments/refund.ts';
import { refundsOfPayment } from '../../shared/use-cases/finding/list-of-payment.ts';
import { presentPage, toPageRequest } from '../../shared/wire/page.ts';
import { presentRefundItem } from '../../shared/wire/payments/refund.ts';
import { RefundQuery, refundTerms } from '../../shared/wire/payments/refund-list.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { paymentLists, payments, site } from '../../shared/wiring/runtime.ts';

const deps = { lists: paymentLists(), payments: payments() };

/** GET /refunds */
export const handler = endpoint(
  {
    access: 'read',
    query: RefundQuery,
    present: presentPage<Omit<RefundRow, 'updatedAt'>>(presentRefundItem(site()), refundTerms),
  },
  async ({ query, walk }) => {
    if (query.subscription_id || query.status === 'review') return emptyPage;
    const { created_at_gte: createdFrom, created_at_lte: createdTo, customer_id: customerId, status } = query;
    const matches = (row: Pick<RefundBrief, 'status'>) => !status || row.status === status;
    const filter = { createdFrom, createdTo, customerId, matches };
    const { payment_id: paymentId } = query;
    return paymentId === undefined
      ? deps.lists.listRefunds(filter, toPageRequest(query, walk))
      : refundsOfPayment(deps, { ...filter, paymentId }, toPageRequest(query, walk));
  },
);
