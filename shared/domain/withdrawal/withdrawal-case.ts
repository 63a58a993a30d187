import * as z from 'zod';
import { dayMs } from '../duration.ts';
import { DomainError } from '../errors.ts';
import type { Payment } from '../payments/payment.ts';
import type { Declaration } from './declaration.ts';

/** What proves that the declaration comes from the buyer of the order. */
export const Proof = z.object({ by: z.enum(['order_link', 'portal', 'mail', 'merchant']), at: z.string() });
export type Proof = z.infer<typeof Proof>;

/** The outcomes of a decision. `ended`: there was nothing to refund. `closed`: no contract was found. */
export const withdrawalOutcomes = ['refunded', 'refunded_in_part', 'refused', 'ended', 'closed'] as const;

/** Why a withdrawal was refused. */
export const withdrawalRefusals = ['right_lost', 'late', 'no_consumer'] as const;
export type WithdrawalRefusal = (typeof withdrawalRefusals)[number];

/** A decision by a member, an API key, or the stack itself. */
export const WithdrawalDecision = z.object({
  outcome: z.enum(withdrawalOutcomes),
  reason: z.enum(withdrawalRefusals).nullable(),
  /** The merchant's note to the buyer. */
  note: z.string().nullable(),
  /** Who decided: a member, an API key, or `automatic` for the stack itself. */
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

/** The case of a declaration: its order, its proof, and the decisions about it. */
export const WithdrawalCase = z.object({
  id: z.string(),
  /** The time of the declaration. */
  createdAt: z.string(),
  /** The order that the declaration is about; null while none is found. */
  paymentId: z.string().nullable(),
  proof: Proof.nullable(),
  acknowledgement: Acknowledgement,
  /**
   * The mail that asks the address of the order whether the buyer has declared. Absent if the declaration is proven or
   * has no order, or if the acknowledgement contains the question.
   */
  notice: Acknowledgement.optional(),
  /** The mail that informs the buyer about the latest decision. Absent before the first decision. */
  reply: Acknowledgement.optional(),
  /**
   * Whether the stack may carry out a clear full refund without a person. It is the merchant's setting at the time of
   * the declaration. Absent if not, and after the stack has checked the case.
   */
  refundsByItself: z.literal(true).optional(),
  /** The decisions, the latest one last. */
  decisions: z.array(WithdrawalDecision),
  updatedAt: z.string(),
  /** The number of the case's events. */
  events: z.int(),
  /** How often this row was written; 0 before the first write. A writer that read an older version fails. */
  version: z.int(),
});
export type WithdrawalCase = z.infer<typeof WithdrawalCase>;

/** A declaration with its case. */
export interface Withdrawal {
  declaration: Declaration;
  current: WithdrawalCase;
}

/**
 * The address for the answer to a declaration: the current address of the order, and never a typed one. If no order was
 * found, the typed address is used. Empty if there is none.
 */
export const replyAddressOf = ({ declaration, current }: Withdrawal, orderAddress: string): string =>
  current.paymentId === null ? declaration.email : orderAddress;

/**
 * How many days a trader has to refund after a declaration (Directive 2011/83/EU, art. 13). The next constant is when
 * the merchant is warned.
 */
export const refundDays = 14;
export const warningDays = 10;

const daysAfter = (at: string, days: number): string => new Date(Date.parse(at) + days * dayMs).toISOString();

/** The time by which the money must be refunded. */
export const dueAtOf = ({ createdAt }: Pick<WithdrawalCase, 'createdAt'>): string => daysAfter(createdAt, refundDays);

/** The time from which the case needs attention, because the time for the refund is nearly over. */
export const warnAtOf = ({ createdAt }: Pick<WithdrawalCase, 'createdAt'>): string => daysAfter(createdAt, warningDays);

/** The decision that applies, which is the latest; undefined while there is none. */
export const decisionOf = ({ decisions }: Pick<WithdrawalCase, 'decisions'>): WithdrawalDecision | undefined =>
  decisions.at(-1);

/** Whether there is no decision yet. */
export const isUndecided = (current: Pick<WithdrawalCase, 'decisions'>): boolean => decisionOf(current) === undefined;

/** The name under which the stack's own decisions are stored. */
export const stackName = 'automatic';

/** Whether the stack itself made all decisions. */
export const isDecidedByStack = ({ decisions }: Pick<WithdrawalCase, 'decisions'>): boolean =>
  decisions.every(({ by }) => by === stackName);

/** The refunds of the payment, if the case has one. */
type Refunded = Pick<Payment, 'refunds'> | undefined;

/** Whether the refund of the latest decision has failed. */
export function isRefundFailed(current: Pick<WithdrawalCase, 'decisions'>, payment: Refunded): boolean {
  const refundId = decisionOf(current)?.refundId ?? null;
  return (
    refundId !== null && payment?.refunds.some(({ id, status }) => id === refundId && status === 'failed') === true
  );
}

export const withdrawalStatuses = ['declared', 'decided', 'refund_failed'] as const;
/** The state of a case. `refund_failed`: the refund of its decision has failed, so somebody must decide again. */
export type WithdrawalStatus = (typeof withdrawalStatuses)[number];

/** The state of a case. A refund can fail days after the decision, so the order is needed to know. */
export function statusOf(current: Pick<WithdrawalCase, 'decisions'>, payment: Refunded): WithdrawalStatus {
  if (isUndecided(current)) return 'declared';
  return isRefundFailed(current, payment) ? 'refund_failed' : 'decided';
}

/** Whether there is nothing left to decide. A failed refund opens the case again. */
export function isClosed(current: Pick<WithdrawalCase, 'decisions'>, payment: Refunded): boolean {
  const decision = decisionOf(current);
  return decision !== undefined && isFinal(decision) && !isRefundFailed(current, payment);
}

/**
 * Throws if there is nothing left to decide.
 * @throws DomainError CONFLICT if the case is closed
 */
export function assertOpen(current: Pick<WithdrawalCase, 'decisions'>, payment: Refunded): void {
  if (isClosed(current, payment)) throw alreadyDecided();
}

const alreadyDecided = (): DomainError =>
  new DomainError(
    'CONFLICT',
    'This withdrawal is decided. Only a refusal or a failed refund can still become a refund.',
  );

/** Whether a decision cannot be changed later, because it refunds money or ends the contract. */
export const isFinal = ({ outcome }: WithdrawalDecision): boolean => outcome !== 'refused' && outcome !== 'closed';

/** Whether the stack itself must check a case: its declaration is proven, and there is no decision. */
export const awaitsStack = ({ refundsByItself, proof, decisions }: WithdrawalCase): boolean =>
  refundsByItself === true && proof !== null && decisions.length === 0;

/**
 * When the sweep must look at a case. It does so while a mail must be sent, or while the stack must decide. Null if
 * there is nothing to do.
 */
export const caseDueAt = (current: WithdrawalCase): string | null => {
  const { acknowledgement, notice, reply, updatedAt } = current;
  const isMailDue = [acknowledgement, notice, reply].some((mail) => mail?.status === 'due');
  return isMailDue || awaitsStack(current) ? updatedAt : null;
};

/** Whether the address of the order must be asked. That is so if a declaration has an order, but no proof. */
const asksOrder = ({ paymentId, proof }: Pick<WithdrawalCase, 'paymentId' | 'proof'>): boolean =>
  paymentId !== null && proof === null;

/** The mail that asks the address of the order, if one is needed and the stack sends mail. */
const noticeOf = (current: Pick<WithdrawalCase, 'paymentId' | 'proof'>, sendsMail: boolean) =>
  asksOrder(current) && sendsMail ? { notice: { status: 'due' as const, at: null } } : {};

/** The case of a new declaration. If the buyer used a link or a session of the order, that is the proof. */
export function newCase(
  { id, receivedAt, source, paymentId, email }: Declaration,
  matchedPaymentId: string | null,
  { sendsMail }: { sendsMail: boolean },
): WithdrawalCase {
  const known = {
    paymentId: paymentId ?? matchedPaymentId,
    proof: paymentId === null || source === 'form' ? null : { by: source, at: receivedAt },
  };
  return {
    id,
    createdAt: receivedAt,
    ...known,
    acknowledgement: { status: sendsMail && email !== '' ? 'due' : 'none', at: null },
    ...noticeOf(known, sendsMail),
    decisions: [],
    updatedAt: receivedAt,
    events: 0,
    version: 0,
  };
}

/** The case with the order that a member found for it. The address of the order is then asked by mail. */
export const withOrder = (
  current: WithdrawalCase,
  paymentId: string,
  { at, sendsMail }: { at: string; sendsMail: boolean },
): WithdrawalCase => {
  const matched = { ...current, paymentId, updatedAt: at };
  return { ...matched, ...noticeOf(matched, sendsMail) };
};

/** The case with a proof. The first proof stays. A mail with a question that was not sent yet is dropped. */
export function withProof(current: WithdrawalCase, proof: Proof): WithdrawalCase {
  if (current.proof) return current;
  const { notice, ...rest } = current;
  return { ...rest, ...(notice && notice.status !== 'due' && { notice }), proof, updatedAt: proof.at };
}

/**
 * The case with one more decision. A refusal and a failed refund can become a refund. A refund cannot become a refusal.
 * @param payment the current state of the order
 * @throws DomainError CONFLICT if the case is closed
 */
export function withDecision(current: WithdrawalCase, decision: WithdrawalDecision, payment: Refunded): WithdrawalCase {
  assertOpen(current, payment);
  if (decisionOf(current) && !isFinal(decision)) throw alreadyDecided();
  return { ...current, decisions: [...current.decisions, decision], updatedAt: decision.at };
}
