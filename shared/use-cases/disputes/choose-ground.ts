import type { AuditedCommand } from '../../domain/access/audit.ts';
import {
  adjustedAmounts,
  type DisputeAdjustment,
  decideGround,
  type GroundChoice,
  lostAtOf,
} from '../../domain/disputes/dispute-adjustment.ts';
import type { Claim } from '../../domain/idempotency.ts';
import type { Dispute } from '../../domain/payments/dispute.ts';
import { type DomainEvent, recordAdjustmentEvent } from '../../events/catalogue.ts';
import type { DisputeStore } from '../../store/payments/dispute-store.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import { retryStale } from '../retry.ts';

export interface ChooseGroundDeps {
  disputes: Pick<DisputeStore, 'get' | 'save'>;
  payments: Pick<PaymentStore, 'get'>;
  now: () => Date;
  newId: (prefix: 'evt') => string;
}

interface Choice extends GroundChoice {
  disputeId: string;
}

/**
 * Books the merchant's ground of a lost dispute only once, with its event. If the sale is undone, it then gets a credit
 * note. Choosing the same ground again changes nothing. A choice that replaces another ground also reverses that one,
 * with a second event.
 */
export function chooseGround(
  deps: ChooseGroundDeps,
  { disputeId, ...choice }: Choice,
  claim: Claim<Dispute>,
): Promise<Dispute> {
  return retryStale(async () => {
    const known = await deps.disputes.get(disputeId);
    const before = await deps.payments.get(known.paymentId);
    const now = deps.now().toISOString();
    const adjustments = decideGround(before, known, choice, now);
    const booked = adjustments.at(-1);
    if (!booked) return keepAnswer(deps, known, claim);
    let dispute: Dispute = { ...known, lostAt: lostAtOf(known), updatedAt: now };
    let payment = { ...before, updatedAt: now };
    const events: DomainEvent[] = [];
    for (const adjustment of adjustments) {
      dispute = { ...dispute, adjustments: [...(dispute.adjustments ?? []), adjustment] };
      const told = recordAdjustmentEvent(payment, dispute, { id: deps.newId('evt'), now });
      payment = told.payment;
      events.push(told.event);
    }
    const records = claim(dispute, chosen(dispute, booked, choice));
    await deps.disputes.save({ payment, dispute, events, adjustments, records });
    return dispute;
  });
}

/** Stores the answer to a repeated choice under the request's idempotency key, if it has one. */
async function keepAnswer({ disputes, payments }: ChooseGroundDeps, known: Dispute, claim: Claim<Dispute>) {
  const records = claim(known, null);
  if (records.length > 0)
    await disputes.save({ payment: await payments.get(known.paymentId), dispute: known, events: [], records });
  return known;
}

const chosen = (
  { id, paymentId, currency }: Dispute,
  { id: adjustmentId, ground, ...adjustment }: DisputeAdjustment,
  { replaces }: GroundChoice,
): AuditedCommand => ({
  command: 'dispute.choose_ground',
  subject: id,
  details: {
    ...{ payment_id: paymentId, adjustment_id: adjustmentId, ground, currency, ...adjustedAmounts(adjustment) },
    ...(replaces && { replaces }),
  },
});
