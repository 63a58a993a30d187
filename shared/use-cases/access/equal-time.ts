import { setTimeout as pause } from 'node:timers/promises';
import { describeError, logError } from '../../log.ts';

/**
 * Waits until a whole number of periods is over, at least one, even if the work is refused. So the duration reveals
 * nothing about the result.
 */
export async function inWholePeriods<Result>(periodMs: number, act: () => Promise<Result>): Promise<Result> {
  const begin = performance.now();
  try {
    return await act();
  } finally {
    const passed = performance.now() - begin;
    await pause(Math.ceil(Math.ceil(passed / periodMs) * periodMs - passed));
  }
}

/**
 * Runs work so that its duration reveals nothing about the result. A failure is logged, and the caller does not see it.
 */
export const inEqualTime = (periodMs: number, failure: string, act: () => Promise<void>): Promise<void> =>
  inWholePeriods(periodMs, () => act().catch((error: unknown) => logError(failure, describeError(error))));
