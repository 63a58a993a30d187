import type { Product } from '../../domain/catalogue/product.ts';
import {
  addLocalizedPrice,
  archiveLocalizedPrice,
  type ChangeLocalizedPricesDeps,
  changeLocalizedPrice,
  type PricedMarket,
} from '../../use-cases/catalogue/change-localized-prices.ts';
import { type UpdateProductDeps, updateProduct } from '../../use-cases/catalogue/update-product.ts';
import { LocalizedPriceChange, LocalizedPriceInput } from '../../wire/catalogue/localized-price.ts';
import { ProductChangeInput } from '../../wire/catalogue/product-input.ts';
import { parseInput } from '../../wire/parse.ts';
import { unlessRefused } from '../dashboard.ts';
import { faultsAt, jsonOf, typedTexts } from '../entries.ts';
import type { FormFault } from '../parts.ts';
import type { FormSubmission } from '../visit.ts';
import { marketEntries, marketFaults, marketField } from './market-price-entries.ts';
import type { RefusedMarket } from './market-prices-card.ts';

export interface MarketFormsDeps extends ChangeLocalizedPricesDeps, Pick<UpdateProductDeps, 'brands' | 'taxCustom'> {
  products: ChangeLocalizedPricesDeps['products'] & UpdateProductDeps['products'];
  newId: (prefix: 'lcp') => string;
}

type Answer = ReturnType<FormSubmission['once']>;

/** The page after a change of prices by place, at the card with these prices. */
const doneAt = (productId: string, done: string) => () => `/dashboard/products/${productId}?done=${done}#markets`;

/** Sets whether a product has prices by country or by currency. Prices of the other mode are removed. */
export function setMarkets(deps: UpdateProductDeps, { form, request, once }: FormSubmission): Answer {
  const id = request.param('id');
  const change = parseInput(ProductChangeInput, { pricing_mode: form.text('pricing_mode') || null });
  return once<Product>((claim) => updateProduct(deps, id, change, claim), doneAt(id, 'saved'));
}

/** Adds or changes a price for a market. If it is refused, the form is shown again. */
export async function savePrice(
  deps: MarketFormsDeps,
  submission: FormSubmission,
  showAgain: (product: Product, refused: RefusedMarket) => Answer,
): Promise<Awaited<Answer>> {
  const { form, locale, once, request } = submission;
  const productId = request.param('id');
  const product = await deps.products.get(productId);
  const priceId = form.text('price_id');
  const entries = marketEntries(product);
  const filled = { typed: typedTexts(entries, form), locale };
  const { json, faults: unread } = jsonOf(entries, filled);
  const again = (faults: readonly FormFault[]) =>
    showAgain(product, { priceId, filled, faults: faultsAt(faults, marketField(priceId)) });
  return unlessRefused(
    () => {
      if (unread.length > 0) return again(unread);
      if (priceId === '') {
        const added = parseInput(LocalizedPriceInput, json);
        return once<PricedMarket>(
          (claim) => addLocalizedPrice(deps, productId, added, claim),
          doneAt(productId, 'saved'),
        );
      }
      const { currency, country_code, ...terms } = json;
      const changed = parseInput(LocalizedPriceChange, terms);
      return once<PricedMarket>(
        (claim) => changeLocalizedPrice(deps, { productId, priceId }, changed, claim),
        doneAt(productId, 'saved'),
      );
    },
    (refusal) => again(marketFaults(refusal, filled, product)),
  );
}

/** Removes a price, if it still exists. */
export function removePrice(deps: ChangeLocalizedPricesDeps, { form, request, once }: FormSubmission): Answer {
  const productId = request.param('id');
  const priceId = form.text('price_id');
  return once<null>(
    (claim) => archiveLocalizedPrice(deps, { productId, priceId }, claim),
    doneAt(productId, 'removed'),
  );
}
