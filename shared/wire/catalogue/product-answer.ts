import * as z from 'zod';
import { pricingModes } from '../../domain/catalogue/localized-price.ts';
import { validityUnits } from '../../domain/entitlements/entitlement.ts';
import { supplyKinds } from '../../domain/withdrawal/supply.ts';
import { always } from '../answers/always.ts';
import { common } from '../answers/fields.ts';
import { answeredId, count, link, pageOf, paidAmount, upTo } from '../answers/values.ts';
import { brandConstants, listedProductConstants, priceConstants, productConstants } from '../constants.ts';
import { DeliveredFile, EntitlementSummary } from '../entitlements/entitlement-answer.ts';
import { marketPart } from './price-terms.ts';

/** The terms of a price that the buyer chooses. */
const terms = {
  suggested_price: paidAmount
    .nullable()
    .describe(
      'Pay what you want: the amount of one unit that the page proposes, at least `price`. It is not enforced. Null: none.',
    ),
  maximum_price: paidAmount
    .nullable()
    .describe('Pay what you want: the most that the buyer may choose for one unit. Null: no limit.'),
  preset_amounts: z
    .array(paidAmount)
    .max(6)
    .nullable()
    .describe(
      'Pay what you want: at most six different amounts of one unit, ascending, that the page offers to choose from. Null: the page computes them. Empty: it offers none.',
    ),
  allow_zero: z
    .boolean()
    .describe('Pay what you want: the buyer may pay 0 although the minimum is more. Amounts between are refused.'),
  minimum_net: paidAmount
    .nullable()
    .describe(
      'Pay what you want: what you keep of one unit at least, after any tax. Where the price includes the tax, the least that the buyer may choose follows from it and the buyer’s place. Null: no such limit.',
    ),
  purpose: upTo(200)
    .nullable()
    .describe(
      'Pay what you want: what the money does, in one sentence of at most 200 characters under the amount. Null: nothing is said.',
    ),
  show_net: z
    .boolean()
    .describe('Pay what you want: whether the page says how much of the chosen amount stays with you after tax.'),
};

const Price = z.strictObject({
  currency: common.currency,
  price: paidAmount.describe(
    'The price of one unit in minor units. With `pay_what_you_want`, the minimum that the buyer may choose.',
  ),
  pay_what_you_want: z
    .boolean()
    .describe('Whether the buyer chooses the amount of one unit. `price` is then the minimum.'),
  ...terms,
  tax_inclusive: common.tax_inclusive,
  tax_mode: z
    .enum(['inclusive', 'exclusive', 'location'])
    .describe(
      'Whether the price includes the tax: `inclusive`, `exclusive`, or `location`: the same number includes it, except in the countries where the merchant shows prices without tax (US and CA, if the merchant’s file names no others).',
    ),
  tax_anchor: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .nullable()
    .describe(
      'With the tax mode `location`: the country whose custom holds while no country is known, by default the merchant’s. It decides what `tax_inclusive` says, and no amount. Null in the other modes.',
    ),
  ...always(priceConstants, { discount: 'lower the price instead' }),
});

const sold = {
  product_id: common.product_id,
  business_id: common.business_id,
  brand_id: common.brand_id,
  name: common.name,
  description: common.description,
  image: link.nullable().describe('The public address of the image; null where there is none.'),
};

const kept = {
  entitlements: z.array(EntitlementSummary).max(10).describe('What its buyers get, at most ten.'),
  tax_category: common.tax_category,
  supply: z
    .enum(supplyKinds)
    .nullable()
    .describe(
      'What the product is in the law of withdrawal: `content` that is supplied once, or a `service` over time. Null: as its tax category says, which is content, except for `saas` and `live_tutoring`. A course (`edtech`) that is taught over weeks is a service.',
    ),
  tax_inclusive: common.tax_inclusive,
  metadata: common.metadata,
  ...always(listedProductConstants, { is_recurring: 'there are no subscriptions' }),
  pricing_mode: z
    .enum(pricingModes)
    .nullable()
    .describe(
      'Whether the product has localized prices `by_currency` or `by_country`; null: it has one price. A change archives the prices that no longer fit.',
    ),
  created_at: common.created_at,
  updated_at: common.updated_at,
};

const LocalizedPrice = z.strictObject({
  id: answeredId('lcp').describe('The id.'),
  product_id: common.product_id,
  mode: z.enum(pricingModes).describe('As the `pricing_mode` of the product.'),
  currency: common.currency,
  country_code: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .nullable()
    .describe('The country whose buyers have the price. Required by country, null by currency.'),
  amount: paidAmount.describe(
    'The price of one unit in minor units; for pay what you want the least that the buyer may choose.',
  ),
  tax_inclusive: z.boolean().nullable().describe('Whether this price includes the tax; null: as the product’s.'),
  ...marketPart(terms),
  created_at: common.created_at,
  updated_at: common.updated_at,
});

const Product = z.strictObject({
  ...sold,
  price: Price.describe('What one unit costs.'),
  ...kept,
  ...always(productConstants, {
    credit_entitlements: 'there are no credits',
    addons: 'there are no add-ons',
    product_collection_id: 'there are no collections',
  }),
  digital_product_delivery: z
    .strictObject({
      external_url: link.nullable().describe('An https address to open. Null: none.'),
      instructions: upTo(1_000).nullable().describe('A text of at most 1,000 characters. Null: none.'),
      files: z.array(DeliveredFile).max(100).describe('The files, in the order of the buyer’s page.'),
    })
    .nullable()
    .describe('What the buyer gets after paying: an address, a text and files. Newer: attach an entitlement instead.'),
  adjustable_quantity: z
    .strictObject({
      minimum: z.int().min(1).max(1_000).describe('The least that may be chosen.'),
      maximum: z.int().min(1).max(1_000).describe('The most that may be chosen.'),
    })
    .nullable()
    .describe('How many units the buyer may choose on the checkout page. Null: the buyer cannot change the quantity.'),
  license_key_enabled: z
    .boolean()
    .describe('Whether buyers get a licence key by the fields below. Newer: attach an entitlement instead.'),
  license_key_activation_message: upTo(2_500).nullable().describe('The text beside the licence key. Null: none.'),
  license_key_activations_limit: count
    .nullable()
    .describe('On how many devices the licence key can be active; null: without limit.'),
  license_key_duration: z
    .strictObject({
      count: count.describe('How many units.'),
      interval: z.enum(validityUnits).describe('The unit.'),
    })
    .nullable()
    .describe('How long the licence key is valid after the purchase; null: without end.'),
});

const ProductListItem = z.strictObject({
  ...sold,
  currency: common.currency,
  price: paidAmount.describe(
    'The price of one unit in minor units. With `pay_what_you_want`, the minimum that the buyer may choose.',
  ),
  price_detail: Price.describe('The whole price.'),
  ...kept,
});

const Brand = z.strictObject({
  brand_id: common.brand_id,
  business_id: common.business_id,
  name: common.name,
  description: upTo(1_000).nullable().describe('A text for people.'),
  image: link.nullable().describe('The public address of the image; null where there is none.'),
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/)
    .nullable()
    .describe('The brand’s colour, such as `#0b5c58`. Null: the default colour.'),
  support_email: upTo(254).nullable().describe('The address that buyers write to.'),
  url: link.nullable().describe('An address.'),
  statement_descriptor: upTo(22).describe(
    'What card statements add to the account’s name. If nothing is set, nothing is added, and this is the beginning of the brand’s name.',
  ),
  search_listing: z
    .boolean()
    .describe(
      'Whether search engines may list the pages of the brand’s products. By default they may, but never in the sandbox.',
    ),
  ...always(brandConstants, { archived_at: 'brands are not archived' }),
});

/** The answers of the routes for products and brands, by their names in the contract. */
export const catalogueAnswers = {
  Price,
  Product,
  ProductListItem,
  ProductPage: pageOf(ProductListItem),
  LocalizedPrice,
  LocalizedPriceList: z.strictObject({
    items: z.array(LocalizedPrice).max(100).describe('The entries of this page, newest first.'),
  }),
  Upload: z.strictObject({
    url: link.describe('Where to PUT the bytes of the image, within 60 seconds.'),
    image_id: z.uuid().describe('The id of an upload. Null removes the image.'),
  }),
  ProductFile: z.strictObject({
    file_id: answeredId('fil').describe('The id of the file.'),
    url: z.string().meta({ format: 'uri', maxLength: 4_096 }).describe('Where to PUT its bytes, within 60 seconds.'),
  }),
  Brand,
  BrandList: z.strictObject({ items: z.array(Brand).max(50).describe('The brands, the primary one first.') }),
};
export type CatalogueAnswer<Name extends keyof typeof catalogueAnswers> = z.input<(typeof catalogueAnswers)[Name]>;
