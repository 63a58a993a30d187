import { type CountRow, isShard, shardToTake, type UseShard, wasFull } from '../../domain/discounts/use-shard.ts';
import { StaleVersion } from '../../domain/idempotency.ts';
import type { UseStore } from '../../store/discounts/use-store.ts';

export interface FindRoomDeps {
  payments: Pick<UseStore, 'findUses'>;
}

interface RoomSearch {
  /** The shards of the code's counter, as they were read. */
  shards: readonly UseShard[];
  paymentId: string;
  passOn: ((discountId: string) => Promise<boolean>) | undefined;
}

/** How often a request looks for a free use before it gives up with a temporary error. */
const mostLooks = 20;

/** How many old reservations of other payments one request tries to end. */
const mostPassedOn = 3;

/**
 * Finds a shard with a free use of a limited code. The code is refused as used up only if all shards were full at the
 * same moment.
 */
export async function findRoom(
  deps: FindRoomDeps,
  { shards: read, paymentId, passOn }: RoomSearch,
): Promise<UseShard | 'DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED'> {
  const id = read[0]?.discountId ?? '';
  let shards = read;
  let passedOn = 0;
  for (let looks = 0; looks < mostLooks; looks += 1) {
    const target = shardToTake(shards, paymentId);
    if (target) return target;
    const again = await readAgain(deps, read);
    if (!wasFull(shards, again)) {
      shards = again;
      continue;
    }
    if (passedOn === mostPassedOn || !(await passOn?.(id))) return 'DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED';
    passedOn += 1;
    shards = await readAgain(deps, read);
  }
  throw new StaleVersion('DISCOUNT_CONCURRENT_REDEMPTION');
}

/** Reads the shards again. If the rules of the code have changed, the checks of the customer start again. */
async function readAgain({ payments }: FindRoomDeps, before: readonly UseShard[]): Promise<UseShard[]> {
  const [first] = before;
  const id = first?.discountId ?? '';
  const rows: readonly CountRow[] = (await payments.findUses([id], '')).counts.get(id) ?? [];
  const shards = rows.filter(isShard);
  if (shards.some(({ rules }) => rules !== first?.rules)) throw new StaleVersion('DISCOUNT_CONCURRENT_REDEMPTION');
  return shards;
}
