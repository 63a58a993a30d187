/** An entry that was refused, and the reason. */
export interface RefusedEntry<Entry> {
  entry: Entry;
  reason: string;
}

/** How often an entry is sent at most. There is no pause between the tries. */
const maxTries = 3;

/** Sends a batch, then sends its refused entries again. If a call fails, all of its entries count as refused. */
export async function sendPersistently<Entry>(
  batch: readonly Entry[],
  send: (batch: readonly Entry[]) => Promise<RefusedEntry<Entry>[]>,
): Promise<RefusedEntry<Entry>[]> {
  let left = batch;
  let refused: RefusedEntry<Entry>[] = [];
  for (let tries = 0; tries < maxTries && left.length > 0; tries += 1) {
    refused = await send(left).catch((error: unknown) => refuseAll(left, error));
    left = refused.map(({ entry }) => entry);
  }
  return refused;
}

const refuseAll = <Entry>(batch: readonly Entry[], error: unknown): RefusedEntry<Entry>[] =>
  batch.map((entry) => ({ entry, reason: error instanceof Error ? error.name : String(error) }));
