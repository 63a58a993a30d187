import {
  findLocalizedPrice,
  type LocalizedChange,
  type LocalizedPrice,
  type LocalizedTerms,
  withChangedPrice,
  withLocalizedPrice,
} from '../../domain/catalogue/localized-price.ts';
import { type Product, withPrices } from '../../domain/catalogue/product.ts';
import type { Claim } from '../../domain/idempotency.ts';
import type { ProductStore } from '../../store/catalogue/product-store.ts';
import { retryStale } from '../retry.ts';

export interface ChangeLocalizedPricesDeps {
  products: Pick<ProductStore, 'get' | 'save'>;
  now: () => Date;
}

/** A localized price, with its product. */
export interface PricedMarket {
  product: Product;
  price: LocalizedPrice;
}

/** Gives a product a price for a market. */
export const addLocalizedPrice = (
  deps: ChangeLocalizedPricesDeps & { newId: (prefix: 'lcp') => string },
  productId: string,
  terms: LocalizedTerms,
  claim: Claim<PricedMarket>,
): Promise<PricedMarket> => {
  const id = deps.newId('lcp');
  return change(deps, productId, claim, (product, now) => {
    const price = { ...terms, id, createdAt: now, updatedAt: now };
    return { price, prices: withLocalizedPrice(product, price) };
  });
};

/** Changes the named terms of a localized price. */
export const changeLocalizedPrice = (
  deps: ChangeLocalizedPricesDeps,
  { productId, priceId }: { productId: string; priceId: string },
  named: LocalizedChange,
  claim: Claim<PricedMarket>,
): Promise<PricedMarket> =>
  change(deps, productId, claim, (product, now) => {
    const price = { ...findLocalizedPrice(product, priceId), ...named, updatedAt: now };
    return { price, prices: withChangedPrice(product, price) };
  });

/** Removes a localized price, if it still exists. */
export const archiveLocalizedPrice = (
  deps: ChangeLocalizedPricesDeps,
  { productId, priceId }: { productId: string; priceId: string },
  claim: Claim<null>,
): Promise<null> =>
  retryStale(async () => {
    const before = await deps.products.get(productId);
    const left = (before.localizedPrices ?? []).filter(({ id }) => id !== priceId);
    const isGone = left.length === (before.localizedPrices ?? []).length;
    const records = claim(null, isGone ? null : written(productId));
    const product = isGone ? before : withPrices(before, left, deps.now().toISOString());
    if (!isGone || records.length > 0) await deps.products.save(product, records);
    return null;
  });

function change(
  deps: ChangeLocalizedPricesDeps,
  productId: string,
  claim: Claim<PricedMarket>,
  decide: (product: Product, now: string) => { price: LocalizedPrice; prices: LocalizedPrice[] },
): Promise<PricedMarket> {
  return retryStale(async () => {
    const before = await deps.products.get(productId);
    const now = deps.now().toISOString();
    const { price, prices } = decide(before, now);
    const product = withPrices(before, prices, now);
    const market = { product, price };
    await deps.products.save(product, claim(market, written(productId)));
    return market;
  });
}

const written = (subject: string) =>
  ({ command: 'product.update', subject, details: { changed: 'localized_prices' } }) as const;
