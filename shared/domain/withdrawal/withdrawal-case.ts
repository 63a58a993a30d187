import * as z from 'zod';
import { dayMs } from '../duration.ts';
import { DomainError } from '../errors.ts';
import type { Declaration } from './declaration.ts';

/** What proves that the buyer of the order declared. */
export const Proof = z.object({ by: z.enum(['order_link', 'portal', 'mail', 'merchant']), at: z.string() });
export type Proof = z.infer<typeof Proof>;

export const withdrawalOutcomes = ['refunded', 'refunded_in_part', 'refused', 'ended', 'closed'] as const;
/** `ended`: there was nothing to pay back. `closed`: no contract was found. */
export type DecisionOutcome = (typeof withdrawalOutcomes)[number];

/** Why a withdrawal was refused. */
export const withdrawalRefusals = ['right_lost', 'late', 'no_consumer'] as const;
export type WithdrawalRefusal = (typeof withdrawalRefusals)[number];

/** What a member decided, or the stack by itself. */
export const WithdrawalDecision = z.object({
  outcome: z.enum(withdrawalOutcomes),
  reason: z.enum(withdrawalRefusals).nullable(),
  /** What the merchant tells the buyer. */
  note: z.string().nullable(),
  /** Who decided: a member or a key; `automatic` for the stack. */
  by: z.string(),
  at: z.string(),
  refundId: z.string().nullable(),
});
export type WithdrawalDecision = z.infer<typeof WithdrawalDecision>;

/** The state of a mail, such as the one that acknowledges a declaration. `due` means that it still has to be sent. */
export const Acknowledgement = z.object({
  status: z.enum(['due', 'sent', 'refused', 'none']),
  at: z.string().nullable(),
});
export type Acknowledgement = z.infer<typeof Acknowledgement>;

/** What we make of a declaration: its order, its proof, and the decisions about it. */
export const WithdrawalCase = z.object({
  id: z.string(),
  /** The declaration's time. */
  createdAt: z.string(),
  /** The order that the declaration is about; null while none is found. */
  paymentId: z.string().nullable(),
  proof: Proof.nullable(),
  acknowledgement: Acknowledgement,
  /** The mail that tells the buyer of the latest decision; absent before one. */
  reply: Acknowledgement.optional(),
  /**
   * Whether the stack may carry out a clear full refund without a person, as the merchant had set it at the
   * declaration; absent if not, and after the stack has looked.
   */
  refundsByItself: z.literal(true).optional(),
  /** The decisions, the latest one last. */
  decisions: z.array(WithdrawalDecision),
  updatedAt: z.string(),
  /** The number of the case's events. */
  events: z.int(),
  /** Counts the writes; 0 before the first one. */
  version: z.int(),
});
export type WithdrawalCase = z.infer<typeof WithdrawalCase>;

/** A declaration with its case. */
export interface Withdrawal {
  declaration: Declaration;
  current: WithdrawalCase;
}

/** How long a trader has to pay back after a declaration (Directive 2011/83/EU, art. 13), and when we warn. */
export const refundDays = 14;
export const warningDays = 10;

const daysAfter = (at: string, days: number): string => new Date(Date.parse(at) + days * dayMs).toISOString();

/** By when the money must be paid back. */
export const dueAtOf = ({ createdAt }: Pick<WithdrawalCase, 'createdAt'>): string => daysAfter(createdAt, refundDays);

/** From when the case needs attention, because its time is nearly over. */
export const warnAtOf = ({ createdAt }: Pick<WithdrawalCase, 'createdAt'>): string => daysAfter(createdAt, warningDays);

/** The decision that counts; undefined while nobody has decided. */
export const decisionOf = ({ decisions }: Pick<WithdrawalCase, 'decisions'>): WithdrawalDecision | undefined =>
  decisions.at(-1);

/** Whether nobody has decided yet. */
export const isUndecided = (current: Pick<WithdrawalCase, 'decisions'>): boolean => decisionOf(current) === undefined;

/** Whether a decision gives something back or ends the contract, and so cannot be taken back. */
export const isFinal = ({ outcome }: WithdrawalDecision): boolean => outcome !== 'refused' && outcome !== 'closed';

/** Whether the stack itself looks at a case: it is proven, and nobody has decided. */
export const awaitsStack = ({ refundsByItself, proof, decisions }: WithdrawalCase): boolean =>
  refundsByItself === true && proof !== null && decisions.length === 0;

/** When the sweep must look at a case: while a mail has to be sent, or the stack decides by itself. */
export const caseDueAt = (current: WithdrawalCase): string | null => {
  const { acknowledgement, reply, updatedAt } = current;
  return acknowledgement.status === 'due' || reply?.status === 'due' || awaitsStack(current) ? updatedAt : null;
};

/** The case of a new declaration. A link or a session of the order proves that the buyer declared. */
export function newCase(
  { id, receivedAt, source, paymentId }: Declaration,
  matchedPaymentId: string | null,
  acknowledgement: Acknowledgement,
): WithdrawalCase {
  return {
    id,
    createdAt: receivedAt,
    paymentId: paymentId ?? matchedPaymentId,
    proof: paymentId === null || source === 'form' ? null : { by: source, at: receivedAt },
    acknowledgement,
    decisions: [],
    updatedAt: receivedAt,
    events: 0,
    version: 0,
  };
}

/** The case with a proof. The first proof stays. */
export const withProof = (current: WithdrawalCase, proof: Proof): WithdrawalCase =>
  current.proof ? current : { ...current, proof, updatedAt: proof.at };

/**
 * The case with one more decision. A refusal can become a refund, never the reverse.
 * @throws DomainError CONFLICT if the case has ended
 */
export function withDecision(current: WithdrawalCase, decision: WithdrawalDecision): WithdrawalCase {
  const before = decisionOf(current);
  if (before && (isFinal(before) || !isFinal(decision)))
    throw new DomainError('CONFLICT', 'This withdrawal is decided. Only a refusal can still become a refund.');
  return { ...current, decisions: [...current.decisions, decision], updatedAt: decision.at };
}
