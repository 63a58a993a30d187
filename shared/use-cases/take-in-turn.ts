/** Works on items in order, several at once, until none is left or `hasTime` returns false. */
export async function takeInTurn<Item>(
  items: readonly Item[],
  { atOnce, hasTime }: { atOnce: number; hasTime: () => boolean },
  take: (item: Item) => Promise<unknown>,
): Promise<void> {
  const queue = items.values();
  const work = async () => {
    for (const item of queue) {
      if (!hasTime()) return;
      await take(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work));
}
