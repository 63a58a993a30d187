/** A repeatable source of random numbers: the same seed gives the same numbers (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Returns a random whole number from `least` to `most`, both included. */
export const between = (random: () => number, least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1));

export const pickOne = <Item>(random: () => number, items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)] as Item;

/**
 * The number of cases that a test takes: few in a normal run, more in `npm run guards`, which sets CAMPAIGN=guards, and all
 * with CAMPAIGN=full.
 */
export function campaign<Amount>(all: Amount, more: Amount, few = more): Amount {
  const level = process.env['CAMPAIGN'];
  if (level === 'full') return all;
  return level === 'guards' ? more : few;
}

/** Runs work for each item, with a limit on how many run at once. The results have the order of the items. */
export async function inTurn<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  act: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const work = async () => {
    for (const [index, item] of queue) results[index] = await act(item, index);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work));
  return results;
}

export const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Counts how often each name occurs: `{200: 17, '503 SERVICE_UNAVAILABLE': 4}`. */
export function tally(names: readonly (string | number)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
