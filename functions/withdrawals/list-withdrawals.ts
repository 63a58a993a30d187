import { type ListedWithdrawal, listWithdrawals } from '../../shared/use-cases/withdrawal/list-withdrawals.ts';
import { presentPage, toPageRequest } from '../../shared/wire/page.ts';
import { presentWithdrawal } from '../../shared/wire/withdrawal/withdrawal.ts';
import { WithdrawalQuery } from '../../shared/wire/withdrawal/withdrawal-input.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { paymentLists, site, withdrawals } from '../../shared/wiring/runtime.ts';

const deps = { withdrawals: withdrawals(), lists: paymentLists() };

/** GET /withdrawals */
export const handler = endpoint(
  {
    access: 'read',
    query: WithdrawalQuery,
    present: presentPage<ListedWithdrawal>((withdrawal) => presentWithdrawal(site(), withdrawal)),
  },
  ({ query, walk }) =>
    listWithdrawals(
      deps,
      { paymentId: query.payment_id, statuses: query.status && [query.status] },
      toPageRequest(query, walk),
    ),
);
