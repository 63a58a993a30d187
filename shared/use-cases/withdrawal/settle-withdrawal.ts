import { type AcknowledgeDeps, acknowledgeWithdrawal } from './acknowledge-withdrawal.ts';

/** Does what is due for a withdrawal: mails its acknowledgement. */
export const settleWithdrawal =
  (deps: AcknowledgeDeps) =>
  async (id: string): Promise<void> => {
    const withdrawal = await deps.withdrawals.find(id);
    if (withdrawal) await acknowledgeWithdrawal(deps, withdrawal);
  };
