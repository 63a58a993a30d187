import { DomainError, refuse } from '../../domain/errors.ts';
import type { Claim } from '../../domain/idempotency.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { caseDueAt, type Withdrawal, withOrder } from '../../domain/withdrawal/withdrawal-case.ts';
import { recordWithdrawalEvent } from '../../events/catalogue.ts';
import type { WithdrawalStore } from '../../store/withdrawal/withdrawal-store.ts';
import { retryStale } from '../retry.ts';
import { written } from '../written.ts';

export interface MatchDeps {
  withdrawals: Pick<WithdrawalStore, 'get' | 'save'>;
  payments: { find: (id: string) => Promise<Payment | undefined> };
  /** Whether the stack sends mail. */
  sendsMail: boolean;
  newId: (prefix: 'evt') => string;
  now: () => Date;
}

interface Match {
  id: string;
  paymentId: string;
}

/**
 * Stores to which order a declaration belongs, if none was found when it came. This can be done only once. It proves
 * nothing, and does not change the declaration. Webhooks about the declaration are sent now. The address of the order
 * is asked by mail whether the buyer has declared.
 * @throws DomainError CONFLICT if the declaration already has an order
 */
export const matchWithdrawal = (
  deps: MatchDeps,
  { id, paymentId }: Match,
  claim: Claim<Withdrawal>,
): Promise<Withdrawal> =>
  retryStale(async () => {
    const { declaration, current } = await deps.withdrawals.get(id);
    if (current.paymentId !== null) throw new DomainError('CONFLICT', 'This declaration has its order already.');
    await soldOrder(deps, paymentId);
    const at = deps.now().toISOString();
    const matched = { declaration, current: withOrder(current, paymentId, { at, sendsMail: deps.sendsMail }) };
    const recorded = recordWithdrawalEvent(matched, 'withdrawal.declared', { id: deps.newId('evt'), now: at });
    const withdrawal = { declaration, current: recorded.current };
    await deps.withdrawals.save({
      current: recorded.current,
      dueAt: caseDueAt(recorded.current),
      events: [recorded.event],
      records: claim(withdrawal, { command: 'withdrawal.match', subject: id, details: { payment_id: paymentId } }),
    });
    return { declaration, current: written(recorded.current) };
  });

/** The paid order with the id that a member typed. */
export async function soldOrder({ payments }: Pick<MatchDeps, 'payments'>, paymentId: string): Promise<Payment> {
  const payment = await payments.find(paymentId);
  if (payment?.status === 'succeeded') return payment;
  throw refuse('INVALID_REQUEST_BODY', 'payment_id', 'There is no paid order with this id.');
}
