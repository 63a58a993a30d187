import { realPace } from '../../../shared/use-cases/retry.ts';
import { world } from '../../../shared/wiring/runtime.ts';
import { clock } from '../clock.ts';
import { admitGuardScript } from '../faults/guards.ts';
import { seeded, times } from '../seeded.ts';
import { type Api, startApi } from '../shop/api.ts';
import { addProduct } from '../shop/shop.ts';
import { keepRows } from '../table/rows.ts';

/** A shop in which a race can run many times. Every run starts with the same rows and the same random numbers. */
export interface RacingShop {
  api: Api;
  productId: string;
  /** Restores the rows of the newly opened shop. */
  reopen: () => Promise<void>;
  /** Remembers the present rows. Returns a function that restores exactly these. */
  keep: () => Promise<() => Promise<void>>;
  stop: () => Promise<void>;
}

/** Derives ids and secrets from a seed. */
function seedDice(seed: number): void {
  const random = seeded(seed);
  world.randomInt = (limit) => Math.floor(random() * limit);
  world.randomBytes = (length) => Buffer.from(times(length).map(() => world.randomInt(256)));
  world.newUuid = () => {
    const hex = world.randomBytes(16).toString('hex');
    return [0, 8, 12, 16, 20].map((at, index, starts) => hex.slice(at, starts[index + 1])).join('-');
  };
}

/**
 * Opens a shop with one product and a stopped clock, in which retries do not wait. `furnish` adds the rows that all
 * races need.
 */
export async function openRacingShop(
  at: string,
  furnish: (shop: { api: Api; productId: string }) => Promise<unknown> = async () => {},
): Promise<RacingShop> {
  const api = await startApi();
  clock.stopAt(at);
  seedDice(0);
  const productId = await addProduct(api);
  await furnish({ api, productId });
  const bringBack = await keepRows(api.table);
  admitGuardScript();
  Object.assign(realPace, { random: () => 0, pause: async () => {}, elapsedMs: () => 0 });
  world.random = () => 0;
  const withDice = (bringRowsBack: () => Promise<void>, seed: number) => async () => {
    seedDice(seed);
    await bringRowsBack();
  };
  return {
    api,
    productId,
    reopen: withDice(bringBack, 1),
    keep: async () => withDice(await keepRows(api.table), 2),
    stop: async () => {
      clock.run();
      await api.stop();
    },
  };
}
