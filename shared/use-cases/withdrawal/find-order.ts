import { normalizeEmail } from '../../domain/checkout/buyer.ts';
import { dayMs } from '../../domain/duration.ts';
import { customerIdOf } from '../../domain/ids.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { Declaration } from '../../domain/withdrawal/declaration.ts';
import type { DocumentStore } from '../../store/documents/document-store.ts';
import type { PaymentLists } from '../../store/payments/payment-list.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import { findInvoiced } from '../documents/find-invoiced.ts';

export interface FindOrderDeps {
  payments: Pick<PaymentStore, 'find'>;
  lists: Pick<PaymentLists, 'listBriefly'>;
  documents: Pick<DocumentStore, 'numbers'>;
  merchantId: string;
}

type Typed = Pick<Declaration, 'email' | 'reference' | 'receivedAt'>;

/**
 * For how many days after a sale it can be found by the address alone. It is the withdrawal period and some more days.
 */
const recentDays = 30;

/**
 * The order of a declaration from the public form. It is found by a payment id, by an invoice number together with the
 * order's address, or as the only recent order of the address. Undefined if no order or several orders match. Payment
 * ids cannot be guessed. Invoice numbers can, so they need the address. A found order does not prove who declared.
 */
export async function findOrder(deps: FindOrderDeps, typed: Typed): Promise<Payment | undefined> {
  const id = idIn(typed.reference);
  if (id !== undefined) return ifPaid(await deps.payments.find(id));
  const invoiced = await findOwn(deps, typed, await invoicedIn(deps, typed.reference));
  return invoiced ?? findOwn(deps, typed, await onlyRecent(deps, typed));
}

const ifPaid = (payment: Payment | undefined): Payment | undefined =>
  payment?.status === 'succeeded' ? payment : undefined;

/** The order, if it has the typed address. A member may have corrected the order's address since the sale. */
async function findOwn(
  { payments }: FindOrderDeps,
  { email }: Typed,
  id: string | undefined,
): Promise<Payment | undefined> {
  const payment = id === undefined ? undefined : ifPaid(await payments.find(id));
  return payment && normalizeEmail(payment.customer.email) === normalizeEmail(email) ? payment : undefined;
}

const idIn = (text: string): string | undefined => /\bpay_[0-9A-Za-z]{21}\b/.exec(text)?.[0];

async function invoicedIn({ documents }: FindOrderDeps, text: string): Promise<string | undefined> {
  const number = /\bINV-\d{4}-\d{6,9}\b/i.exec(text)?.[0];
  return number && findInvoiced({ documents }, number);
}

async function onlyRecent(
  { lists, merchantId }: FindOrderDeps,
  { email, receivedAt }: Typed,
): Promise<string | undefined> {
  const customerId = customerIdOf(merchantId, normalizeEmail(email));
  const createdFrom = new Date(Date.parse(receivedAt) - recentDays * dayMs).toISOString();
  const matches = ({ status }: { status: string }) => status === 'succeeded';
  const { items } = await lists.listBriefly(
    { customerId, createdFrom, matches },
    { size: 2, skip: 0, after: undefined },
  );
  const [only, ...others] = items;
  return others.length === 0 ? only?.id : undefined;
}
