import * as z from 'zod';
import { Customer } from '../checkout/buyer.ts';
import { DisputeAdjustment, DisputeLine, lostAtOf, takenBack } from '../disputes/dispute-adjustment.ts';
import { disputeIdOf } from '../ids.ts';
import { allocate } from '../money/allocation.ts';
import { Amount, sum } from '../money/money.ts';
import { type LinePart, moveParts } from './counters.ts';
import { isLost } from './dispute-standing.ts';
import { DisputeSummary, disputeStages, disputeStatuses, type Payment } from './payment.ts';
import { takeGross } from './refund-portions.ts';

/** A dispute: the buyer's bank wants a payment back. The status and the money are as the processor reports them. */
export const Dispute = z.object({
  id: z.string(),
  paymentId: z.string(),
  brandId: z.string(),
  processor: z.string(),
  /** The processor's own id. */
  reference: z.string(),
  status: z.enum(disputeStatuses),
  stage: z.enum(disputeStages),
  currency: z.string(),
  /** The amount that the bank demands. */
  amount: Amount,
  /**
   * The amount and currency that the bank demands, if the currency is not that of the payment. Then `amount` is the
   * whole payment. `claimed.amount` is null if the minor unit of that currency is not certain.
   */
  claimed: z.object({ amount: Amount.nullable(), currency: z.string() }).optional(),
  /** The amount that the processor currently withholds from the merchant, without its fees. */
  withdrawn: Amount,
  /** The part of the withheld amount that was still refundable, by line. The rest had already been refunded. */
  lines: z.array(DisputeLine),
  /** When an inquiry became a chargeback, as far as we know; absent if it did not. */
  escalatedAt: z.string().optional(),
  /** When the bank decided for the buyer, as far as we know. Absent if it did not, and in disputes of 0.2.0. */
  lostAt: z.string().optional(),
  /** The changes of the taxed amount by the dispute, in order. Absent if the merchant has chosen no ground. */
  adjustments: z.array(DisputeAdjustment).optional(),
  /** Whether the processor still allows refunds of the payment. */
  isRefundable: z.boolean(),
  reason: z.string().nullable(),
  /** Until when the bank accepts evidence. */
  dueBy: z.string().nullable(),
  /** The processor's page about the dispute, where the merchant submits evidence. */
  url: z.string().nullable(),
  customer: Customer,
  createdAt: z.string(),
  updatedAt: z.string(),
  version: z.int(),
});
export type Dispute = z.infer<typeof Dispute>;
type DisputeStatus = Dispute['status'];

/** A dispute in a list. */
export const DisputeRow = Dispute.pick({
  id: true,
  paymentId: true,
  processor: true,
  status: true,
  stage: true,
  currency: true,
  amount: true,
  isRefundable: true,
  dueBy: true,
  url: true,
  createdAt: true,
}).extend({
  /** How much of the refundable amount the bank holds. Absent in rows of 0.2.0; then the dispute's own row has it. */
  disputed: Amount.optional(),
});
export type DisputeRow = z.infer<typeof DisputeRow>;

export const disputeRow = (dispute: Dispute): DisputeRow =>
  DisputeRow.parse({ ...dispute, disputed: disputedBy(dispute) });

/** The part of its payment that a dispute holds. */
export const disputedBy = ({ lines }: Pick<Dispute, 'lines'>): number => sum(lines.map(({ amount }) => amount));

/** The processor's report about a dispute. */
export interface DisputeState {
  reference: string;
  /** The amount; null if the minor unit of the currency is not certain. */
  amount: number | null;
  currency: string;
  /** The status; null if the processor's word for it is unknown here. */
  status: DisputeStatus | null;
  stage: Dispute['stage'];
  /**
   * The amount that was taken and not returned. If `amount` is null, only the fact that it is above zero is certain.
   */
  withdrawn: number;
  isRefundable: boolean;
  reason: string | null;
  dueBy: string | null;
  url: string | null;
  createdAt: string;
}

interface DisputeDecision {
  dispute: Dispute;
  after: Payment;
  /** Whether the status has changed, or an inquiry has become a chargeback, so an event is sent. */
  isNews: boolean;
  /** Whether an inquiry of the bank has become a chargeback, so the bank now takes the money. */
  isEscalated: boolean;
  /** The adjustment that reverses the one for the loss, because the money came back; absent if there is none. */
  adjustment?: DisputeAdjustment | undefined;
}

/** Whether the merchant can still submit evidence. */
export const awaitsEvidence = ({ status }: Pick<Dispute, 'status'>): boolean => status === 'opened';

/**
 * How the processor's report changes the stored rows; undefined if it contains nothing new. With an unknown status, the
 * stored one stays.
 */
export function decideDispute(
  payment: Payment,
  known: Dispute | undefined,
  state: DisputeState,
  now: string,
): DisputeDecision | undefined {
  const claim = claimOn(payment, state);
  const before = known ?? newDispute(payment, { ...state, ...claim });
  const { lines, after } = withdraw(payment, before.lines, claim.withdrawn);
  const { isRefundable, reason, dueBy, url } = state;
  const words = state.status === null ? {} : { status: state.status, stage: state.stage };
  const dispute: Dispute = { ...before, ...words, ...claim, isRefundable, reason, dueBy, url, lines };
  if (known && JSON.stringify(known) === JSON.stringify(dispute)) return undefined;
  const isEscalated = known?.stage === 'pre_dispute' && dispute.stage === 'dispute' && dispute.status !== 'cancelled';
  const escalation = isEscalated ? { escalatedAt: now } : {};
  const adjustment = takenBack(dispute, now);
  const changed = {
    ...withLoss({ ...dispute, ...escalation }, known, now),
    ...(adjustment && { adjustments: [...(dispute.adjustments ?? []), adjustment] }),
    customer: payment.customer,
    updatedAt: now,
  };
  return {
    dispute: changed,
    after: { ...heard(after), disputes: listed(after.disputes, changed), updatedAt: now },
    isNews: known?.status !== changed.status || isEscalated,
    isEscalated,
    adjustment,
  };
}

/** The dispute with the time of its loss, as long as it is lost. */
function withLoss({ lostAt: _, ...dispute }: Dispute, known: Dispute | undefined, now: string): Dispute {
  if (!isLost(dispute)) return dispute;
  const lostAt = known && isLost(known) ? lostAtOf(known) : now;
  return { ...dispute, lostAt };
}

type Claim = Pick<Dispute, 'amount' | 'withdrawn' | 'claimed'>;

/**
 * The amounts of a dispute in the payment's currency. If the bank takes another currency, the amounts cannot be
 * compared. Then the dispute counts as the whole payment until the money is returned.
 */
export function claimOn({ gross, currency }: Pick<Payment, 'gross' | 'currency'>, state: DisputeState): Claim {
  const { amount, withdrawn } = state;
  if (state.currency === currency && amount !== null) return { amount, withdrawn };
  return { amount: gross, withdrawn: withdrawn > 0 ? gross : 0, claimed: { amount, currency: state.currency } };
}

function newDispute(
  { id: paymentId, brandId, processor, currency, customer }: Payment,
  state: Omit<DisputeState, 'amount'> & Claim,
): Dispute {
  const { reference, status, createdAt } = state;
  const id = disputeIdOf(processor, reference);
  const origin = { id, paymentId, brandId, processor, currency, customer, createdAt, updatedAt: createdAt, version: 0 };
  return Dispute.parse({ ...state, ...origin, status: status ?? 'opened', lines: [] });
}

/** The payment after its dispute was stored. The processor need not be asked again. */
const heard = ({ reviewAt: _, ...payment }: Payment): Payment => payment;

/**
 * Moves the withdrawn amount from the refundable counter to the disputed one, or back. An amount that was already
 * refunded is recorded only in the dispute.
 */
function withdraw(payment: Payment, held: readonly LinePart[], withdrawn: number) {
  const before = sum(held.map(({ amount }) => amount));
  const amount = Math.min(withdrawn, before + payment.refundable);
  if (amount === before) return { lines: [...held], after: payment };
  const released = moveParts(payment, held, { from: 'disputed', to: 'refundable' });
  const shares = allocate(
    amount,
    released.lines.map(({ refundable }) => refundable),
  );
  const taken = released.lines.map((line, index) => takeGross(line, shares[index] as number, true));
  const lines = taken
    .filter((part) => part.amount > 0)
    .map(({ productId, amount, tax, components }) => ({ productId, amount, tax, components }));
  return { lines, after: moveParts(released, lines, { from: 'refundable', to: 'disputed' }) };
}

function listed(disputes: readonly DisputeSummary[], dispute: Dispute): DisputeSummary[] {
  const summary = DisputeSummary.parse(dispute);
  const isListed = disputes.some(({ id }) => id === dispute.id);
  return isListed ? disputes.map((one) => (one.id === dispute.id ? summary : one)) : [...disputes, summary];
}
