import { emptyPage } from '../../shared/domain/list-page.ts';
import type { PaymentRow } from '../../shared/domain/payments/payment-row.ts';
import { presentPage, toPageRequest } from '../../shared/wire/page.ts';
import { presentPaymentItem } from '../../shared/wire/payments/payment.ts';
import { asksInVain, matchesPayment, PaymentQuery, paymentTerms } from '../../shared/wire/payments/payment-list.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { paymentLists, site } from '../../shared/wiring/runtime.ts';

const deps = { payments: paymentLists() };

/** GET /payments */
export const handler = endpoint(
  { access: 'read', query: PaymentQuery, present: presentPage<PaymentRow>(presentPaymentItem(site()), paymentTerms) },
  async ({ query, walk }) => {
    if (asksInVain(query)) return emptyPage;
    const { created_at_gte: createdFrom, created_at_lte: createdTo, customer_id: customerId } = query;
    const filter = { createdFrom, createdTo, customerId, matches: matchesPayment(query) };
    return deps.payments.list(filter, toPageRequest(query, walk));
  },
);
