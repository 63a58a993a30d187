import type { Site } from '../../domain/site.ts';
import type { Proposal, ProposedLine } from '../../domain/withdrawal/proposal.ts';
import { dueAtOf, statusOf, type Withdrawal, type WithdrawalStatus } from '../../domain/withdrawal/withdrawal-case.ts';
import type { WithdrawalAnswer } from './withdrawal-answer.ts';

/** A declaration of withdrawal with its case. If the caller does not know the state of its refund, the case decides. */
export const presentWithdrawal = (
  site: Site,
  { declaration, current, status }: Withdrawal & { status?: WithdrawalStatus },
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
  status: status ?? statusOf(current, undefined),
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

/** A declaration with its order, and the decision that the law suggests. */
export interface WithdrawalView extends Withdrawal {
  status: WithdrawalStatus;
  currency: string | null;
  proposal: Proposal;
}

/** A declaration with a proposal. If the proposal is that a person decides, the suggestion for that person is shown. */
export const presentProposed = (
  site: Site,
  { proposal, currency, ...withdrawal }: WithdrawalView,
): WithdrawalAnswer<'ProposedWithdrawal'> => {
  const weighed = proposal.kind === 'by_hand' && 'suggestion' in proposal ? proposal.suggestion : proposal;
  const lines = 'lines' in weighed ? weighed.lines : [];
  return {
    ...presentWithdrawal(site, withdrawal),
    proposal: {
      outcome: proposal.kind,
      why: 'why' in proposal ? proposal.why : 'reason' in proposal ? proposal.reason : null,
      amount: 'amount' in weighed ? weighed.amount : null,
      currency,
      period_ends_at: 'standing' in weighed ? weighed.standing.period.endsAt : null,
      lines: lines.map(presentLine),
    },
  };
};

const presentLine = ({ line, standing, refundable, amount, proRata }: ProposedLine) => ({
  line,
  supply: standing.supply,
  right: standing.right,
  why: standing.why,
  consent: standing.proofs.words,
  consent_at: standing.proofs.consentAt,
  confirmed_at: standing.proofs.confirmedAt,
  supply_begun_at: standing.proofs.supplyBegunAt,
  refundable,
  amount,
  days_used: proRata?.used ?? null,
  days_paid: proRata?.of ?? null,
});
