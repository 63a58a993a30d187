import { setTimeout as pause } from 'node:timers/promises';
import { describeError, logError } from '../../log.ts';

/**
 * Ends after a whole number of periods, at least one, whether or not something was done, so the time does not show
 * it. A failure is logged and not shown either.
 */
export async function inEqualTime(periodMs: number, failure: string, act: () => Promise<void>): Promise<void> {
  const begin = performance.now();
  await act().catch((error: unknown) => logError(failure, describeError(error)));
  const passed = performance.now() - begin;
  await pause(Math.ceil(passed / periodMs) * periodMs - passed);
}
