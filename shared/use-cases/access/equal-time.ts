import { setTimeout as pause } from 'node:timers/promises';
import { describeError, logError } from '../../log.ts';

/**
 * Takes a whole number of periods, at least one, whether or not there was something to do. The time therefore reveals
 * nothing. Failures are logged and not revealed either.
 */
export async function inEqualTime(periodMs: number, failure: string, act: () => Promise<void>): Promise<void> {
  const begin = performance.now();
  await act().catch((error: unknown) => logError(failure, describeError(error)));
  const passed = performance.now() - begin;
  await pause(Math.ceil(passed / periodMs) * periodMs - passed);
}
