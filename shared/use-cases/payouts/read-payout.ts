import { hasCode } from '../../domain/errors.ts';
import { StaleVersion } from '../../domain/idempotency.ts';
import { adoptedRefundIdOf, disputeIdOf } from '../../domain/ids.ts';
import { matchingOf, type Payout, withPart } from '../../domain/payouts/payout.ts';
import type { PayoutLine } from '../../domain/payouts/payout-line.ts';
import type { PayoutEntry, Payouts } from '../../outside/processor/payment-processor.ts';
import type { DisputeStore } from '../../store/payments/dispute-store.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import type { PayoutStore } from '../../store/payouts/payout-store.ts';

export interface ReadPayoutDeps {
  payouts: Pick<PayoutStore, 'find' | 'savePart'>;
  payments: Pick<PaymentStore, 'getRefund'>;
  disputes: Pick<DisputeStore, 'find'>;
  account: Pick<Payouts, 'entries'>;
  /** The processor's name. */
  processor: string;
  merchantId: string;
}

/**
 * Reads what is in a payout, part by part, while there is time. Each part is stored before the next one is read, so a
 * later call goes on where this one stopped. Another reader of the same payout ends this one. Returns whether nothing is
 * left to read now.
 */
export async function readPayout(deps: ReadPayoutDeps, id: string, hasTime: () => boolean): Promise<boolean> {
  try {
    let payout = await deps.payouts.find(id);
    while (payout && isUnread(payout) && hasTime()) payout = await readPart(deps, payout);
    return payout === undefined || !isUnread(payout);
  } catch (error) {
    if (!(error instanceof StaleVersion)) throw error;
    return false;
  }
}

const isUnread = (payout: Payout): boolean => matchingOf(payout) === 'reading';

async function readPart(deps: ReadPayoutDeps, payout: Payout): Promise<Payout> {
  const { entries, after } = await deps.account.entries(payout, payout.read.after);
  const lines: PayoutLine[] = [];
  for (const entry of entries) lines.push(await lineOf(deps, entry));
  const next = withPart(payout, lines, after);
  await deps.payouts.savePart(next, lines);
  return { ...next, version: next.version + 1 };
}

/** The line of an entry. An entry about another shop's sale, or about a sale outside all shops, stands apart. */
async function lineOf(deps: ReadPayoutDeps, { merchantId, ...entry }: PayoutEntry): Promise<PayoutLine> {
  const foreign: PayoutLine = { ...entry, kind: 'other_sale', paymentId: null, refundId: null, disputeId: null };
  if (entry.kind === 'dispute') {
    const dispute = await deps.disputes.find(disputeIdOf(deps.processor, entry.reference ?? ''));
    return dispute ? { ...entry, paymentId: dispute.paymentId, disputeId: dispute.id } : foreign;
  }
  if (entry.kind === 'refund' || entry.kind === 'refund_returned')
    return (await refundLine(deps, { merchantId, ...entry })) ?? foreign;
  if (entry.kind !== 'sale') return { ...entry, paymentId: null, refundId: null, disputeId: null };
  return merchantId === deps.merchantId && entry.paymentId !== null ? { ...entry, disputeId: null } : foreign;
}

/** The line of a refund of ours, even if it was made in the processor's own dashboard; undefined for another one. */
async function refundLine(
  { payments, processor, merchantId: ours }: ReadPayoutDeps,
  { merchantId, ...entry }: PayoutEntry,
): Promise<PayoutLine | undefined> {
  if (merchantId === ours && entry.refundId !== null) return { ...entry, disputeId: null };
  if (merchantId !== null) return undefined;
  const refundId = entry.refundId ?? adoptedRefundIdOf(processor, entry.reference ?? '');
  const refund = await payments.getRefund(refundId).catch(undefinedIfAbsent);
  return refund && { ...entry, refundId, paymentId: refund.paymentId, disputeId: null };
}

function undefinedIfAbsent(error: unknown): undefined {
  if (!hasCode(error, 'NOT_FOUND')) throw error;
}
