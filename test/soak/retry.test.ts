import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { StaleVersion } from '../../shared/domain/idempotency.ts';
import { retryStale } from '../../shared/use-cases/retry.ts';
import { seeded, tally, times } from '../support/seeded.ts';

const busy = expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' });
const atOnce = () => 0;

describe('a decision that somebody else was faster than', () => {
  it('is made again until it stands', async () => {
    let tries = 0;
    const attempt = async () => {
      tries += 1;
      if (tries < 10) throw new StaleVersion();
      return 'decided';
    };
    await expect(retryStale(attempt, atOnce)).resolves.toBe('decided');
    expect(tries).toBe(10);
  });

  it('is given up after ten tries, as SERVICE_UNAVAILABLE', async () => {
    let tries = 0;
    const attempt = async () => {
      tries += 1;
      throw new StaleVersion();
    };
    await expect(retryStale(attempt, atOnce)).rejects.toEqual(busy);
    expect(tries).toBe(10);
  });

  it('is given up after two seconds, however few tries that were', async () => {
    let tries = 0;
    const attempt = async () => {
      tries += 1;
      await pause(900);
      throw new StaleVersion();
    };
    await expect(retryStale(attempt, atOnce)).rejects.toEqual(busy);
    expect(tries).toBe(3); // 2.7 s: begun before the two were over
  });

  it('is not made again for any other reason', async () => {
    let tries = 0;
    const attempt = async () => {
      tries += 1;
      throw new Error('a defect');
    };
    await expect(retryStale(attempt)).rejects.toThrow('a defect');
    expect(tries).toBe(1);
  });

  it('stands for all of fifty at once, at the pace of a table: 4 ms to read, 12 ms to write', async () => {
    const random = seeded(50);
    let version = 0;
    const attempt = async () => {
      await pause(2);
      const seen = version;
      await pause(8);
      const isStale = seen !== version;
      if (!isStale) version += 1;
      await pause(6);
      if (isStale) throw new StaleVersion();
    };
    const outcomes = await Promise.allSettled(times(50).map(() => retryStale(attempt, random)));
    console.log(`fifty at once: ${JSON.stringify(tally(outcomes.map(({ status }) => status)))}`);
    expect(version).toBeGreaterThanOrEqual(45);
  });
});
