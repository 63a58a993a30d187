import * as z from 'zod';
import type {
  LocalizedChange,
  LocalizedPrice,
  LocalizedTerms,
  PricingMode,
} from '../../domain/catalogue/localized-price.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import { CountryCode, CurrencyCode, defined, MoneyAmount } from '../values.ts';
import { marketTermInputs, presentMarketTerms, readMarketTerms, readTerms } from './price-terms.ts';
import type { CatalogueAnswer } from './product-answer.ts';

const fields = { tax_inclusive: z.boolean().nullish(), ...marketTermInputs() };

/** The body of `POST /products/{id}/localized-prices`. */
export const LocalizedPriceInput = z
  .strictObject({ amount: MoneyAmount, currency: CurrencyCode, country_code: CountryCode.nullish(), ...fields })
  .transform(
    (input): LocalizedTerms => ({
      amount: input.amount,
      currency: input.currency,
      countryCode: input.country_code ?? null,
      taxInclusive: input.tax_inclusive ?? null,
      ...readMarketTerms(input),
    }),
  );

/**
 * The body of `PATCH /products/{id}/localized-prices/{price_id}`. `null` clears a limit, but does not change the
 * amount.
 */
export const LocalizedPriceChange = z.strictObject({ amount: MoneyAmount.nullish(), ...fields }).transform(
  (input): LocalizedChange =>
    defined({
      amount: input.amount ?? undefined,
      taxInclusive: input.tax_inclusive,
      ...readTerms(input),
    }),
);

/** A localized price as the API returns it. */
export const presentLocalizedPrice = ({
  product,
  price,
}: {
  product: Product;
  price: LocalizedPrice;
}): CatalogueAnswer<'LocalizedPrice'> => ({
  id: price.id,
  product_id: product.id,
  // A product without a pricing mode has no localized prices, so the mode is set here.
  mode: product.pricingMode as PricingMode,
  currency: price.currency,
  country_code: price.countryCode,
  amount: price.amount,
  tax_inclusive: price.taxInclusive,
  ...presentMarketTerms(price),
  created_at: price.createdAt,
  updated_at: price.updatedAt,
});

/** All localized prices of a product. */
export const presentLocalizedPrices = (product: Product): CatalogueAnswer<'LocalizedPriceList'> => ({
  items: (product.localizedPrices ?? []).map((price) => presentLocalizedPrice({ product, price })),
});
