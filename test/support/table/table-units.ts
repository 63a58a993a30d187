/** What one partition key of a table or an index takes in a second. */
const unitsPerSecond = { writes: 1_000, reads: 3_000 } as const;

type Direction = keyof typeof unitsPerSecond;

/** The most units in one second, of the whole table and of one partition key. */
export interface Peak {
  table: number;
  partition: number;
  /** The partition key with that maximum. */
  busiest: string;
}

type Row = Record<string, unknown>;

const bytesOf = (row: Row): number => Buffer.byteLength(JSON.stringify(row));

/** Counts the units of each partition key in the current second. Sizes are those of the rows' JSON. */
export function tableUnits() {
  const spent = { writes: new Map<string, number>(), reads: new Map<string, number>() };
  const used = { writes: 0, reads: 0 };
  const peaks: Record<Direction, Peak> = {
    writes: { table: 0, partition: 0, busiest: '' },
    reads: { table: 0, partition: 0, busiest: '' },
  };
  /** The size of each row that was written or read whole. */
  const sizes = new Map<string, number>();
  let second = 0;
  const turn = (): void => {
    const now = Math.floor(performance.now() / 1_000);
    if (now === second) return;
    second = now;
    for (const direction of ['writes', 'reads'] as const) {
      spent[direction].clear();
      used[direction] = 0;
    }
  };
  const add = (direction: Direction, partition: string, units: number): void => {
    turn();
    const peak = peaks[direction];
    const own = (spent[direction].get(partition) ?? 0) + units;
    spent[direction].set(partition, own);
    used[direction] += units;
    peak.table = Math.max(peak.table, used[direction]);
    if (own > peak.partition) Object.assign(peak, { partition: own, busiest: partition });
  };
  return {
    peaks: () => peaks,
    hasRoom: (direction: Direction, partition: string): boolean => {
      turn();
      return (spent[direction].get(partition) ?? 0) < unitsPerSecond[direction];
    },
    write: (partition: string, units: number) => add('writes', partition, units),
    /** The units of a written row. The size of an updated row is that of when it was last seen whole. */
    writtenSize: (key: string, row: Row): number => {
      if ('data' in row) sizes.set(key, bytesOf(row));
      return Math.max(1, Math.ceil((sizes.get(key) ?? 0) / 1_024));
    },
    /** Charges what was read: at least one step of 4 kB for each row or query, of which some cost half. */
    read: (each: number, partitions: readonly string[], rows: readonly Row[]): void => {
      const byPartition = new Map(partitions.map((partition) => [partition, 0]));
      for (const row of rows) {
        const bytes = bytesOf(row);
        if ('data' in row) sizes.set(`${row['pk']} ${row['sk']}`, bytes);
        const partition = partitions.length === 1 ? String(partitions[0]) : String(row['pk']);
        byPartition.set(partition, (byPartition.get(partition) ?? 0) + bytes);
      }
      for (const [partition, bytes] of byPartition)
        add('reads', partition, each * Math.max(1, Math.ceil(bytes / 4_096)));
    },
  };
}
