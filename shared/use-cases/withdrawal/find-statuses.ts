import {
  decisionOf,
  isUndecided,
  statusOf,
  type WithdrawalCase,
  type WithdrawalStatus,
} from '../../domain/withdrawal/withdrawal-case.ts';
import type { PaymentLists } from '../../store/payments/payment-list.ts';

export interface StatusDeps {
  lists: Pick<PaymentLists, 'named'>;
}

/** The state of each case, by its id. Reads the orders of those cases whose decision made a refund, in one call. */
export async function findStatuses(
  { lists }: StatusDeps,
  cases: readonly WithdrawalCase[],
): Promise<ReadonlyMap<string, WithdrawalStatus>> {
  const ids = cases.flatMap((current) => (decisionOf(current)?.refundId ? (current.paymentId ?? []) : []));
  const found = ids.length === 0 ? [] : await lists.named([...new Set(ids)]);
  const orders = new Map(found.map((order) => [order.id, order]));
  return new Map(cases.map((current) => [current.id, statusOf(current, orders.get(current.paymentId ?? ''))]));
}

/** The filter of a list for cases in some states. It reads orders only if decided and failed cases are told apart. */
export function ofStatuses(deps: StatusDeps, statuses: readonly WithdrawalStatus[]) {
  const [decided, failed] = [statuses.includes('decided'), statuses.includes('refund_failed')];
  const matches = (current: WithdrawalCase): boolean =>
    isUndecided(current)
      ? statuses.includes('declared')
      : decided || (failed && decisionOf(current)?.refundId !== null);
  const keeps = async (cases: readonly WithdrawalCase[]) => {
    const known = await findStatuses(deps, cases);
    return cases.filter(({ id }) => statuses.some((status) => status === known.get(id)));
  };
  return { matches, ...(decided !== failed && { keeps }) };
}
