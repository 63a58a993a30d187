import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { afterEach, beforeEach } from 'vitest';

/**
 * Makes every pause that code awaits this many times shorter, for tests that do not depend on time. Returns a function
 * that undoes it. With a condition, only matching pauses are shortened.
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

/** A longer timer counts as a deadline, not as a pause. */
const longestPauseMs = 5_000;

/** Shortens the timers of packages too, because clients pause between their own retries. */
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
 * Shortens all pauses during each test of the calling file or describe: our own, and those of clients between retries.
 * Returns a function that undoes it, for a test that needs real time.
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
