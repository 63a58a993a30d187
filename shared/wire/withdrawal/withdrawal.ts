import type { Site } from '../../domain/site.ts';
import { decisionOf, dueAtOf, type Withdrawal } from '../../domain/withdrawal/withdrawal-case.ts';
import type { WithdrawalAnswer } from './withdrawal-answer.ts';

/** A declaration with what was made of it. */
export const presentWithdrawal = (
  site: Site,
  { declaration, current }: Withdrawal,
): WithdrawalAnswer<'Withdrawal'> => ({
  withdrawal_id: declaration.id,
  business_id: site.businessId,
  payment_id: current.paymentId,
  declared_at: declaration.receivedAt,
  source: declaration.source,
  is_proven: current.proof !== null,
  proven_by: current.proof?.by ?? null,
  name: declaration.name,
  email: declaration.email,
  reference: declaration.reference,
  lines: declaration.lines,
  acknowledgement: current.acknowledgement,
  status: decisionOf(current) ? 'decided' : 'declared',
  due_at: dueAtOf(current),
  decisions: current.decisions.map(({ outcome, reason, note, by, at, refundId }) => ({
    outcome,
    reason,
    note,
    decided_by: by,
    decided_at: at,
    refund_id: refundId,
  })),
});
