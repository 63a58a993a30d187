import { hasCode } from '../../domain/errors.ts';
import type { ItemPage, ItemPageRequest } from '../../domain/list-page.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { type PaymentBrief, type PaymentRow, paymentRow } from '../../domain/payments/payment-row.ts';
import type { PaymentLists } from '../../store/payments/payment-list.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import type { SessionStore } from '../../store/payments/session-store.ts';
import { loadPayments } from './export-payments.ts';

export interface SearchPaymentsDeps {
  payments: Pick<PaymentLists, 'list' | 'listBriefly'> & Pick<PaymentStore, 'find' | 'get' | 'getRefund'>;
  sessions: Pick<SessionStore, 'find'>;
}

/** The fields of a payment in a list view. If the row is too long, it is shortened and has no card. */
export type SearchedRow = PaymentBrief & Partial<Pick<PaymentRow, 'card'>>;

export interface PaymentSearch {
  createdFrom?: string | undefined;
  createdTo?: string | undefined;
  customerId?: string | undefined;
  /** The id of a payment, a refund or a checkout session. With it, all other filters are ignored. */
  id?: string;
  matches?: (row: SearchedRow) => boolean;
}

/** A page of the payments that match a search. */
export async function searchPayments(
  deps: SearchPaymentsDeps,
  { id, ...filter }: PaymentSearch,
  page: ItemPageRequest,
): Promise<ItemPage<PaymentRow>> {
  if (id) return { items: (await paymentsNamed(deps, id)).map(paymentRow), hasMore: false, last: undefined };
  const { items, sortKeys: _, ...rest } = await deps.payments.list(filter, page);
  return { ...rest, items: items.filter((row) => filter.matches?.(row) ?? true) };
}

/** All payments that match a search, up to a limit; `isPartial` if there are more. */
export async function collectPayments(
  deps: SearchPaymentsDeps,
  { id, ...filter }: PaymentSearch,
  limits: { most: number; mostSearches: number },
): Promise<{ payments: Payment[]; isPartial: boolean }> {
  if (id) return { payments: await paymentsNamed(deps, id), isPartial: false };
  const { payments, isPartial } = await loadPayments(deps, { ...filter, ...limits });
  return { payments: payments.filter((payment) => filter.matches?.(paymentRow(payment)) ?? true), isPartial };
}

/** The payment that belongs to an id, or none. */
async function paymentsNamed(deps: SearchPaymentsDeps, id: string): Promise<Payment[]> {
  const paymentId = id.startsWith('pay_') ? id : await paymentIdOf(deps, id);
  const payment = paymentId ? await deps.payments.find(paymentId) : undefined;
  return payment ? [payment] : [];
}

async function paymentIdOf({ payments, sessions }: SearchPaymentsDeps, id: string): Promise<string | null | undefined> {
  if (id.startsWith('cks_')) return (await sessions.find(id))?.paymentId;
  try {
    return (await payments.getRefund(id)).paymentId;
  } catch (error) {
    if (hasCode(error, 'NOT_FOUND')) return undefined;
    throw error;
  }
}

/** The values that occur in the newest payments. The page offers them as filters. */
export interface UsedFilters {
  statuses: readonly PaymentBrief['status'][];
  currencies: readonly string[];
  hasAttention: boolean;
}

const newest = { size: 200, skip: 0, after: undefined };

export async function usedFilters({ payments }: Pick<SearchPaymentsDeps, 'payments'>): Promise<UsedFilters> {
  const { items } = await payments.listBriefly({}, newest);
  return {
    statuses: [...new Set(items.map(({ status }) => status))],
    currencies: [...new Set(items.map(({ currency }) => currency))].sort(),
    hasAttention: items.some(({ attention }) => attention !== undefined),
  };
}
