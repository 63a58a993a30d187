import * as z from 'zod';
import { dayMs } from '../duration.ts';
import { DomainError } from '../errors.ts';
import type { Payment } from '../payments/payment.ts';
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

/** What we make of a declaration: its order, its proof, and the decisions about it. */
export const WithdrawalCase = z.object({
  id: z.string(),
  /** The declaration's time. */
  createdAt: z.string(),
  /** The order that the declaration is about; null while none is found. */
  paymentId: z.string().nullable(),
  proof: Proof.nullable(),
  acknowledgement: Acknowledgement,
  /**
   * The mail that asks the order's own address whether the buyer declared; absent where the declaration is proven or
   * has no order, and where the acknowledgement has asked.
   */
  notice: Acknowledgement.optional(),
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

/**
 * Where the answer to a declaration goes: to the order's own address as it is now, never to a typed one. Only where no
 * order was found, the typed address is the only one. Empty if there is none.
 */
export const replyAddressOf = (
  { declaration, current }: Withdrawal,
  order: Pick<Payment, 'customer'> | undefined,
): string => (current.paymentId === null ? declaration.email : (order?.customer.email ?? ''));

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

/** The name under which the stack's own decisions are kept. */
export const stackName = 'automatic';

/** Whether all decisions are the stack's own. */
export const isDecidedByStack = ({ decisions }: Pick<WithdrawalCase, 'decisions'>): boolean =>
  decisions.every(({ by }) => by === stackName);

/** A sale, as far as its refunds matter here. */
type Refunded = Pick<Payment, 'refunds'> | undefined;

/** Whether the money of the latest decision did not arrive. */
export function isRefundFailed(current: Pick<WithdrawalCase, 'decisions'>, payment: Refunded): boolean {
  const refundId = decisionOf(current)?.refundId ?? null;
  return (
    refundId !== null && payment?.refunds.some(({ id, status }) => id === refundId && status === 'failed') === true
  );
}

/** Whether nothing is left to decide. A failed refund opens the case again. */
export function isClosed(current: Pick<WithdrawalCase, 'decisions'>, payment: Refunded): boolean {
  const decision = decisionOf(current);
  return decision !== undefined && isFinal(decision) && !isRefundFailed(current, payment);
}

/** @throws DomainError CONFLICT if nothing is left to decide */
export function assertOpen(current: Pick<WithdrawalCase, 'decisions'>, payment: Refunded): void {
  if (isClosed(current, payment)) throw alreadyDecided();
}

const alreadyDecided = (): DomainError =>
  new DomainError(
    'CONFLICT',
    'This withdrawal is decided. Only a refusal or a failed refund can still become a refund.',
  );

/** Whether a decision gives something back or ends the contract, and so cannot be taken back. */
export const isFinal = ({ outcome }: WithdrawalDecision): boolean => outcome !== 'refused' && outcome !== 'closed';

/** Whether the stack itself looks at a case: it is proven, and nobody has decided. */
export const awaitsStack = ({ refundsByItself, proof, decisions }: WithdrawalCase): boolean =>
  refundsByItself === true && proof !== null && decisions.length === 0;

/** When the sweep must look at a case: while a mail has to be sent, or the stack decides by itself. */
export const caseDueAt = (current: WithdrawalCase): string | null => {
  const { acknowledgement, notice, reply, updatedAt } = current;
  const isMailDue = [acknowledgement, notice, reply].some((mail) => mail?.status === 'due');
  return isMailDue || awaitsStack(current) ? updatedAt : null;
};

/** Whether the order's own address must be asked: a declaration about it that nothing proves. */
const asksOrder = ({ paymentId, proof }: Pick<WithdrawalCase, 'paymentId' | 'proof'>): boolean =>
  paymentId !== null && proof === null;

/** The mail to the order's own address, where one is needed and the stack sends mail. */
const noticeOf = (current: Pick<WithdrawalCase, 'paymentId' | 'proof'>, sendsMail: boolean) =>
  asksOrder(current) && sendsMail ? { notice: { status: 'due' as const, at: null } } : {};

/** The case of a new declaration. A link or a session of the order proves that the buyer declared. */
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

/** The case with the order that a member found for it, whose own address is asked now. */
export const withOrder = (
  current: WithdrawalCase,
  paymentId: string,
  { at, sendsMail }: { at: string; sendsMail: boolean },
): WithdrawalCase => {
  const matched = { ...current, paymentId, updatedAt: at };
  return { ...matched, ...noticeOf(matched, sendsMail) };
};

/** The case with a proof. The first proof stays, and nobody has to be asked any more. */
export function withProof(current: WithdrawalCase, proof: Proof): WithdrawalCase {
  if (current.proof) return current;
  const { notice, ...rest } = current;
  return { ...rest, ...(notice && notice.status !== 'due' && { notice }), proof, updatedAt: proof.at };
}

/**
 * The case with one more decision. A refusal and a failed refund can become a refund, never the reverse.
 * @param payment the order as it is
 * @throws DomainError CONFLICT if nothing is left to decide
 */
export function withDecision(current: WithdrawalCase, decision: WithdrawalDecision, payment: Refunded): WithdrawalCase {
  assertOpen(current, payment);
  if (decisionOf(current) && !isFinal(decision)) throw alreadyDecided();
  return { ...current, decisions: [...current.decisions, decision], updatedAt: decision.at };
}
