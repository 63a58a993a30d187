import * as z from 'zod';
import { pricingModes } from '../../domain/catalogue/localized-price.ts';
import { taxCategories } from '../../domain/checkout/tax.ts';
import {
  answeredId,
  instantText,
  link,
  metadataMap,
  noItems,
  pageOf,
  paidAmount,
  paidCurrency,
  upTo,
} from '../answer-values.ts';

const Price = z.strictObject({
  type: z.literal('one_time_price'),
  currency: paidCurrency,
  price: paidAmount,
  pay_what_you_want: z.boolean(),
  suggested_price: paidAmount.nullable(),
  maximum_price: paidAmount.nullable(),
  preset_amounts: z.array(paidAmount).max(6).nullable(),
  allow_zero: z.boolean(),
  minimum_net: paidAmount.nullable(),
  purpose: upTo(200).nullable(),
  show_net: z.boolean(),
  tax_inclusive: z.boolean(),
  tax_mode: z.enum(['inclusive', 'exclusive', 'location']),
  tax_anchor: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .nullable(),
  discount: z.literal(0),
  discount_bps: z.null(),
  purchasing_power_parity: z.literal(false),
});

const sold = {
  product_id: answeredId('pdt'),
  business_id: upTo(31),
  brand_id: answeredId('brnd'),
  name: upTo(100),
  description: upTo(1_000),
  image: link.nullable(),
};

const kept = {
  tax_category: z.enum(taxCategories),
  tax_inclusive: z.boolean(),
  metadata: metadataMap,
  is_recurring: z.literal(false),
  entitlements: noItems,
  pricing_mode: z.enum(pricingModes).nullable(),
  created_at: instantText,
  updated_at: instantText,
};

const LocalizedPrice = z.strictObject({
  id: answeredId('lcp'),
  product_id: answeredId('pdt'),
  mode: z.enum(pricingModes),
  currency: paidCurrency,
  country_code: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .nullable(),
  amount: paidAmount,
  tax_inclusive: z.boolean().nullable(),
  suggested_price: paidAmount.nullable(),
  maximum_price: paidAmount.nullable(),
  preset_amounts: z.array(paidAmount).max(6).nullable(),
  minimum_net: paidAmount.nullable(),
  created_at: instantText,
  updated_at: instantText,
});

const Product = z.strictObject({
  ...sold,
  price: Price,
  ...kept,
  license_key_enabled: z.literal(false),
  credit_entitlements: noItems,
  addons: z.null(),
  digital_product_delivery: z
    .strictObject({
      external_url: link.nullable(),
      instructions: upTo(1_000).nullable(),
      files: noItems,
    })
    .nullable(),
  adjustable_quantity: z
    .strictObject({ minimum: z.int().min(1).max(1_000), maximum: z.int().min(1).max(1_000) })
    .nullable(),
  license_key_activation_message: z.null(),
  license_key_activations_limit: z.null(),
  license_key_duration: z.null(),
  product_collection_id: z.null(),
});

const ProductListItem = z.strictObject({
  ...sold,
  currency: paidCurrency,
  price: paidAmount,
  price_detail: Price,
  ...kept,
});

const Brand = z.strictObject({
  brand_id: answeredId('brnd'),
  business_id: upTo(31),
  name: upTo(100),
  description: upTo(1_000).nullable(),
  image: link.nullable(),
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/)
    .nullable(),
  support_email: upTo(254).nullable(),
  url: link.nullable(),
  enabled: z.literal(true),
  statement_descriptor: upTo(22),
  verification_enabled: z.literal(false),
  verification_status: z.literal('Success'),
  reason_for_hold: z.null(),
  archived_at: z.null(),
});

/** What the routes of products and brands answer, by the name in the contract. */
export const catalogueAnswers = {
  Price,
  Product,
  ProductListItem,
  ProductPage: pageOf(ProductListItem),
  LocalizedPrice,
  LocalizedPriceList: z.strictObject({ items: z.array(LocalizedPrice).max(100) }),
  Upload: z.strictObject({ url: link, image_id: z.uuid() }),
  Brand,
  BrandList: z.strictObject({ items: z.array(Brand).max(50) }),
};
