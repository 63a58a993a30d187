import { setTimeout as pause } from 'node:timers/promises';
import { isPassing } from './errors.ts';

const maxTries = 5;
const withinMs = 2_000;

interface Try {
  abortSignal: AbortSignal;
  /** Whether an earlier try may have succeeded although no answer arrived. */
  isUncertain: boolean;
}

interface Verdicts {
  /** Whether the table has written nothing, and a later try may succeed. */
  isCancelled: (error: unknown) => boolean;
  /** Whether a retry is useless, because another writer has changed the row. */
  isOutdated: (error: unknown) => boolean;
}

/**
 * Repeats the same write until the table has decided. After the time limit, the outcome is unknown, and the next
 * request finds it. If a conflict makes the write outdated, it is given up at once, unless an earlier try may have
 * succeeded.
 */
export async function persist(
  send: (attempt: Try) => Promise<unknown>,
  { isCancelled, isOutdated }: Verdicts,
): Promise<void> {
  const abortSignal = AbortSignal.timeout(withinMs);
  let isUncertain = false;
  for (let tries = 1; ; tries += 1) {
    try {
      await send({ abortSignal, isUncertain });
      return;
    } catch (error) {
      const mayPass = isCancelled(error) || isPassing(error);
      const isInVain = !mayPass || (!isUncertain && isOutdated(error));
      if (isInVain || tries === maxTries || abortSignal.aborted) throw error;
      isUncertain ||= !isCancelled(error);
      await pause(Math.random() * 50 * 2 ** tries);
    }
  }
}
