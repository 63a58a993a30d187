import type { LoadCodes } from '../../domain/discounts/attached-discount.ts';
import { DomainError } from '../../domain/errors.ts';
import type { ThrottleStore } from '../../store/access/throttle-store.ts';

export interface GuardedCodesDeps {
  loadCodes: LoadCodes;
  throttles: ThrottleStore;
  /** Hashes the network address, so the table does not contain it. */
  hashOf: (text: string) => string;
  now: () => Date;
}

/** How many links with unknown codes a network may open in an hour. */
const hourlyUnknownCodes = 100;

/**
 * Loads the codes of links. Unknown codes are counted for each network, so codes cannot be found by trying links. A
 * network over the limit finds no code, not even a valid one.
 */
export const guardedCodes =
  ({ loadCodes, throttles, hashOf, now }: GuardedCodesDeps, source: string): LoadCodes =>
  async (codes) => {
    const counter = hashOf(`linked code ${source}`);
    const [found, seen] = await Promise.all([loadCodes(codes), throttles.seen(counter, now())]);
    const isUnknown = found.some((one) => one === undefined);
    if ((isUnknown ? await throttles.count(counter, now()) : seen) > hourlyUnknownCodes)
      throw new DomainError('TOO_MANY_REQUESTS', 'Too many unknown codes came from here. Try again in an hour.');
    return found;
  };
