import { withStarted } from '../../domain/discounts/buyer-uses.ts';
import { takeUse, type UseCounter, usesOf } from '../../domain/discounts/use-counter.ts';
import { type CountRow, isShard, shardToTake, type UseShard } from '../../domain/discounts/use-shard.ts';
import { StaleVersion } from '../../domain/idempotency.ts';
import type { Payment, PaymentDiscount } from '../../domain/payments/payment.ts';
import type { CountedUses, UseChanges } from '../../store/discounts/use-rows.ts';
import { giveNewHoldsBack, type HoldUseDeps, holdUse } from './hold-use.ts';
import { browserOf, codeRefusal, type JudgeCodeDeps, type Judged, judgeCode, type Redeemer } from './judge-code.ts';

export interface CountUsesDeps {
  payments: HoldUseDeps['payments'] & JudgeCodeDeps['payments'];
  now: () => Date;
}

/** A payment with its counted codes, and the changes for its transaction. */
interface Redemption {
  payment: Payment;
  uses?: UseChanges;
}

const idsOf = (discounts: readonly PaymentDiscount[]): string[] => discounts.map(({ id }) => id);

/**
 * Takes a use of each code when a payment begins. For a code with a limit, a use is held at once. Other uses are
 * counted in the payment's own transaction. Refuses a code that is deleted, used up, or not allowed for this customer.
 * If the payment is never written, its hold ends automatically.
 */
export async function takeUses(deps: CountUsesDeps, payment: Payment, redeemer?: Redeemer): Promise<Redemption> {
  const { discounts = [], customer } = payment;
  if (discounts.length === 0) return { payment };
  const read = await inParts(deps, idsOf(discounts), customer.id);
  const judged: Judged[] = [];
  for (const [index, discount] of discounts.entries())
    judged.push(await judgeCode(deps, { read, payment, placed: { discount, index }, redeemer }));
  const counted = await countAll(deps, judged, { payment, redeemer });
  const isFirst = judged.some(({ rule }) => rule === 'first_time');
  return {
    payment: { ...payment, discounts: counted.map(({ discount }) => discount) },
    uses: {
      counters: counted.flatMap(({ counter }) => counter ?? []),
      steps: counted.flatMap(({ step }) => (step ? [{ shard: step, by: 1 as const }] : [])),
      buyers: judged.map(({ buyer }) => withStarted(buyer, payment.id, browserOf(redeemer))),
      first: isFirst ? { ...read.first, paymentId: payment.id, browser: browserOf(redeemer) } : undefined,
    },
  };
}

/**
 * Reads the counts of codes. If a code has a limit, in total or for each customer, its plain counters are first
 * replaced by parts.
 */
async function inParts({ payments }: CountUsesDeps, ids: readonly string[], customerId: string): Promise<CountedUses> {
  const read = await payments.findUses(ids, customerId);
  const plain = [...read.counts.values()].filter(isDivisible);
  if (plain.length === 0) return read;
  for (const counters of plain) await payments.splitUses(counters);
  return payments.findUses(ids, customerId);
}

/**
 * Whether plain counters must be replaced by parts. This is also true for a limit for each customer, although its parts
 * hold nothing. Version 0.2.0 cannot see later uses, so it must find its counters closed.
 */
function isDivisible(rows: readonly CountRow[]): rows is UseCounter[] {
  const [first] = rows;
  return first !== undefined && !isShard(first) && (first.usageLimit !== null || first.perCustomerLimit !== null);
}

interface Counted {
  discount: PaymentDiscount;
  /** A plain counter that includes this use. */
  counter?: UseCounter;
  /** A part that counts this use without a hold. */
  step?: UseShard;
  /** The part that holds this use. */
  held?: UseShard;
}

interface Counting {
  payment: Payment;
  redeemer: Redeemer | undefined;
}

/** Takes one more use of every code, or of none. */
async function countAll(deps: CountUsesDeps, judged: readonly Judged[], counting: Counting): Promise<Counted[]> {
  const counted: Counted[] = [];
  try {
    for (const one of judged) counted.push(await countOne(deps, one, counting));
    return counted;
  } catch (error) {
    const taken = counted.flatMap(({ held }) => held ?? []);
    await giveNewHoldsBack(deps, taken, counting.payment.id);
    throw error;
  }
}

/** Takes one more use of one code. */
async function countOne(
  deps: CountUsesDeps,
  { discount, index, rows }: Judged,
  { payment, redeemer }: Counting,
): Promise<Counted> {
  const timesUsed = usesOf(rows) + 1;
  const network = redeemer?.place.network ?? null;
  const taker = { paymentId: payment.id, network };
  const shards = rows.filter(isShard);
  const [first] = shards;
  if (!first) {
    const counter = takeUse(
      rows.filter((row): row is UseCounter => !isShard(row)),
      payment.id,
    );
    if (counter === 'changed') throw new StaleVersion();
    if (typeof counter === 'string') throw codeRefusal(counter, { discount, index });
    return { discount: { ...discount, timesUsed }, counter };
  }
  if (first.quota === null) {
    const step = shardToTake(shards, { paymentId: payment.id, network: null });
    return { discount: { ...discount, timesUsed }, ...(step ? { step } : {}) };
  }
  const held = await holdUse(deps, { shards, taker, passOn: redeemer?.passOn });
  if (typeof held === 'string') throw codeRefusal(held, { discount, index });
  return { discount: { ...discount, timesUsed, heldIn: held.shard }, held };
}
