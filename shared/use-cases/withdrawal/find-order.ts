import { normalizeEmail } from '../../domain/checkout/buyer.ts';
import { dayMs } from '../../domain/duration.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { Declaration } from '../../domain/withdrawal/declaration.ts';
import type { DocumentStore } from '../../store/documents/document-store.ts';
import { findInvoiced } from '../documents/find-invoiced.ts';
import { paymentsOfAddress } from '../finding/orders-of-address.ts';
import { findPortalOrder, type PortalOrderDeps } from '../portal/portal-customers.ts';

export interface FindOrderDeps extends PortalOrderDeps {
  documents: Pick<DocumentStore, 'numbers' | 'find'>;
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

/** The order, if it belongs to the typed address. If a member has corrected its address, only that one counts. */
const findOwn = async (deps: FindOrderDeps, { email }: Typed, id: string | undefined): Promise<Payment | undefined> =>
  id === undefined ? undefined : findPortalOrder(deps, { email: normalizeEmail(email), customerId: null }, id);

const idIn = (text: string): string | undefined => /\bpay_[0-9A-Za-z]{21}\b/.exec(text)?.[0];

async function invoicedIn({ documents }: FindOrderDeps, text: string): Promise<string | undefined> {
  const number = /\bINV-\d{4}-\d{6,9}\b/i.exec(text)?.[0];
  return number && findInvoiced({ documents }, number);
}

async function onlyRecent(deps: FindOrderDeps, { email, receivedAt }: Typed): Promise<string | undefined> {
  const createdFrom = new Date(Date.parse(receivedAt) - recentDays * dayMs).toISOString();
  const filter = { createdFrom, matches: ({ status }: { status: string }) => status === 'succeeded' };
  const { items } = await paymentsOfAddress(deps, { email, filter }, { size: 2, skip: 0, after: undefined });
  const [only, ...others] = items;
  return others.length === 0 ? only?.id : undefined;
}
