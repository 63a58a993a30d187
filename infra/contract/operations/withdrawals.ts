import { DecisionInput, WithdrawalQuery } from '../../../shared/wire/withdrawal/withdrawal-input.ts';
import type { Operations } from '../operation.ts';

/** The operations on declarations with which buyers withdraw from contracts. */
export const withdrawalOperations: Operations = {
  'withdrawals/list-withdrawals': {
    summary: 'List withdrawals',
    description: 'Lists what buyers have declared, newest first, or all declarations about one payment.',
    query: WithdrawalQuery,
    answer: 'WithdrawalPage',
  },
  'withdrawals/get-withdrawal': {
    summary: 'Get a withdrawal',
    description:
      'Answers a declaration with what the law says about it: the period, whether the right is lost, and each proof that there is. Where a proof is missing, the full refund is proposed.',
    answer: 'ProposedWithdrawal',
  },
  'withdrawals/decide-withdrawal': {
    summary: 'Decide about a withdrawal',
    description:
      'Decides: `refund` pays back what is left of the declared lines, or the amounts in `lines`, in the same transaction as the decision. `refuse` needs a `reason`. `end` ends a contract for which nothing has to be paid back, and `close` a declaration that belongs to no contract of this shop. The buyer gets a mail. A refusal can still become a refund, never the reverse. A refund that failed can be decided again: `refund`, or `end` if you have paid in another way.',
    body: { DecisionInput },
    answer: 'Withdrawal',
    refuses: [
      'NOT_FOUND',
      'CONFLICT',
      'PAYMENT_NOT_SUCCEEDED',
      'PAYMENT_DISPUTED',
      'PAYMENT_ALREADY_REFUNDED',
      'NOTHING_TO_REFUND',
      'INVALID_REQUEST_PARAMETERS',
    ],
  },
};
