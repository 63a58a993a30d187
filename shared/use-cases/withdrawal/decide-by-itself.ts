import { stackActor } from '../../domain/access/audit.ts';
import type { Brands } from '../../domain/catalogue/brand.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Claim } from '../../domain/idempotency.ts';
import { timelinessOf } from '../../domain/withdrawal/period.ts';
import type { Proposal } from '../../domain/withdrawal/proposal.ts';
import {
  awaitsStack,
  caseDueAt,
  decisionOf,
  isDecidedByStack,
  stackName,
  type Withdrawal,
  type WithdrawalCase,
} from '../../domain/withdrawal/withdrawal-case.ts';
import { refundsByItself } from '../../domain/withdrawal/withdrawal-settings.ts';
import { logInfo } from '../../log.ts';
import type { WithdrawalStore } from '../../store/withdrawal/withdrawal-store.ts';
import { type DecideDeps, decideWithdrawal, type ProposeDeps, proposeDecision } from './decide-withdrawal.ts';

export interface DecideByItselfDeps extends Omit<DecideDeps, 'newId'>, Pick<ProposeDeps, 'supplyOf'> {
  withdrawals: DecideDeps['withdrawals'] & Pick<WithdrawalStore, 'ofPayment'>;
  payments: DecideDeps['payments'] & ProposeDeps['payments'];
  brands: { get: () => Promise<Brands> };
  newId: (prefix: Parameters<DecideDeps['newId']>[0] | 'aud') => string;
}

/** The stack as the author of a refund. It has no daily refund limit. */
const stack = { hash: stackName, access: 'admin', refunds: { perDay: null } } as const;

/**
 * Carries out a clear full refund of a proven declaration, if the merchant's setting still allows it. In all other
 * cases, and if the refund itself is refused, a person decides. The stack never refuses a withdrawal.
 */
export async function decideByItself(deps: DecideByItselfDeps, { declaration: { id } }: Withdrawal): Promise<void> {
  const { declaration, current, proposal } = await proposeDecision(deps, id);
  if (!awaitsStack(current)) return;
  const isWanted =
    isClear(proposal, declaration.receivedAt) &&
    refundsByItself(await deps.brands.get()) &&
    !(await hasPersonDecided(deps, current));
  if (!isWanted || !(await isRefunded(deps, id))) await leaveToPerson(deps, id);
}

/**
 * Whether a case is clear: everything is refunded, the declaration was in time, and the supply of no line has begun.
 */
const isClear = (proposal: Proposal, declaredAt: string): boolean =>
  proposal.kind === 'full_refund' &&
  timelinessOf(proposal.standing.period, declaredAt) === 'in_time' &&
  proposal.lines.every(({ standing }) => standing.proofs.supplyBegunAt === null);

/** Whether a person has decided about another declaration of the same order. */
async function hasPersonDecided(
  { withdrawals }: DecideByItselfDeps,
  { id, paymentId }: WithdrawalCase,
): Promise<boolean> {
  const all = paymentId === null ? [] : await withdrawals.ofPayment(paymentId);
  return all.some((one) => one.id !== id && decisionOf(one) !== undefined && !isDecidedByStack(one));
}

/** Makes the refund. Returns false if it was refused, for example because the order is disputed now. */
async function isRefunded(deps: DecideByItselfDeps, id: string): Promise<boolean> {
  const request = { id, outcome: 'refund', lines: null, reason: null, note: null } as const;
  const claim: Claim<Withdrawal> = (_, command) =>
    command === null
      ? []
      : [{ audit: { ...command, id: deps.newId('aud'), at: deps.now().toISOString(), by: stackActor } }];
  try {
    await decideWithdrawal(deps, { request, by: stack, name: stackName }, claim);
    return true;
  } catch (error) {
    if (!(error instanceof DomainError) || error.code === 'SERVICE_UNAVAILABLE') throw error;
    logInfo('a withdrawal is left to a person', { withdrawal_id: id, code: error.code });
    return false;
  }
}

/** Marks a case so that the stack no longer checks it. If a person decides at the same moment, that decision stays. */
async function leaveToPerson({ withdrawals }: DecideByItselfDeps, id: string): Promise<void> {
  const { current } = await withdrawals.get(id);
  const { refundsByItself: asked, ...left } = current;
  if (asked) await withdrawals.save({ current: left, dueAt: caseDueAt(left) });
}
