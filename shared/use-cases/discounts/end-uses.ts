import type { BuyerUses } from '../../domain/discounts/buyer-uses.ts';
import { returnUse, type UseCounter } from '../../domain/discounts/use-counter.ts';
import { type CountRow, isShard, shardWithMostUses } from '../../domain/discounts/use-shard.ts';
import { holdsItsCodes } from '../../domain/payments/charge.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { ShardStep, UseChanges } from '../../store/discounts/use-rows.ts';
import type { UseStore } from '../../store/discounts/use-store.ts';

export interface EndUsesDeps {
  payments: Pick<UseStore, 'findUses' | 'findHolds'>;
}

/**
 * The changes to the counts of codes when a payment has ended, for its own transaction. An open payment keeps its
 * reservations. A successful one turns them into paid uses. Any other payment gives its uses back.
 */
export async function endedUses({ payments }: EndUsesDeps, payment: Payment): Promise<UseChanges | undefined> {
  const { id, status, discounts = [], customer } = payment;
  if (discounts.length === 0 || status === 'processing') return undefined;
  const isPaid = holdsItsCodes(payment);
  if (isPaid && !discounts.some(({ isHeld }) => isHeld)) return undefined;
  const ids = discounts.map((discount) => discount.id);
  const holds = await payments.findHolds(id, ids);
  const ends = holds.map((hold) => ({ hold, isPaid }));
  if (isPaid) return { ends };
  const read = await payments.findUses(ids, customer.id);
  const isHeld = (discountId: string) => holds.some((hold) => hold.discountId === discountId);
  const unheld = [...read.counts].filter(([discountId]) => !isHeld(discountId)).map(([, rows]) => rows);
  const isNamed = (discountId: string) => isStarted(read.buyers.get(discountId), id);
  return {
    ends,
    counters: unheld.filter((rows) => rows.every(isCounter)).flatMap((counters) => returnUse(counters, id) ?? []),
    steps: unheld.flatMap(stepBack),
    customers: [...read.customers.values()].flatMap((uses) =>
      uses.used > 0 && !isNamed(uses.discountId) ? [{ ...uses, used: uses.used - 1 }] : [],
    ),
    first: read.first.paymentId === id ? { ...read.first, paymentId: null } : undefined,
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
  const shard = shardWithMostUses(rows.filter(isShard));
  return shard ? [{ shard, by: -1 }] : [];
}
