import type { ItemPage, ItemPageRequest } from '../../domain/list-page.ts';
import type { Withdrawal, WithdrawalCase } from '../../domain/withdrawal/withdrawal-case.ts';
import type { WithdrawalStore } from '../../store/withdrawal/withdrawal-store.ts';

export interface ListWithdrawalsDeps {
  withdrawals: Pick<WithdrawalStore, 'list' | 'ofPayment' | 'declarations'>;
}

interface WithdrawalFilter {
  paymentId: string | undefined;
  matches: (current: WithdrawalCase) => boolean;
}

/** A page of withdrawals, newest first. If an order is given, all of its withdrawals are on one page. */
export async function listWithdrawals(
  deps: ListWithdrawalsDeps,
  { paymentId, matches }: WithdrawalFilter,
  page: ItemPageRequest,
): Promise<ItemPage<Withdrawal>> {
  const found = paymentId === undefined ? await deps.withdrawals.list(page, matches) : await ofOrder();
  const declarations = await deps.withdrawals.declarations(found.items.map(({ id }) => id));
  const items = found.items.flatMap((current) => {
    const declaration = declarations.get(current.id);
    return declaration ? [{ declaration, current }] : [];
  });
  return { ...found, items };

  async function ofOrder(): Promise<ItemPage<WithdrawalCase>> {
    const cases = paymentId === undefined ? [] : await deps.withdrawals.ofPayment(paymentId);
    return { items: cases.filter(matches).reverse(), hasMore: false, last: undefined };
  }
}
