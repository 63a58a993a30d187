import { changedMarket } from '../../domain/catalogue/cart-currency.ts';
import { assertPayable, type CheckoutSession } from '../../domain/checkout/checkout-session.ts';
import type { ProductStore } from '../../store/catalogue/product-store.ts';
import type { SessionStore } from '../../store/payments/session-store.ts';
import { currencyOf } from '../../tax/places/country-currency.ts';
import { retryStaleFrom } from '../retry.ts';
import { written } from '../written.ts';

export interface ChangeMarketDeps {
  products: Pick<ProductStore, 'find'>;
  sessions: Pick<SessionStore, 'get' | 'save'>;
  now: () => Date;
}

interface WantedMarket {
  /** Where the buyer says to be; undefined: not said. */
  country: string | undefined;
  /** The currency that the buyer has chosen by hand; null: none. */
  currency: string | null;
}

/**
 * The session with the prices of the buyer's country and currency. A currency that was chosen stays while it has prices; a country
 * alone brings its own. A session without localized prices reads and changes nothing.
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
  const products = await Promise.all(session.lines.map(({ productId }) => deps.products.find(productId)));
  const known = products.filter((product) => product !== undefined);
  if (known.length < products.length) return session;
  const next = changedMarket(session, known, {
    country,
    countryCurrency: country && currencyOf(country),
    chosen,
  });
  await deps.sessions.save(next);
  return written(next);
}
