import { paymentIdOf } from '../../domain/ids.ts';
import { type ItemPage, type ItemPageRequest, pageAmong } from '../../domain/list-page.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { type PaymentRow, paymentRow } from '../../domain/payments/payment-row.ts';
import type { DocumentStore } from '../../store/documents/document-store.ts';
import type { PaymentLists } from '../../store/payments/payment-list.ts';
import type { SessionStore } from '../../store/payments/session-store.ts';
import { findInvoiced } from '../documents/find-invoiced.ts';
import { type OrdersOfAddressDeps, paymentsOfAddress } from './orders-of-address.ts';

export interface FindPaymentsDeps extends OrdersOfAddressDeps {
  lists: Pick<PaymentLists, 'list' | 'named'>;
  sessions: Pick<SessionStore, 'find'>;
  documents: Pick<DocumentStore, 'numbers' | 'find'>;
}

type Filter = Parameters<PaymentLists['list']>[0];

/** The keys by which payments can be found. A caller gives at most one of them. */
export interface PaymentPlace {
  sessionId?: string | undefined;
  email?: string | undefined;
  invoiceNumber?: string | undefined;
}

/** Finds payments by a session, an e-mail address, an invoice number or an index. Returns a page, newest first. */
export function findPayments(
  deps: FindPaymentsDeps,
  { sessionId, email, invoiceNumber, ...filter }: PaymentPlace & Filter,
  page: ItemPageRequest,
): Promise<ItemPage<PaymentRow>> {
  if (sessionId !== undefined) return among(paymentsOfSession(deps, sessionId), filter, page);
  if (invoiceNumber !== undefined) return among(invoicedPayment(deps, invoiceNumber), filter, page);
  return email === undefined ? deps.lists.list(filter, page) : paymentsOfAddress(deps, { email, filter }, page);
}

async function among(found: Promise<Payment[]>, { matches = () => true, ...time }: Filter, page: ItemPageRequest) {
  return pageAmong((await found).map(paymentRow).filter(matches), time, page);
}

/** The payments of a session. Their ids are computed from the session's id and the number of the attempt. */
async function paymentsOfSession(deps: FindPaymentsDeps, sessionId: string): Promise<Payment[]> {
  const session = await deps.sessions.find(sessionId);
  const ids = Array.from({ length: session?.attempts ?? 0 }, (_, index) => paymentIdOf(sessionId, index + 1));
  return deps.lists.named(ids);
}

async function invoicedPayment(deps: FindPaymentsDeps, number: string): Promise<Payment[]> {
  const id = await findInvoiced(deps, number);
  return id === undefined ? [] : deps.lists.named([id]);
}
