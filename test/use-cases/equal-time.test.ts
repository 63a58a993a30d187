import { describe, expect, it } from 'vitest';
import { inEqualTime, inWholePeriods } from '../../shared/use-cases/access/equal-time.ts';

/** How much earlier than `performance.now` says a timer may end, because Node's timers have another clock. */
const timerMs = 5;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function timed(act: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await act().catch(() => undefined);
  return performance.now() - begin;
}

describe('An answer that takes whole periods of time', () => {
  it.each<[string, () => Promise<unknown>, number]>([
    ['finds nothing', async () => 1, 60],
    ['is refused', async () => Promise.reject(new Error('refused')), 60],
    ['takes longer than one period', () => wait(70), 120],
  ])('takes a whole number of periods if it %s', async (_, act, leastMs) => {
    expect(await timed(() => inWholePeriods(60, act))).toBeGreaterThanOrEqual(leastMs - timerMs);
  });

  it('returns the result or the error of its function, or hides the error on request', async () => {
    expect(await inWholePeriods(5, async () => 'found')).toBe('found');
    const fail = async () => Promise.reject(new Error('refused'));
    await expect(inWholePeriods(5, fail)).rejects.toThrow('refused');
    expect(await inEqualTime(5, 'Not done.', fail)).toBeUndefined();
  });
});
