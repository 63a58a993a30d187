import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { afterEach, beforeEach } from 'vitest';

/**
 * Makes every pause that code awaits so many times shorter, for tests of what happens and not of how long it takes; returns the way
 * back. A condition leaves the pauses of other code as they are.
 */
export function shortenPauses(times: number, isMeant: () => boolean = () => true): () => void {
  const real = timers.setTimeout;
  const shorter: typeof real = (ms, value, options) => real(isMeant() ? (ms ?? 0) / times : ms, value, options);
  timers.setTimeout = shorter;
  syncBuiltinESMExports();
  return () => {
    timers.setTimeout = real;
    syncBuiltinESMExports();
  };
}

/** A longer timer is a deadline and no pause. */
const longestPauseMs = 5_000;

/** The same for packages, which set timers themselves: clients pause between their own repetitions. */
export function shortenTimers(times: number, isMeant: () => boolean = () => true): () => void {
  const real = globalThis.setTimeout;
  const shorter = <Values extends unknown[]>(act: (...values: Values) => void, ms = 0, ...values: Values) =>
    real(act, ms <= longestPauseMs && isMeant() ? ms / times : ms, ...values);
  globalThis.setTimeout = Object.assign(shorter, { __promisify__: real.__promisify__ });
  return () => {
    globalThis.setTimeout = real;
  };
}

/**
 * Shortens all pauses during each test of the file or the describe that calls it: ours, and those of clients between their own
 * repetitions. Returns the way back for a test that needs real time.
 */
export function useShortPauses(times = 20): { takeRealTime: () => void } {
  let restore: (() => void)[] = [];
  const takeRealTime = () => {
    for (const restoreOne of restore.splice(0)) restoreOne();
  };
  beforeEach(() => {
    restore = [shortenPauses(times), shortenTimers(times)];
  });
  afterEach(takeRealTime);
  return { takeRealTime };
}
