import { afterAll, beforeAll } from 'vitest';
import { realPace } from '../../shared/use-cases/retry.ts';
import { useShortPauses } from './short-pauses.ts';

/** Who meets a changed row gives up after a few tries. */
export function giveUpEarly(): void {
  useShortPauses(200);
  const { elapsedMs } = realPace;
  let passedMs = 0;
  beforeAll(() => void Object.assign(realPace, { elapsedMs: () => (passedMs += 200) }));
  afterAll(() => void Object.assign(realPace, { elapsedMs }));
}
