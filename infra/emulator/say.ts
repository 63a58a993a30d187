/** Writes a line for the person at the terminal. */
export const say = (text: string): void => void process.stdout.write(`${text}\n`);

const started = performance.now();

/** Writes a heading, with the time since the start. */
export const announce = (heading: string): void => say(`\n[${secondsSince(started).padStart(5)} s] ${heading}`);

const secondsSince = (instant: number): string => ((performance.now() - instant) / 1_000).toFixed(0);

/** The duration of each step, for the summary. */
export const timings: { step: string; seconds: number }[] = [];

/** Runs a step and stores its duration. */
export async function timed<Result>(step: string, act: () => Promise<Result>): Promise<Result> {
  announce(step);
  const startedAt = performance.now();
  const result = await act();
  timings.push({ step, seconds: (performance.now() - startedAt) / 1_000 });
  return result;
}
