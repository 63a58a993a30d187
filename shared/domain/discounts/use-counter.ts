import * as z from 'zod';
import { DomainError } from '../errors.ts';
import { type Discount, eligibilities } from './discount.ts';

/**
 * One of the rows that count the uses of a code, with the limits for the next use. A change of the code writes all of
 * these rows. So a payment that has read older limits finds a changed version, and fails.
 */
export const UseCounter = z.object({
  discountId: z.string(),
  shard: z.int(),
  used: z.int(),
  usageLimit: z.int().nullable(),
  perCustomerLimit: z.int().nullable(),
  eligibility: z.enum(eligibilities),
  isDeleted: z.boolean(),
  /** How often this row was written; 0 before the first write. A writer that read an older version fails. */
  version: z.int(),
});
export type UseCounter = z.infer<typeof UseCounter>;

/**
 * The number of rows that count the uses of a code without a limit. With several rows, many buyers at once do not block
 * each other.
 */
export const shardsPerCode = 8;

const shards = Array.from({ length: shardsPerCode }, (_, shard) => shard);

export const usesOf = (counters: readonly Pick<UseCounter, 'used'>[]): number =>
  counters.reduce((total, { used }) => total + used, 0);

const rulesOf = (discount: Discount) => ({
  usageLimit: discount.usageLimit,
  perCustomerLimit: discount.perCustomerLimit,
  eligibility: discount.eligibility,
  isDeleted: discount.deletedAt !== null,
});

export const newCounters = (discount: Discount): UseCounter[] =>
  shards.map((shard) => ({ discountId: discount.id, shard, used: 0, ...rulesOf(discount), version: 0 }));

/** Refuses a limit below the number of uses. */
export function assertAbove({ usageLimit }: Pick<Discount, 'usageLimit'>, used: number): void {
  if (usageLimit === null || usageLimit >= used) return;
  throw new DomainError(
    'DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED',
    `The code is used ${used} times already. Its limit cannot be lower.`,
    { faults: [{ path: 'usage_limit', message: `must be at least ${used}.` }] },
  );
}

/**
 * The counters after a change of the code. A code with a limit uses only its first row, because only one row can
 * enforce a limit exactly. Refuses a limit below the number of uses.
 */
export function recount(counters: readonly UseCounter[], discount: Discount): UseCounter[] {
  const used = usesOf(counters);
  assertAbove(discount, used);
  const counted = (counter: UseCounter): number => (counter.shard === 0 ? used : 0);
  return counters.map((counter) => ({
    ...counter,
    ...rulesOf(discount),
    used: discount.usageLimit === null ? counter.used : counted(counter),
  }));
}

/** The counter in which a payment's use is counted. */
const counterFor = (counters: readonly UseCounter[], paymentId: string): UseCounter => {
  const [first] = counters;
  const own = first?.usageLimit === null ? counters[shardOf(paymentId)] : first;
  if (own === undefined) throw new RangeError('The code has no counters.');
  return own;
};

/** Spreads payments over the counters. Ids are random, so the last character is enough. */
export const shardOf = (paymentId: string): number =>
  (paymentId.codePointAt(paymentId.length - 1) ?? 0) % shardsPerCode;

/** The counter after one more use, or the reason why there is none. */
export function takeUse(
  counters: readonly UseCounter[],
  paymentId: string,
): UseCounter | 'INVALID_DISCOUNT_CODE' | 'DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED' | 'changed' {
  const counter = counterFor(counters, paymentId);
  if (counter.isDeleted) return 'INVALID_DISCOUNT_CODE';
  if (counter.usageLimit === null) return { ...counter, used: counter.used + 1 };
  // A limit was set after the first row was read and before this row was read, so the rows must be read again.
  if (counter.shard !== 0) return 'changed';
  return counter.used < counter.usageLimit
    ? { ...counter, used: counter.used + 1 }
    : 'DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED';
}

/**
 * The counter after a use was given back. It is the counter of the payment, or any other that has a use, because a new
 * limit moves all uses into the first row.
 */
export function returnUse(counters: readonly UseCounter[], paymentId: string): UseCounter | undefined {
  const own = counterFor(counters, paymentId);
  const counter = own.used > 0 ? own : counters.find(({ used }) => used > 0);
  return counter && { ...counter, used: counter.used - 1 };
}

/** How often a customer has used a code. */
export const CustomerUses = z.object({
  discountId: z.string(),
  customerId: z.string(),
  used: z.int(),
  /** How often this row was written; 0 before the first write. A writer that read an older version fails. */
  version: z.int(),
});
export type CustomerUses = z.infer<typeof CustomerUses>;
