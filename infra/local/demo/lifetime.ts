interface Part {
  stop(): Promise<void>;
}

const parts: Promise<Part>[] = [];
let ending: Promise<never> | undefined;

/** Starts a part that the end of the process will stop, even when that comes before the part has started. */
export function untilTheEnd<Started extends Part>(starting: Promise<Started>): Promise<Started> {
  parts.push(starting);
  return starting;
}

async function stopParts(exitCode: number): Promise<never> {
  setTimeout(() => process.exit(exitCode), 5_000).unref();
  for (const part of parts.toReversed()) await part.then((started) => started.stop()).catch(() => {});
  process.exit(exitCode);
}

/** Stops the parts, last one first, and ends the process; when it is ending already, that goes on as it is. */
export function end(exitCode: number): Promise<never> {
  ending ??= stopParts(exitCode);
  return ending;
}

/** Whether errors are no news any more: what they miss has been stopped. */
export const isEnding = (): boolean => ending !== undefined;

/** Ends with 0 when the terminal or the system says so; npm itself passes a signal no further than to its shell. */
export function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0));
  const shell = process.ppid;
  const isOrphan = () => process.env.npm_lifecycle_event !== undefined && process.ppid !== shell;
  setInterval(() => void (isOrphan() && end(0)), 500).unref();
}
