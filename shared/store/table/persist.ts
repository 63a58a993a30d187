import { setTimeout as pause } from 'node:timers/promises';
import { isPassing } from './errors.ts';

const maxTries = 5;
const withinMs = 2_000;
/** The tries and the longest pause of a write that many others get in the way of, each for a moment. */
const eager = { maxTries: 60, longestPauseMs: 30 };

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
  /** Whether to try often and with short pauses. */
  isEager?: boolean;
}

const longestPauseMs = (tries: number, isEager: boolean): number => (isEager ? eager.longestPauseMs : 50 * 2 ** tries);

/**
 * Repeats the same write until the table has decided. After the time limit, the outcome is unknown, and the next
 * request finds it. If a conflict makes the write outdated, it is given up at once, unless an earlier try may have
 * succeeded.
 */
export async function persist(
  send: (attempt: Try) => Promise<unknown>,
  { isCancelled, isOutdated, isEager = false }: Verdicts,
): Promise<void> {
  const abortSignal = AbortSignal.timeout(withinMs);
  const most = isEager ? eager.maxTries : maxTries;
  let isUncertain = false;
  const mayPass = (error: unknown) => isCancelled(error) || isPassing(error);
  const isInVain = (error: unknown) => !mayPass(error) || (!isUncertain && isOutdated(error));
  for (let tries = 1; ; tries += 1) {
    try {
      await send({ abortSignal, isUncertain });
      return;
    } catch (error) {
      if (isInVain(error) || tries === most || abortSignal.aborted) throw error;
      isUncertain ||= !isCancelled(error);
      await pause(Math.random() * longestPauseMs(tries, isEager));
    }
  }
}
