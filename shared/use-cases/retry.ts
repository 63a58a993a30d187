import { setTimeout as pause } from 'node:timers/promises';
import { busy } from '../domain/errors.ts';
import { StaleVersion } from '../domain/idempotency.ts';

/** The clock, the random numbers and the pauses of a retry. */
interface Pace {
  /** Milliseconds of a clock that never goes backwards. */
  elapsedMs: () => number;
  random: () => number;
  pause: (ms: number) => Promise<unknown>;
}

export const realPace: Pace = { elapsedMs: () => performance.now(), random: Math.random, pause: (ms) => pause(ms) };

/** How long new attempts may start. A function has ten seconds, so there is time for the answer to the last attempt. */
const withinMs = 6_000;
/**
 * How long new attempts may start for the second transaction of a command. It is shorter, because the row is due and
 * the sweep can finish it.
 */
export const continuesWithinMs = 3_000;
const shortestPauseMs = 10;
const longestPauseMs = 1_000;
/**
 * After how many seconds refused callers should try again. The value is random, so that they do not all come back at
 * the same moment.
 */
const returnWithinSeconds = { least: 1, most: 4 };

/**
 * Loads and decides again while another writer was faster, for six seconds. After that, it refuses with a 503 and a
 * Retry-After. The pauses double up to a second. With fifty callers on one object, there are about a hundred tries a
 * second, and one in two or three succeeds.
 */
export async function retryStale<T>(
  attempt: () => Promise<T>,
  pace: Pace = realPace,
  patienceMs = withinMs,
): Promise<T> {
  const until = pace.elapsedMs() + patienceMs;
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StaleVersion)) throw error;
      const ms = pauseMs(tries, pace.random());
      if (pace.elapsedMs() + ms > until) throw busy(error, returnInSeconds(pace.random()), error.code);
      await pace.pause(ms);
    }
  }
}

const pauseMs = (tries: number, dice: number): number =>
  shortestPauseMs + dice * Math.min(longestPauseMs, 25 * 2 ** tries);

function returnInSeconds(dice: number): number {
  const { least, most } = returnWithinSeconds;
  return least + Math.floor(dice * (most - least + 1));
}

/** A row that was already read, and the function that reads it again. */
interface ReadRow<Row> {
  read: Row;
  readAgain: () => Promise<Row>;
  patienceMs?: number;
}

/**
 * Retries while another writer was faster, like `retryStale`. It first uses a row that was already read, and reads it
 * again only for a retry.
 */
export function retryStaleFrom<Row, T>(
  { read, readAgain, patienceMs }: ReadRow<Row>,
  attempt: (row: Row) => Promise<T>,
): Promise<T> {
  let isFirst = true;
  const next = async () => {
    const row = isFirst ? read : await readAgain();
    isFirst = false;
    return attempt(row);
  };
  return retryStale(next, realPace, patienceMs);
}
