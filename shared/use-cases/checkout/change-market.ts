import { changedMarket } from '../../domain/catalogue/cart-currency.ts';
import { type AllPrices, priceIn } from '../../domain/catalogue/localized-price.ts';
import { assertPayable, type CheckoutSession, type SessionLine } from '../../domain/checkout/checkout-session.ts';
import type { OfferStore } from '../../store/catalogue/offer-store.ts';
import type { ProductStore } from '../../store/catalogue/product-store.ts';
import type { SessionStore } from '../../store/payments/session-store.ts';
import { currencyOf } from '../../tax/places/country-currency.ts';
import { retryStaleFrom } from '../retry.ts';
import { written } from '../written.ts';

export interface ChangeMarketDeps {
  offers: Pick<OfferStore, 'get'>;
  /** The products. They are needed for sessions of version 0.2, which do not name offers. */
  products: Pick<ProductStore, 'find'>;
  sessions: Pick<SessionStore, 'get' | 'save'>;
  now: () => Date;
}

interface WantedMarket {
  /** The country that the buyer has chosen; undefined if none. */
  country: string | undefined;
  /** The currency that the buyer has chosen on the page; null if none. */
  currency: string | null;
}

/**
 * Returns the session with the prices of the buyer's country and currency, as they were when it was opened. A chosen
 * currency stays while it has prices; otherwise the country's currency is used. A session without localized prices
 * stays unchanged, and nothing is read.
 */
export const changeMarket = (
  deps: ChangeMarketDeps,
  read: CheckoutSession,
  wanted: WantedMarket,
): Promise<CheckoutSession> =>
  retryStaleFrom({ read, readAgain: () => deps.sessions.get(read.id) }, (session) => change(deps, session, wanted));

async function change(
  deps: ChangeMarketDeps,
  session: CheckoutSession,
  { country: stated, currency }: WantedMarket,
): Promise<CheckoutSession> {
  const { market } = session;
  if (!market) return session;
  const country = stated ?? market.country;
  const chosen = market.isOffered === false || currency === session.currency ? null : currency;
  if (country === market.country && chosen === null) return session;
  assertPayable(session, deps.now());
  const offers = namesOffers(session) ? await keptOffers(deps, session) : await offersOfNow(deps, session);
  if (!offers) return session;
  const next = changedMarket(session, offers, {
    country,
    countryCurrency: country && currencyOf(country),
    chosen,
  });
  await deps.sessions.save(next);
  return written(next);
}

/**
 * Whether the prices were stored when the session was opened. Version 0.2 stores none, and drops fields that it does
 * not know.
 */
const namesOffers = ({ lines }: CheckoutSession): boolean => lines.some(({ offer }) => offer !== undefined);

/** Reads the prices as they were when the session was opened. A line without an offer stores its only price itself. */
async function keptOffers({ offers }: ChangeMarketDeps, { lines }: CheckoutSession): Promise<AllPrices[]> {
  const named = lines.flatMap(({ productId, offer }) => (offer === undefined ? [] : [{ productId, version: offer }]));
  const kept = new Map((await offers.get(named)).map((offer) => [offer.productId, offer]));
  return lines.map(({ productId, price }) => kept.get(productId) ?? { price });
}

/**
 * The offers for a session of version 0.2. They come from the current products, but each line keeps its stored price in
 * the product's own currency.
 */
async function offersOfNow({ products }: ChangeMarketDeps, session: CheckoutSession): Promise<AllPrices[] | undefined> {
  const found = await Promise.all(session.lines.map(({ productId }) => products.find(productId)));
  const known = found.flatMap((product, index) =>
    product ? [keepingOwnPrice(session, session.lines[index] as SessionLine, product)] : [],
  );
  return known.length < found.length ? undefined : known;
}

function keepingOwnPrice({ currency, market }: CheckoutSession, { price }: SessionLine, product: AllPrices): AllPrices {
  const { localizedPrices, pricingMode } = product;
  const hasOther = priceIn({ price, pricingMode, localizedPrices }, currency, market?.country) !== price;
  return hasOther ? product : { ...product, price };
}
