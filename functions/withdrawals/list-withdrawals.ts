import { decisionOf, type Withdrawal } from '../../shared/domain/withdrawal/withdrawal-case.ts';
import { listWithdrawals } from '../../shared/use-cases/withdrawal/list-withdrawals.ts';
import { presentPage, toPageRequest } from '../../shared/wire/page.ts';
import { presentWithdrawal } from '../../shared/wire/withdrawal/withdrawal.ts';
import { WithdrawalQuery } from '../../shared/wire/withdrawal/withdrawal-input.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { site, withdrawals } from '../../shared/wiring/runtime.ts';

const deps = { withdrawals: withdrawals() };

/** GET /withdrawals */
export const handler = endpoint(
  {
    access: 'read',
    query: WithdrawalQuery,
    present: presentPage<Withdrawal>((withdrawal) => presentWithdrawal(site(), withdrawal)),
  },
  ({ query, walk }) => {
    const { payment_id: paymentId, status } = query;
    const matches = (current: Withdrawal['current']) =>
      status === undefined || (decisionOf(current) ? 'decided' : 'declared') === status;
    return listWithdrawals(deps, { paymentId, matches }, toPageRequest(query, walk));
  },
);
