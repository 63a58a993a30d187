import { describe, expect, it } from 'vitest';
import { DomainError } from '../../../shared/domain/errors.ts';
import { StaleVersion } from '../../../shared/domain/idempotency.ts';
import { retryStale } from '../../../shared/use-cases/retry.ts';
import { seeded, tally, times } from '../../support/seeded.ts';
import { virtualTime } from '../../support/virtual-time.ts';

const busy = expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' });

/** A clock of its own, and dice that always show the same. */
function paced(dice: number) {
  const time = virtualTime();
  return { time, pace: { ...time, random: () => dice } };
}

describe('a decision that conflicts with another write', () => {
  it('is repeated until it succeeds', async () => {
    const { time, pace } = paced(0.5);
    let tries = 0;
    const attempt = async () => {
      tries += 1;
      if (tries < 10) throw new StaleVersion();
      return 'decided';
    };
    await expect(time.run(retryStale(attempt, pace))).resolves.toBe('decided');
    expect(tries).toBe(10);
  });

  it.each([0, 0.5, 0.999])(
    'is abandoned before its function times out, with SERVICE_UNAVAILABLE (random number %d)',
    async (dice) => {
      const { time, pace } = paced(dice);
      const attempt = async () => {
        await time.pause(20);
        throw new StaleVersion();
      };
      await expect(time.run(retryStale(attempt, pace))).rejects.toEqual(busy);
      expect(time.elapsedMs()).toBeGreaterThan(4_900);
      expect(time.elapsedMs()).toBeLessThanOrEqual(6_020); // the last attempt begins within six seconds
    },
  );

  it('is abandoned with the error code of its conflict, for example that of a popular discount code', async () => {
    const { time, pace } = paced(0.5);
    const attempt = () => Promise.reject(new StaleVersion('DISCOUNT_CONCURRENT_REDEMPTION'));
    const refusal = { code: 'DISCOUNT_CONCURRENT_REDEMPTION', details: { retryAfterSeconds: expect.any(Number) } };
    await expect(time.run(retryStale(attempt, pace))).rejects.toMatchObject(refusal);
  });

  it('is abandoned in time, even if one attempt takes long', async () => {
    const { time, pace } = paced(0);
    let tries = 0;
    const attempt = async () => {
      tries += 1;
      await time.pause(2_500);
      throw new StaleVersion();
    };
    await expect(time.run(retryStale(attempt, pace))).rejects.toEqual(busy);
    expect(tries).toBe(3); // 2.5, 5.0 and 7.5 s: the third begins within six seconds
  });

  it('is not repeated after any other error', async () => {
    const { time, pace } = paced(0);
    let tries = 0;
    const attempt = async () => {
      tries += 1;
      throw new Error('a defect');
    };
    await expect(time.run(retryStale(attempt, pace))).rejects.toThrow('a defect');
    expect(tries).toBe(1);
  });
});

/** One object in a table: 4 ms to read, 12 ms to write, and no two that write it at once. */
function contestedObject(time: ReturnType<typeof virtualTime>) {
  const object = { version: 0, attempts: 0 };
  let isLocked = false;
  const attempt = async () => {
    object.attempts += 1;
    await time.pause(2);
    const seen = object.version;
    await time.pause(2 + 4);
    if (isLocked) throw new StaleVersion();
    isLocked = true;
    await time.pause(8);
    isLocked = false;
    if (seen !== object.version) throw new StaleVersion();
    object.version += 1;
  };
  return { object, attempt };
}

/** What a client does: it retries at the time that the answer names, twice at most. */
async function insist(time: ReturnType<typeof virtualTime>, act: () => Promise<void>): Promise<string> {
  for (let retries = 0; ; retries += 1) {
    try {
      await act();
      return `done after ${retries} retries`;
    } catch (error) {
      if (!(error instanceof DomainError) || retries === 2) return 'given up';
      await time.pause((error.details.retryAfterSeconds ?? 0) * 1_000);
    }
  }
}

describe('conflicting decisions, at the speed of the table', () => {
  it.each([1, 2, 3, 4, 5])(
    'all succeed in one call when fifty are made at the same time (random seed %d)',
    async (seed) => {
      const time = virtualTime();
      const { object, attempt } = contestedObject(time);
      const pace = { ...time, random: seeded(seed) };
      const outcomes = await time.run(Promise.allSettled(times(50).map(() => retryStale(attempt, pace))));
      console.log(
        `fifty at once: ${JSON.stringify(tally(outcomes.map(({ status }) => status)))}, ${object.attempts} attempts, ${Math.round(time.elapsedMs())} ms`,
      );
      expect(tally(outcomes.map(({ status }) => status))).toEqual({ fulfilled: 50 });
      expect(object.version).toBe(50);
    },
  );

  it.each([200, 300, 600])(
    'all succeed when %d are made at the same time, some of them after a retry',
    async (count) => {
      const time = virtualTime();
      const { object, attempt } = contestedObject(time);
      const pace = { ...time, random: seeded(count) };
      const outcomes = await time.run(
        Promise.all(times(count).map(() => insist(time, () => retryStale(attempt, pace)))),
      );
      console.log(
        `${count} at once: ${JSON.stringify(tally(outcomes))}, ${object.attempts} attempts, ${Math.round(time.elapsedMs())} ms`,
      );
      expect(outcomes.filter((outcome) => outcome === 'given up')).toEqual([]);
      expect(object.version).toBe(count);
    },
  );
});
