import { withStarted } from '../../domain/discounts/buyer-uses.ts';
import { takeUse, type UseCounter, usesOf } from '../../domain/discounts/use-counter.ts';
import { type CountRow, isShard, newHold, shardToTake, type UseShard } from '../../domain/discounts/use-shard.ts';
import { StaleVersion } from '../../domain/idempotency.ts';
import type { Payment, PaymentDiscount } from '../../domain/payments/payment.ts';
import type { UseTake } from '../../store/discounts/hold-rows.ts';
import type { CountedUses, UseChanges } from '../../store/discounts/use-rows.ts';
import type { UseStore } from '../../store/discounts/use-store.ts';
import { findRoom } from './find-room.ts';
import { browserOf, codeRefusal, type JudgeCodeDeps, type Judged, judgeCode, type Redeemer } from './judge-code.ts';

export interface CountUsesDeps {
  payments: Pick<UseStore, 'findUses' | 'splitUses'> & JudgeCodeDeps['payments'];
  now: () => Date;
}

/** A payment with its counted codes, and the changes for its transaction. */
interface Redemption {
  payment: Payment;
  uses?: UseChanges;
}

const idsOf = (discounts: readonly PaymentDiscount[]): string[] => discounts.map(({ id }) => id);

/**
 * Decides how a payment that begins takes a use of each code. The payment's own transaction writes these uses. If a code
 * has a limit, its use is reserved while the payment is open. Refuses a code that is deleted, used up, or not allowed
 * for this customer.
 */
export async function takeUses(deps: CountUsesDeps, payment: Payment, redeemer?: Redeemer): Promise<Redemption> {
  const { discounts = [], customer } = payment;
  if (discounts.length === 0) return { payment };
  const read = await inParts(deps, idsOf(discounts), customer.id);
  const judged: Judged[] = [];
  for (const [index, discount] of discounts.entries())
    judged.push(await judgeCode(deps, { read, payment, placed: { discount, index }, redeemer }));
  const counted: Counted[] = [];
  for (const one of judged) counted.push(await countOne(deps, one, { payment, redeemer }));
  const isFirst = judged.some(({ rule }) => rule === 'first_time');
  return {
    payment: { ...payment, discounts: counted.map(({ discount }) => discount) },
    uses: {
      counters: counted.flatMap(({ counter }) => counter ?? []),
      steps: counted.flatMap(({ step }) => (step ? [{ shard: step, by: 1 as const }] : [])),
      takes: counted.flatMap(({ take }) => take ?? []),
      buyers: judged.map(({ buyer }) => withStarted(buyer, payment.id, browserOf(redeemer))),
      first: isFirst ? { ...read.first, paymentId: payment.id, browser: browserOf(redeemer) } : undefined,
    },
  };
}

/**
 * Reads the rows that count the uses of codes. If a code has a limit, in total or for each customer, its plain counters
 * are first replaced by shards.
 */
async function inParts({ payments }: CountUsesDeps, ids: readonly string[], customerId: string): Promise<CountedUses> {
  const read = await payments.findUses(ids, customerId);
  const plain = [...read.counts.values()].filter(isDivisible);
  if (plain.length === 0) return read;
  for (const counters of plain) await payments.splitUses(counters);
  return payments.findUses(ids, customerId);
}

/**
 * Whether plain counters must be replaced by shards. A limit for each customer also needs that, although it reserves
 * nothing. Version 0.2.0 cannot see uses in shards, so its counters must be closed.
 */
function isDivisible(rows: readonly CountRow[]): rows is UseCounter[] {
  const [first] = rows;
  return first !== undefined && !isShard(first) && (first.usageLimit !== null || first.perCustomerLimit !== null);
}

interface Counted {
  discount: PaymentDiscount;
  /** The plain counter, with this use added. */
  counter?: UseCounter;
  /** The shard to which this use is added without a reservation. */
  step?: UseShard;
  /** How this use is taken from a shard with a limit. */
  take?: UseTake;
}

interface Counting {
  payment: Payment;
  redeemer: Redeemer | undefined;
}

/** Takes one more use of one code. */
async function countOne(deps: CountUsesDeps, judged: Judged, counting: Counting): Promise<Counted> {
  const shards = judged.rows.filter(isShard);
  const [first] = shards;
  if (!first) return countPlain(judged, counting.payment);
  if (first.quota !== null) return takeFrom(deps, shards, judged, counting);
  const step = shardToTake(shards, counting.payment.id);
  return { discount: countedDiscount(judged), ...(step ? { step } : {}) };
}

const countedDiscount = ({ discount, rows }: Judged): PaymentDiscount => ({ ...discount, timesUsed: usesOf(rows) + 1 });

function countPlain(judged: Judged, { id }: Payment): Counted {
  const counter = takeUse(
    judged.rows.filter((row): row is UseCounter => !isShard(row)),
    id,
  );
  if (counter === 'changed') throw new StaleVersion();
  if (typeof counter === 'string') throw codeRefusal(counter, judged);
  return { discount: countedDiscount(judged), counter };
}

/** Takes a use of a code with a limit. While the payment is open, the use is reserved. */
async function takeFrom(
  deps: CountUsesDeps,
  shards: readonly UseShard[],
  judged: Judged,
  { payment, redeemer }: Counting,
): Promise<Counted> {
  const shard = await findRoom(deps, { shards, paymentId: payment.id, passOn: redeemer?.passOn });
  if (typeof shard === 'string') throw codeRefusal(shard, judged);
  const discount = countedDiscount(judged);
  if (payment.status !== 'processing') return { discount, take: { shard } };
  const hold = newHold(shard, payment, redeemer?.place.network ?? null);
  return { discount: { ...discount, isHeld: true }, take: { shard, hold } };
}
