import { Offer, offerVersionOf } from '../../domain/catalogue/offer.ts';
import { daySeconds } from '../../domain/duration.ts';
import { busy } from '../../domain/errors.ts';
import { keys } from '../keys.ts';
import { dataIn, pack } from '../table/packed.ts';
import { findItems } from '../table/read-many.ts';
import type { Table } from '../table/table.ts';
import { commit } from '../table/transaction.ts';
import type { Write } from '../table/write.ts';

/** An offer as a session names it. */
interface OfferName {
  productId: string;
  version: string;
}

export interface OfferStore {
  /** The offers that a session names. They were kept before it was opened. */
  get(names: readonly OfferName[]): Promise<Offer[]>;
  /** Keeps the offers of a session that is opened next. Writes only what is not kept long enough already. */
  keep(offers: readonly Offer[], now: Date): Promise<void>;
}

/** How long a row is kept, and what a session needs of it at least: its 24 hours, and a day for clocks that differ. */
const keptDays = 30;
const neededDays = 2;

const secondsIn = (days: number, now: Date): number => Math.floor(now.getTime() / 1_000) + days * daySeconds;

const keyOf = ({ productId, version }: OfferName) => keys.offer(productId, version);
const keyFor = (offer: Offer) => keys.offer(offer.productId, offerVersionOf(offer));

/** Writes a row that nothing changes but its end: the key says what is in it, so any number of writers write the same. */
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

/** Without its offer, a session has no price in another place, and must not take one of today. */
function missing({ productId, version }: OfferName): never {
  throw new Error(`The offer ${version} of ${productId} is not kept.`);
}
