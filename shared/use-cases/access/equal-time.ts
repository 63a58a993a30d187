import { setTimeout as pause } from 'node:timers/promises';
import { describeError, logError } from '../../log.ts';

/**
 * Takes a whole number of periods, at least one, also if the work is refused. So the time reveals nothing.
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

/** The same, where failures are logged and not revealed either. */
export const inEqualTime = (periodMs: number, failure: string, act: () => Promise<void>): Promise<void> =>
  inWholePeriods(periodMs, () => act().catch((error: unknown) => logError(failure, describeError(error))));
