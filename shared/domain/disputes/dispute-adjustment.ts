import * as z from 'zod';
import { DomainError } from '../errors.ts';
import { adjustmentIdOf } from '../ids.ts';
import { Amount, sum } from '../money/money.ts';
import type { LinePart } from '../payments/counters.ts';
import { isLost } from '../payments/dispute-standing.ts';
import type { DisputeSummary, Payment } from '../payments/payment.ts';
import { FreeingRefund } from '../payments/tax-correction.ts';
import * as sentences from '../rules/rule-sentences.ts';
import { brokenRule } from '../rules/rules.ts';

/**
 * The reasons why a lost dispute lowers the tax. `uncollectible`: the buyer keeps what was sold and does not pay for
 * it. `rescinded`: the sale is undone, and the access has ended.
 */
export const disputeGrounds = ['uncollectible', 'rescinded'] as const;
export type DisputeGround = (typeof disputeGrounds)[number];

/** The part of a line that a bank has taken. */
export const DisputeLine = z.object({
  productId: z.string(),
  amount: Amount,
  tax: Amount,
  components: z.array(Amount),
});

/**
 * A change of the taxed amount by a dispute. `lost` subtracts the disputed share. `won` adds it again, because the
 * money came back or the merchant chose another ground. An adjustment never changes.
 */
export const DisputeAdjustment = z.object({
  id: z.string(),
  kind: z.enum(['lost', 'won']),
  ground: z.enum(disputeGrounds),
  /** When the dispute was lost, or the money came back. The tax changes in the period of this day. */
  at: z.string(),
  /** When the adjustment was booked. */
  bookedAt: z.string(),
  /** Whether it reverses a ground because the merchant chose another one, and no money came back; absent if not. */
  isChoice: z.literal(true).optional(),
  /** The disputed part of each line. */
  lines: z.array(DisputeLine),
  /**
   * The id of the earlier refund that booked a corrected invoice, to which the disputed share belongs; absent if there
   * is none.
   */
  correctedBy: z.string().optional(),
  /** The earlier refund that returned the whole tax; absent if there is none. */
  freedBy: FreeingRefund.optional(),
});
export type DisputeAdjustment = z.infer<typeof DisputeAdjustment>;

/** The fields of a dispute that its adjustments depend on. */
interface AdjustedDispute {
  id: string;
  status: DisputeSummary['status'];
  lines: readonly LinePart[];
  lostAt?: string | undefined;
  updatedAt: string;
  adjustments?: readonly DisputeAdjustment[] | undefined;
}

/** The adjustment that is in effect now. Undefined if none was booked, or if the last one was reversed. */
export function standingAdjustment({
  adjustments = [],
}: Pick<AdjustedDispute, 'adjustments'>): DisputeAdjustment | undefined {
  const last = adjustments.at(-1);
  return last?.kind === 'lost' ? last : undefined;
}

const nextId = ({ id, adjustments = [] }: AdjustedDispute): string => adjustmentIdOf(id, adjustments.length + 1);

/** Whether a dispute waits for the merchant's choice of a ground: it is lost, and took a part of the sale. */
export const awaitsGround = (dispute: AdjustedDispute): boolean =>
  isLost(dispute) && dispute.lines.length > 0 && standingAdjustment(dispute) === undefined;

/** The merchant's choice. `replaces` names the booked ground that the choice changes; absent if none is booked. */
export interface GroundChoice {
  ground: DisputeGround;
  replaces?: DisputeGround | undefined;
}

/**
 * Books the ground of a lost dispute, in the period of the loss. Another ground is only changed if the choice names it.
 * Then the first one is reversed on its own day, and the other is booked on that day, so its period counts the loss
 * once. Empty if the ground is already booked.
 * @throws DomainError CONFLICT if the dispute is not lost, if it took nothing, or if another ground is booked
 */
export function decideGround(
  { correction, taxFreed }: Pick<Payment, 'correction' | 'taxFreed'>,
  dispute: AdjustedDispute,
  { ground, replaces }: GroundChoice,
  now: string,
): DisputeAdjustment[] {
  if (!isLost(dispute)) throw conflict(sentences.dispute_not_lost, { status: dispute.status });
  const standing = standingAdjustment(dispute);
  if (standing?.ground === ground) return [];
  if (standing && standing.ground !== replaces)
    throw conflict(sentences.dispute_ground_chosen, { ground: standing.ground });
  if (dispute.lines.length === 0) throw conflict(sentences.dispute_took_nothing);
  const reversed: DisputeAdjustment[] = standing
    ? [{ ...standing, id: nextId(dispute), kind: 'won', isChoice: true, bookedAt: now }]
    : [];
  const booked: DisputeAdjustment = {
    id: nextId({ ...dispute, adjustments: [...(dispute.adjustments ?? []), ...reversed] }),
    kind: 'lost',
    ground,
    at: standing?.at ?? lossDayOf(dispute),
    bookedAt: now,
    lines: dispute.lines.map(({ productId, amount, tax, components }) => ({ productId, amount, tax, components })),
    ...(correction?.refundId ? { correctedBy: correction.refundId } : {}),
    ...(taxFreed ? { freedBy: taxFreed } : {}),
  };
  return [...reversed, booked];
}

/** The day of the loss. Disputes of 0.2.0 do not store it; then it is the day of their last change. */
export const lostAtOf = ({ lostAt, updatedAt }: Pick<AdjustedDispute, 'lostAt' | 'updatedAt'>): string =>
  lostAt ?? updatedAt;

/**
 * The day on which a loss counts: the day of the loss. If the bank has changed its share, it is the day when the
 * earlier adjustment was reversed, so that no period counts both shares.
 */
function lossDayOf(dispute: AdjustedDispute): string {
  const lost = lostAtOf(dispute);
  const reversedAt = dispute.adjustments?.at(-1)?.at;
  return reversedAt !== undefined && reversedAt > lost ? reversedAt : lost;
}

const conflict = (...rule: Parameters<typeof brokenRule>): DomainError =>
  new DomainError('CONFLICT', brokenRule(...rule));

/**
 * Reverses the adjustment that is in effect, if the bank no longer holds the same share. Either the money came back, or
 * the bank has taken more. Then the merchant chooses again. Undefined if nothing changes.
 */
export function takenBack(dispute: AdjustedDispute, now: string): DisputeAdjustment | undefined {
  const standing = standingAdjustment(dispute);
  if (!standing) return undefined;
  if (isSameShare(standing.lines, dispute.lines)) return undefined;
  return { ...standing, id: nextId(dispute), kind: 'won', at: now, bookedAt: now };
}

const isSameShare = (booked: readonly LinePart[], held: readonly LinePart[]): boolean =>
  booked.length === held.length && booked.every((line, index) => isSamePart(line, held[index]));

const isSamePart = (one: LinePart, other: LinePart | undefined): boolean =>
  one.productId === other?.productId &&
  one.amount === other.amount &&
  one.components.join() === other.components.join();

/**
 * Finds contradictions in the adjustments of a dispute. Lost and won ones must alternate and be numbered in order. An
 * adjustment in effect must have the amount that the bank holds.
 */
export function misadjusted(dispute: AdjustedDispute): string[] {
  const { id, adjustments = [] } = dispute;
  const isOrdered = adjustments.every(
    (one, index) => one.kind === (index % 2 === 0 ? 'lost' : 'won') && one.id === adjustmentIdOf(id, index + 1),
  );
  const standing = standingAdjustment(dispute);
  const isHeld = standing === undefined || isSameShare(standing.lines, dispute.lines);
  return [
    ...(isOrdered ? [] : [`${id}: its adjustments are not in order`]),
    ...(isHeld ? [] : [`${id}: its adjustment is of another amount than the bank holds`]),
  ];
}

/** The whole amount of an adjustment and the tax in it. */
export const adjustedAmounts = ({ lines }: Pick<DisputeAdjustment, 'lines'>): { amount: number; tax: number } => ({
  amount: sum(lines.map(({ amount }) => amount)),
  tax: sum(lines.map(({ tax }) => tax)),
});

/** The sign with which an adjustment changes the taxed amount. */
export const signOf = ({ kind }: Pick<DisputeAdjustment, 'kind'>): 1 | -1 => (kind === 'won' ? 1 : -1);
