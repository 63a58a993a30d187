import { normalizeEmail } from '../../domain/checkout/buyer.ts';
import { customerIdOf } from '../../domain/ids.ts';
import type { ItemPage, ItemPageRequest } from '../../domain/list-page.ts';
import type { Withdrawal, WithdrawalCase, WithdrawalStatus } from '../../domain/withdrawal/withdrawal-case.ts';
import type { WithdrawalStore } from '../../store/withdrawal/withdrawal-store.ts';
import { type OrdersOfAddressDeps, paymentsOfAddress } from '../finding/orders-of-address.ts';
import { findStatuses, ofStatuses, type StatusDeps } from './find-statuses.ts';

export interface ListWithdrawalsDeps extends StatusDeps {
  withdrawals: Pick<WithdrawalStore, 'list' | 'ofPayment' | 'declarations'>;
}

interface WithdrawalFilter {
  paymentId?: string | undefined;
  /** The states of the listed withdrawals; absent: all states. */
  statuses?: readonly WithdrawalStatus[] | undefined;
}

/** A withdrawal with its state. */
export interface ListedWithdrawal extends Withdrawal {
  status: WithdrawalStatus;
}

/** A page of withdrawals, newest first. If an order is given, all of its withdrawals are on one page. */
export async function listWithdrawals(
  deps: ListWithdrawalsDeps,
  { paymentId, statuses }: WithdrawalFilter,
  page: ItemPageRequest,
): Promise<ItemPage<ListedWithdrawal>> {
  if (paymentId !== undefined) return onePage(deps, await deps.withdrawals.ofPayment(paymentId), statuses);
  const found = await deps.withdrawals.list(page, statuses && ofStatuses(deps, statuses));
  return { ...found, items: await completed(deps, found.items) };
}

export interface SearchWithdrawalsDeps extends ListWithdrawalsDeps, OrdersOfAddressDeps {
  lists: ListWithdrawalsDeps['lists'] & OrdersOfAddressDeps['lists'];
  withdrawals: ListWithdrawalsDeps['withdrawals'] & Pick<WithdrawalStore, 'typedBy'>;
}

/** How many of the newest orders of an address are searched. */
const mostOrders = 50;

/**
 * The withdrawals of an address on one page, newest first: those that were typed with it, and those of the orders that
 * belong to it. An order whose address was corrected belongs only to the corrected one.
 */
export async function searchWithdrawals(
  deps: SearchWithdrawalsDeps,
  { email, statuses }: { email: string } & Pick<WithdrawalFilter, 'statuses'>,
): Promise<ItemPage<ListedWithdrawal>> {
  const [typed, orders] = await Promise.all([
    deps.withdrawals.typedBy(customerIdOf(deps.merchantId, normalizeEmail(email))),
    paymentsOfAddress(deps, { email, filter: {} }, { size: mostOrders, skip: 0, after: undefined }),
  ]);
  const declared = await Promise.all(orders.items.map(({ id }) => deps.withdrawals.ofPayment(id)));
  const cases = new Map([...typed, ...declared.flat()].map((current) => [current.id, current]));
  return onePage(deps, [...cases.values()].sort(byTime), statuses);
}

const byTime = (a: WithdrawalCase, b: WithdrawalCase): number => (a.createdAt < b.createdAt ? -1 : 1);

/** All of some cases that have one of the states, newest first. They are given oldest first. */
async function onePage(
  deps: ListWithdrawalsDeps,
  cases: readonly WithdrawalCase[],
  statuses: WithdrawalFilter['statuses'],
): Promise<ItemPage<ListedWithdrawal>> {
  const items = (await completed(deps, cases)).filter(({ status }) => statuses?.includes(status) ?? true);
  return { items: items.reverse(), hasMore: false, last: undefined };
}

async function completed(deps: ListWithdrawalsDeps, cases: readonly WithdrawalCase[]): Promise<ListedWithdrawal[]> {
  const [declarations, statuses] = await Promise.all([
    deps.withdrawals.declarations(cases.map(({ id }) => id)),
    findStatuses(deps, cases),
  ]);
  return cases.flatMap((current) => {
    const declaration = declarations.get(current.id);
    const status = statuses.get(current.id);
    return declaration && status ? [{ declaration, current, status }] : [];
  });
}
