import * as z from 'zod';
import type { Price } from '../../domain/catalogue/price.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import type { PriceTax } from '../../domain/catalogue/tax-mode.ts';
import type { Entitlement, EntitlementConfig } from '../../domain/entitlements/entitlement.ts';
import { offeredFiles } from '../../domain/entitlements/files.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import type { Site } from '../../domain/site.ts';
import { listedProductConstants, priceConstants, productConstants } from '../constants.ts';
import { presentFile, presentSummary } from '../entitlements/entitlement.ts';
import { type ListTerms, onePaging, pageFields } from '../page.ts';
import { says } from '../says.ts';
import { idOf, localeText } from '../values.ts';
import { presentTerms } from './price-terms.ts';
import type { CatalogueAnswer } from './product-answer.ts';

const flagText = z.enum(['true', 'false'], says(sentences.true_or_false)).transform((value) => value === 'true');

/** The locale in a query. It is accepted because clients send it, but has no effect: a product has only one text. */
const locale = localeText.optional();

export const ProductQuery = onePaging(
  z.strictObject({
    ...pageFields,
    archived: flagText.default(false),
    brand_id: idOf('brnd').optional(),
    recurring: flagText.optional(),
    locale,
  }),
);

/** The query of `GET /products/{id}`. It accepts a locale, as the list does. */
export const OneProductQuery = z.strictObject({ locale });

function taxModeOf({ taxInclusive, taxByPlace }: PriceTax): 'inclusive' | 'exclusive' | 'location' {
  if (taxByPlace) return 'location';
  return taxInclusive ? 'inclusive' : 'exclusive';
}

function presentPrice(price: Price): CatalogueAnswer<'Price'> {
  const isChosen = price.kind === 'pay_what_you_want';
  return {
    currency: price.currency,
    price: isChosen ? price.minimum : price.unitAmount,
    pay_what_you_want: isChosen,
    ...presentTerms(isChosen ? price : {}),
    tax_inclusive: price.taxInclusive,
    tax_mode: taxModeOf(price),
    tax_anchor: price.taxByPlace?.anchor ?? null,
    ...priceConstants,
  };
}

/** A product with the entitlements that it gives; `attached` is absent if it gives none. */
type Offered = Product & { attached?: Entitlement[] };

const presentGiven = (site: Site, { attached = [] }: Offered) => ({ entitlements: attached.map(presentSummary(site)) });

/** The entitlement that was created from the older fields of the product. */
const ownOf = <Type extends EntitlementConfig['type']>({ id, attached = [] }: Offered, type: Type) =>
  attached.find(
    (one): one is Entitlement & { config: Extract<EntitlementConfig, { type: Type }> } =>
      one.productId === id && one.config.type === type,
  );

/** The older fields about licence keys. Their values come from the entitlement that these fields once created. */
function presentOwnKey(product: Offered) {
  const keys = ownOf(product, 'license_key')?.config;
  return {
    license_key_enabled: keys !== undefined,
    license_key_activation_message: keys?.activationMessage ?? null,
    license_key_activations_limit: keys?.activationsLimit ?? null,
    license_key_duration: keys?.validity ? { count: keys.validity.count, interval: keys.validity.unit } : null,
  };
}

/**
 * The older field of the delivery. Its value comes from the entitlement that this field once created, or from the text
 * of a product of version 0.2.0.
 */
function presentDelivery(site: Site, product: Offered): CatalogueAnswer<'Product'>['digital_product_delivery'] {
  const own = ownOf(product, 'digital_files');
  const { url, instructions } = own?.config ?? product.delivery ?? {};
  if (url === undefined || instructions === undefined) return null;
  return {
    external_url: url,
    instructions,
    files: own ? offeredFiles(own.config).map(presentFile(site, own)) : [],
  };
}

export const presentProduct =
  (site: Site) =>
  (product: Offered): CatalogueAnswer<'Product'> => ({
    product_id: product.id,
    business_id: site.businessId,
    brand_id: product.brandId,
    name: product.name,
    description: product.description,
    image: product.image,
    price: presentPrice(product.price),
    tax_category: product.taxCategory,
    supply: product.supply ?? null,
    tax_inclusive: product.price.taxInclusive,
    metadata: product.metadata,
    created_at: product.createdAt,
    updated_at: product.updatedAt,
    ...listedProductConstants,
    ...productConstants,
    ...presentGiven(site, product),
    digital_product_delivery: presentDelivery(site, product),
    adjustable_quantity: product.adjustable ?? null,
    ...presentOwnKey(product),
    pricing_mode: product.pricingMode ?? null,
  });

/** The limits of a list of products. The metadata of one product may have 100 kB. */
export const productTerms: ListTerms = { mostItemBytes: 112_500 };

/** A product in a list. */
export const presentProductItem =
  (site: Site) =>
  (product: Offered): CatalogueAnswer<'ProductListItem'> => {
    const price = presentPrice(product.price);
    return {
      product_id: product.id,
      business_id: site.businessId,
      brand_id: product.brandId,
      name: product.name,
      description: product.description,
      image: product.image,
      currency: price.currency,
      price: price.price,
      price_detail: price,
      tax_category: product.taxCategory,
      supply: product.supply ?? null,
      tax_inclusive: price.tax_inclusive,
      metadata: product.metadata,
      ...listedProductConstants,
      ...presentGiven(site, product),
      pricing_mode: product.pricingMode ?? null,
      created_at: product.createdAt,
      updated_at: product.updatedAt,
    };
  };
