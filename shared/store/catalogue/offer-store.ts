import { Offer, offerVersionOf } from '../../domain/catalogue/offer.ts';
import { daySeconds } from '../../domain/duration.ts';
import { busy } from '../../domain/errors.ts';
import { keys } from '../keys.ts';
import { dataIn, pack } from '../table/packed.ts';
import { findItems } from '../table/read-many.ts';
import type { Table } from '../table/table.ts';
import { commit } from '../table/transaction.ts';
import type { Write } from '../table/write.ts';

/** The product and the version, by which a session refers to an offer. */
interface OfferName {
  productId: string;
  version: string;
}

export interface OfferStore {
  /** Reads the offers to which a session refers. They were stored before the session was opened. */
  get(names: readonly OfferName[]): Promise<Offer[]>;
  /** Stores the offers of a session before it is opened. Skips offers that are already stored for long enough. */
  keep(offers: readonly Offer[], now: Date): Promise<void>;
}

/**
 * How many days a row is kept. The next constant is the least that a session needs: its 24 hours, and a day for clocks
 * that differ.
 */
const keptDays = 30;
const neededDays = 2;

const secondsIn = (days: number, now: Date): number => Math.floor(now.getTime() / 1_000) + days * daySeconds;

const keyOf = ({ productId, version }: OfferName) => keys.offer(productId, version);
const keyFor = (offer: Offer) => keys.offer(offer.productId, offerVersionOf(offer));

/**
 * Writes an offer. A later write only changes when the row expires. The key is derived from the content, so all writers
 * write the same content.
 */
const offerWrite = (offer: Offer, now: Date): Write => ({
  put: { ...keyFor(offer), entity: 'OFFER', ttl: secondsIn(keptDays, now), data: pack(offer) },
  refusal: busy,
});

export function offerStore(table: Table): OfferStore {
  return {
    get: async (names) => {
      const item = await findItems(table, names.map(keyOf));
      return names.map((name) => Offer.parse(dataIn(item(keyOf(name)) ?? missing(name))));
    },
    keep: async (offers, now) => {
      if (offers.length === 0) return;
      const item = await findItems(table, offers.map(keyFor));
      const isKept = (offer: Offer) => Number(item(keyFor(offer))?.['ttl'] ?? 0) >= secondsIn(neededDays, now);
      const writes = offers.filter((offer) => !isKept(offer)).map((offer) => offerWrite(offer, now));
      await Promise.all(writes.map((write) => commit(table, [write])));
    },
  };
}

/**
 * Throws if an offer does not exist any more. Today's prices must not be used instead, and the session would have no
 * price for another place.
 */
function missing({ productId, version }: OfferName): never {
  throw new Error(`The offer ${version} of ${productId} is not kept.`);
}
