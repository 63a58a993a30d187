/** Nanoseconds per call: the median of interleaved rounds, so that a busy machine disturbs all contenders alike. */
export function medianNanoseconds(
  contenders: Record<string, () => unknown>,
  rounds = 15,
  roundMs = 30,
): Map<string, number> {
  const samples = new Map(Object.keys(contenders).map((name): [string, number[]] => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const [name, run] of Object.entries(contenders)) samples.get(name)?.push(nanosecondsPerCall(run, roundMs));
  return new Map([...samples].map(([name, times]) => [name, median(times)]));
}

let sink: unknown;

function nanosecondsPerCall(run: () => unknown, roundMs: number): number {
  const start = process.hrtime.bigint();
  const end = start + BigInt(roundMs) * 1_000_000n;
  let calls = 0;
  let now = start;
  while (now < end) {
    for (let repeat = 0; repeat < 20; repeat += 1) sink = run();
    calls += 20;
    now = process.hrtime.bigint();
  }
  return Number(now - start) / calls;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

export const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN;

/** A heading and its figures, in columns. */
export function report(title: string, rows: readonly (readonly [string, string])[]): void {
  const width = Math.max(...rows.map(([name]) => name.length));
  console.log(`\n${title}`);
  for (const [name, figure] of rows) console.log(`  ${name.padEnd(width)}  ${figure}`);
  if (sink === undefined) return;
  sink = undefined;
}
