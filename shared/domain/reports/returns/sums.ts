/** Adds up figures of rows with equal keys. The rows keep the order of their keys. */
export function summing<Key extends object, Figures extends Record<string, number>>() {
  const rows = new Map<string, Key & Figures>();
  return {
    add(key: Key, figures: Figures): void {
      const name = JSON.stringify(Object.values(key));
      const known: Record<string, number> | undefined = rows.get(name);
      const total = Object.fromEntries(
        Object.entries(figures).map(([figure, value]) => [figure, (known?.[figure] ?? 0) + value]),
      );
      rows.set(name, { ...key, ...(total as Figures) });
    },
    rows: (): (Key & Figures)[] => [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row),
  };
}
