import type { ApiKey } from '../../shared/domain/access/api-key.ts';
import { emptyPage, type ItemPage } from '../../shared/domain/list-page.ts';
import type { PaymentRow } from '../../shared/domain/payments/payment-row.ts';
import { env } from '../../shared/env.ts';
import { findPayments } from '../../shared/use-cases/finding/find-payments.ts';
import type { Walk } from '../../shared/wire/cursor.ts';
import { presentPage, toPageRequest } from '../../shared/wire/page.ts';
import { presentPaymentItem } from '../../shared/wire/payments/payment.ts';
import { asksInVain, matchesPayment, PaymentQuery, paymentTerms } from '../../shared/wire/payments/payment-list.ts';
import { documents } from '../../shared/wiring/books.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { customers, paymentLists, sessions, site } from '../../shared/wiring/runtime.ts';

const deps = {
  lists: paymentLists(),
  sessions: sessions(),
  customers: customers(),
  documents: documents(),
  merchantId: env.merchant().id,
};

const present = (page: ItemPage<PaymentRow>, caller: ApiKey & Walk) =>
  presentPage<PaymentRow>(presentPaymentItem(site(), { showsSession: caller.access !== 'read' }), paymentTerms)(
    page,
    caller,
  );

/** GET /payments */
export const handler = endpoint({ access: 'read', query: PaymentQuery, present }, async ({ query, walk }) => {
  if (asksInVain(query)) return emptyPage;
  const filter = {
    createdFrom: query.created_at_gte,
    createdTo: query.created_at_lte,
    customerId: query.customer_id,
    sessionId: query.checkout_session_id,
    email: query.customer_email,
    invoiceNumber: query.invoice_number,
    matches: matchesPayment(query),
  };
  return findPayments(deps, filter, toPageRequest(query, walk));
});
