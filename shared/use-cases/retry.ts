import { setTimeout as pause } from 'node:timers/promises';
import { busy } from '../domain/errors.ts';
import { StaleVersion } from '../domain/idempotency.ts';

/** The clock, the random numbers and the pauses of a retry. */
interface Pace {
  /** Milliseconds by a clock that never goes back. */
  elapsedMs: () => number;
  random: () => number;
  pause: (ms: number) => Promise<unknown>;
}

export const realPace: Pace = { elapsedMs: () => performance.now(), random: Math.random, pause: (ms) => pause(ms) };

/** How long attempts may start. A function has ten seconds, so the answer to the last attempt still arrives. */
const withinMs = 6_000;
/**
 * The same for the second transaction of a command. It gives up sooner, because its row is due and the sweep finishes
 * it.
 */
export const continuesWithinMs = 3_000;
const shortestPauseMs = 10;
const longestPauseMs = 1_000;
/** Spreads the retries of refused callers, so they do not return at the same moment. */
const returnWithinSeconds = { least: 1, most: 4 };

/**
 * Loads and decides again while another writer is faster, for six seconds. Then refuses with a 503 and a Retry-After.
 * The pauses double up to a second. With fifty callers on one object, there are about a hundred tries a second, and
 * one in two or three succeeds.
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

/** Does the same for a row that was already read. Reads it again only if another writer was faster. */
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
