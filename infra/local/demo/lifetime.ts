interface Part {
  stop(): Promise<void>;
}

const parts: Promise<Part>[] = [];
let ending: Promise<never> | undefined;

/** Starts a part. At the end of the process, the part is stopped, even if the process ends while it starts. */
export function untilTheEnd<Started extends Part>(starting: Promise<Started>): Promise<Started> {
  parts.push(starting);
  return starting;
}

async function stopParts(exitCode: number): Promise<never> {
  setTimeout(() => process.exit(exitCode), 5_000).unref();
  for (const part of parts.toReversed()) await part.then((started) => started.stop()).catch(() => {});
  process.exit(exitCode);
}

/** Stops the parts in reverse order, then ends the process. A second call does nothing. */
export function end(exitCode: number): Promise<never> {
  ending ??= stopParts(exitCode);
  return ending;
}

/** Whether the process is ending. Then errors of stopped parts can be ignored. */
export const isEnding = (): boolean => ending !== undefined;

/**
 * Ends the process with exit code 0 after a signal from the terminal or the system. npm sends a signal only to its
 * shell.
 */
export function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0));
  const shell = process.ppid;
  const isOrphan = () => process.env.npm_lifecycle_event !== undefined && process.ppid !== shell;
  setInterval(() => void (isOrphan() && end(0)), 500).unref();
}
