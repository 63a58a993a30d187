import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

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
