import { setTimeout as pause } from 'node:timers/promises';
import { DomainError } from '../domain/errors.ts';
import { StaleVersion } from '../domain/idempotency.ts';

const maxTries = 10;
const withinMs = 2_000;
const longestPauseMs = 500;

/**
 * Loads and decides again when somebody else was faster: a bounded number of times, for two seconds, then a 503.
 * The pauses are so wide that fifty who meet on one object all get their turn.
 */
export async function retryStale<T>(attempt: () => Promise<T>, random: () => number = Math.random): Promise<T> {
  const until = performance.now() + withinMs;
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StaleVersion)) throw error;
      if (tries === maxTries || performance.now() > until) throw busy(error);
      await pause(random() * Math.min(longestPauseMs, 25 * 2 ** tries));
    }
  }
}

const busy = (cause: unknown): DomainError =>
  new DomainError('SERVICE_UNAVAILABLE', 'Too much at once on this object; nothing was changed. Try again.', { cause });
