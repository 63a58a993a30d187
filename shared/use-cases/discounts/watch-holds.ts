import { abandonedAfterMs, holdsOf, type PlacedHold } from '../../domain/discounts/use-shard.ts';
import { holdsItsCodes } from '../../domain/payments/charge.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { UseStore } from '../../store/discounts/use-store.ts';

export interface WatchHoldsDeps {
  payments: Pick<UseStore, 'findShard' | 'endHold' | 'endWatch'> & {
    find: (id: string) => Promise<Payment | undefined>;
  };
  now: () => Date;
}

/** After how many seconds payments that stay open are checked again. */
const againSeconds = 600;

/**
 * Ends abandoned reservations in a shard. Their payment was never written, or the function crashed right after it
 * stored the end of the payment. Returns after how many seconds the other reservations must be checked; undefined if
 * there are none.
 */
export async function watchHolds(deps: WatchHoldsDeps, discountId: string, shard: number): Promise<number | undefined> {
  const isOld = ({ hold }: PlacedHold) => deps.now().getTime() - hold.at >= abandonedAfterMs;
  const holds = async () =>
    (await deps.payments.findShard(discountId, shard).then((found) => found && holdsOf(found))) ?? [];
  const old = (await holds()).filter(isOld);
  for (const hold of old) {
    const payment = await deps.payments.find(hold.paymentId);
    const isHeld = payment !== undefined && holdsItsCodes(payment) && isIn(payment, hold);
    if (!isHeld || payment.status === 'succeeded') await deps.payments.endHold(hold, isHeld);
  }
  await deps.payments.endWatch(discountId, shard);
  const left = await holds();
  if (left.length === 0) return undefined;
  return left.every(isOld) ? againSeconds : abandonedAfterMs / 1_000;
}

/** Whether a payment has its use of a code in this shard. Version 0.2.0 does not store the number of the shard. */
const isIn = ({ discounts = [] }: Payment, { discountId, shard }: PlacedHold): boolean =>
  discounts.some(({ id, heldIn = shard }) => id === discountId && heldIn === shard);
