import {
  type CountRow,
  holdsOf,
  isCrowded,
  isShard,
  type PlacedHold,
  shardToTake,
  type UseShard,
  type UseTaker,
  wasFull,
} from '../../domain/discounts/use-shard.ts';
import { DomainError } from '../../domain/errors.ts';
import { StaleVersion } from '../../domain/idempotency.ts';
import type { UseStore } from '../../store/discounts/use-store.ts';

export interface HoldUseDeps {
  payments: Pick<UseStore, 'findUses' | 'splitUses' | 'holdUse' | 'endHold'>;
  now: () => Date;
}

interface HoldSearch {
  /** The shards of the code's counter, as they were read. */
  shards: readonly UseShard[];
  taker: UseTaker;
  passOn: ((shards: readonly UseShard[]) => Promise<boolean>) | undefined;
}

/** How often a request looks for a free use before it gives up with a temporary error. */
const mostLooks = 20;

/** How many old reservations of other payments one request tries to end. */
const mostPassedOn = 3;

/**
 * Reserves a use of a limited code for a payment. The code is refused as used up only if all shards were full at the
 * same moment.
 */
export async function holdUse(
  deps: HoldUseDeps,
  { shards: read, taker, passOn }: HoldSearch,
): Promise<UseShard | 'DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED'> {
  let shards = read;
  let passedOn = 0;
  for (let looks = 0; looks < mostLooks; looks += 1) {
    if (isCrowded(shards, taker.network)) throw crowded();
    const held = await take(deps, shards, taker);
    if (held) return assertRoomFor(deps, { shards, held, taker });
    const again = await readAgain(deps, read);
    if (!wasFull(shards, again)) {
      shards = again;
      continue;
    }
    if (passedOn === mostPassedOn || !(await passOn?.(again))) return 'DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED';
    passedOn += 1;
    shards = await readAgain(deps, read);
  }
  throw new StaleVersion('DISCOUNT_CONCURRENT_REDEMPTION');
}

async function take({ payments, now }: HoldUseDeps, shards: readonly UseShard[], taker: UseTaker) {
  const target = shardToTake(shards, taker);
  return target && payments.holdUse(target, { ...taker, now: now() });
}

/** Reads the shards again. If the rules of the code have changed, the checks of the customer start again. */
async function readAgain({ payments }: HoldUseDeps, before: readonly UseShard[]): Promise<UseShard[]> {
  const [first] = before;
  const id = first?.discountId ?? '';
  const rows: readonly CountRow[] = (await payments.findUses([id], '')).counts.get(id) ?? [];
  const shards = rows.filter(isShard);
  if (shards.some(({ rules }) => rules !== first?.rules)) throw new StaleVersion('DISCOUNT_CONCURRENT_REDEMPTION');
  return shards;
}

/** Refuses a reservation if the network already has too many unpaid ones. */
async function assertRoomFor(
  deps: HoldUseDeps,
  { shards, held, taker: { paymentId, network } }: { shards: readonly UseShard[]; held: UseShard; taker: UseTaker },
): Promise<UseShard> {
  const all = shards.map((shard) => (shard.shard === held.shard ? held : shard));
  if (!isCrowded(all, network)) return held;
  await giveNewHoldsBack(deps, [held], paymentId);
  throw crowded();
}

const crowded = (): DomainError =>
  new DomainError(
    'TOO_MANY_REQUESTS',
    'Too many payments with this code are open from this network. Finish one of them, or try again in 15 minutes.',
    { retryAfterSeconds: 60 },
  );

/**
 * Gives back the uses that a request reserved for a payment that was not started. An older reservation stays, because
 * it may belong to another request of the same payment. If that request has crashed too, the sweep ends the
 * reservation.
 */
export async function giveNewHoldsBack(
  { payments }: HoldUseDeps,
  taken: readonly UseShard[],
  paymentId: string,
): Promise<void> {
  const isNew = (placed: PlacedHold): boolean => placed.paymentId === paymentId && placed.hold.turn === 0;
  const holds = taken.flatMap(holdsOf).filter(isNew);
  await Promise.allSettled(holds.map((hold) => payments.endHold(hold, false)));
}
