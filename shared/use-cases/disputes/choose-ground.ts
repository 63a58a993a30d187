import type { AuditedCommand } from '../../domain/access/audit.ts';
import {
  adjustedAmounts,
  type DisputeAdjustment,
  type DisputeGround,
  decideGround,
  lostAtOf,
} from '../../domain/disputes/dispute-adjustment.ts';
import type { Claim } from '../../domain/idempotency.ts';
import type { Dispute } from '../../domain/payments/dispute.ts';
import { recordAdjustmentEvent } from '../../events/catalogue.ts';
import type { DisputeStore } from '../../store/payments/dispute-store.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import { retryStale } from '../retry.ts';

export interface ChooseGroundDeps {
  disputes: Pick<DisputeStore, 'get' | 'save'>;
  payments: Pick<PaymentStore, 'get'>;
  now: () => Date;
  newId: (prefix: 'evt') => string;
}

interface Choice {
  disputeId: string;
  ground: DisputeGround;
}

/**
 * Books the merchant's ground of a lost dispute only once, with its event. If the sale is undone, it then gets a credit
 * note. Choosing the same ground again changes nothing.
 */
export function chooseGround(
  deps: ChooseGroundDeps,
  { disputeId, ground }: Choice,
  claim: Claim<Dispute>,
): Promise<Dispute> {
  return retryStale(async () => {
    const known = await deps.disputes.get(disputeId);
    const payment = await deps.payments.get(known.paymentId);
    const now = deps.now().toISOString();
    const adjustment = decideGround(payment, known, ground, now);
    if (!adjustment) return keepAnswer(deps, known, claim);
    const adjustments = [...(known.adjustments ?? []), adjustment];
    const dispute: Dispute = { ...known, lostAt: lostAtOf(known), adjustments, updatedAt: now };
    const told = recordAdjustmentEvent({ ...payment, updatedAt: now }, dispute, { id: deps.newId('evt'), now });
    await deps.disputes.save({
      payment: told.payment,
      dispute,
      events: [told.event],
      adjustment,
      records: claim(dispute, chosen(dispute, adjustment)),
    });
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
): AuditedCommand => ({
  command: 'dispute.choose_ground',
  subject: id,
  details: { payment_id: paymentId, adjustment_id: adjustmentId, ground, currency, ...adjustedAmounts(adjustment) },
});
