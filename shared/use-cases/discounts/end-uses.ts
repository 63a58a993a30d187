import type { BuyerUses } from '../../domain/discounts/buyer-uses.ts';
import { returnUse, type UseCounter } from '../../domain/discounts/use-counter.ts';
import {
  type CountRow,
  holdsOf,
  isShard,
  type PlacedHold,
  shardWithSettledUse,
} from '../../domain/discounts/use-shard.ts';
import { StaleVersion } from '../../domain/idempotency.ts';
import { holdsItsCodes } from '../../domain/payments/charge.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { describeError, logWarn } from '../../log.ts';
import type { ShardStep, UseChanges } from '../../store/discounts/use-rows.ts';
import type { UseStore } from '../../store/discounts/use-store.ts';

export interface EndUsesDeps {
  payments: Pick<UseStore, 'findUses' | 'endHold'>;
}

/** The changes to the counts of codes when a payment has ended. */
export interface EndedUses {
  /** The changes to write in the payment's own transaction. */
  changes?: UseChanges;
  /** The reservations to end after that transaction. */
  holds: readonly PlacedHold[];
}

const none: EndedUses = { holds: [] };

/**
 * Decides what happens to the uses of a payment. An open payment keeps its reservations. A successful one turns them
 * into paid uses. Any other payment gives them back.
 */
export async function endedUses({ payments }: EndUsesDeps, payment: Payment): Promise<EndedUses> {
  const { id, status, discounts = [], customer } = payment;
  if (discounts.length === 0 || status === 'processing') return none;
  if (holdsItsCodes(payment)) return { holds: discounts.flatMap((discount) => confirmedHold(payment, discount)) };
  const read = await payments.findUses(
    discounts.map((discount) => discount.id),
    customer.id,
  );
  const rows = [...read.counts.values()];
  const isHeld = (discountId: string, parts: readonly CountRow[]) =>
    parts.some((part) => isShard(part) && part.held[id]) ||
    discounts.some((discount) => discount.id === discountId && discount.heldIn !== undefined);
  const unheld = [...read.counts].filter(([discountId, parts]) => !isHeld(discountId, parts)).map(([, parts]) => parts);
  const isNamed = (discountId: string) => isStarted(read.buyers.get(discountId), id);
  return {
    changes: {
      counters: unheld.filter((parts) => parts.every(isCounter)).flatMap((counters) => returnUse(counters, id) ?? []),
      steps: unheld.flatMap(stepBack),
      customers: [...read.customers.values()].flatMap((uses) =>
        uses.used > 0 && !isNamed(uses.discountId) ? [{ ...uses, used: uses.used - 1 }] : [],
      ),
      first: read.first.paymentId === id ? { ...read.first, paymentId: null } : undefined,
    },
    holds: rows.flatMap((parts) => parts.filter(isShard).flatMap(holdsOf)).filter(({ paymentId }) => paymentId === id),
  };
}

const isCounter = (row: CountRow): row is UseCounter => !isShard(row);

/**
 * Whether a customer's row lists a payment. If not, the payment was started by version 0.2.0, which stored only a
 * number.
 */
const isStarted = (uses: BuyerUses | undefined, id: string): boolean =>
  uses?.begun.some(({ paymentId }) => paymentId === id) === true;

/** Gives back a use that was counted without a reservation. Such a use is older than the code's limit or its shards. */
function stepBack(rows: readonly CountRow[]): ShardStep[] {
  const shard = shardWithSettledUse(rows.filter(isShard));
  return shard ? [{ shard, by: -1 }] : [];
}

const confirmedHold = ({ id }: Payment, { id: discountId, heldIn }: NonNullable<Payment['discounts']>[number]) =>
  heldIn === undefined ? [] : [{ discountId, shard: heldIn, paymentId: id, hold: { at: 0, network: null, turn: 0 } }];

/**
 * Ends the reservations of a payment whose end is stored. If this fails, the sweep repeats it, because the payment's
 * row shows that the payment has ended.
 */
export async function endHolds(
  { payments }: EndUsesDeps,
  payment: Pick<Payment, 'id' | 'status'>,
  holds: readonly PlacedHold[],
): Promise<void> {
  const endings = holds.map((hold) => payments.endHold(hold, payment.status === 'succeeded'));
  for (const ending of await Promise.allSettled(endings))
    if (ending.status === 'rejected')
      logWarn('a hold of a code has not ended; the sweep ends it', {
        payment_id: payment.id,
        ...(ending.reason instanceof StaleVersion ? {} : describeError(ending.reason)),
      });
}
