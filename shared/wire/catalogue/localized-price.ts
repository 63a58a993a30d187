import * as z from 'zod';
import type {
  LocalizedChange,
  LocalizedPrice,
  LocalizedTerms,
  PricingMode,
} from '../../domain/catalogue/localized-price.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { says } from '../says.ts';
import { CountryCode, CurrencyCode, defined, MoneyAmount } from '../values.ts';
import type { CatalogueAnswer } from './product-answer.ts';

const limits = {
  tax_inclusive: z.boolean().nullish(),
  suggested_price: MoneyAmount.nullish(),
  maximum_price: MoneyAmount.nullish(),
  preset_amounts: z
    .array(MoneyAmount)
    .max(6, says(sentences.too_many, { most: 6, entries: 'amounts' }))
    .nullish(),
  minimum_net: MoneyAmount.nullish(),
};

/** The body of `POST /products/{id}/localized-prices`. */
export const LocalizedPriceInput = z
  .strictObject({ amount: MoneyAmount, currency: CurrencyCode, country_code: CountryCode.nullish(), ...limits })
  .transform(
    (input): LocalizedTerms => ({
      amount: input.amount,
      currency: input.currency,
      countryCode: input.country_code ?? null,
      taxInclusive: input.tax_inclusive ?? null,
      suggested: input.suggested_price ?? null,
      maximum: input.maximum_price ?? null,
      presetAmounts: input.preset_amounts ?? null,
      minimumNet: input.minimum_net ?? null,
    }),
  );

/** The body of `PATCH /products/{id}/localized-prices/{price_id}`. `null` clears a limit, and keeps the amount. */
export const LocalizedPriceChange = z.strictObject({ amount: MoneyAmount.nullish(), ...limits }).transform(
  (input): LocalizedChange =>
    defined({
      amount: input.amount ?? undefined,
      taxInclusive: input.tax_inclusive,
      suggested: input.suggested_price,
      maximum: input.maximum_price,
      presetAmounts: input.preset_amounts,
      minimumNet: input.minimum_net,
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
  // a product without a mode has no localized prices
  mode: product.pricingMode as PricingMode,
  currency: price.currency,
  country_code: price.countryCode,
  amount: price.amount,
  tax_inclusive: price.taxInclusive,
  suggested_price: price.suggested,
  maximum_price: price.maximum,
  preset_amounts: price.presetAmounts,
  minimum_net: price.minimumNet,
  created_at: price.createdAt,
  updated_at: price.updatedAt,
});

/** All localized prices of a product. */
export const presentLocalizedPrices = (product: Product): CatalogueAnswer<'LocalizedPriceList'> => ({
  items: (product.localizedPrices ?? []).map((price) => presentLocalizedPrice({ product, price })),
});
