import * as z from 'zod';
import { taxCategories } from '../checkout/tax.ts';
import { DomainError } from '../errors.ts';
import * as sentences from '../rules/rule-sentences.ts';
import { brokenRule } from '../rules/rules.ts';
import { type SupplyKind, supplyKinds } from '../withdrawal/supply.ts';
import { AdjustableQuantity } from './adjustable-quantity.ts';
import { fittingPrices, LocalizedPrice, type PricingMode, pricingModes } from './localized-price.ts';
import { assertPrice, Price } from './price.ts';
import { ProductDelivery } from './product-delivery.ts';
import type { PriceTax } from './tax-mode.ts';

/** The integrator's metadata: at most 50 short keys with strings, numbers or booleans. */
export const Metadata = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
export type Metadata = z.infer<typeof Metadata>;

/** Something for sale. An archived product can be read, but not changed or put into a cart. */
export const Product = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  brandId: z.string(),
  price: Price,
  /** Whether it has different prices by currency or by country; absent if neither. */
  pricingMode: z.enum(pricingModes).optional(),
  /** Its localized prices; absent if none. */
  localizedPrices: z.array(LocalizedPrice).optional(),
  taxCategory: z.enum(taxCategories),
  /**
   * Whether the law of withdrawal treats the product as digital content or as a service. If absent, the tax category
   * decides.
   */
  supply: z.enum(supplyKinds).optional(),
  /** How many units buyers may choose on its payment link; absent if the link fixes the number. */
  adjustable: AdjustableQuantity.optional(),
  /**
   * The text and address for the buyer, in a product that was last written by version 0.2.0. The next write moves them
   * into an entitlement.
   */
  delivery: ProductDelivery.optional(),
  /** The ids of the entitlements that its buyers get; absent if none. */
  entitlements: z.array(z.string()).optional(),
  /** The public address of the image. */
  image: z.string().nullable(),
  metadata: Metadata,
  archived: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** How often this row was written; 0 before the first write. A writer that read an older version fails. */
  version: z.int(),
});
export type Product = z.infer<typeof Product>;

/** The short fields of a product, for lists and searches. */
export const ProductBrief = Product.pick({ id: true, brandId: true, archived: true, price: true, createdAt: true });
export type ProductBrief = z.infer<typeof ProductBrief>;

export type NewProduct = Pick<
  Product,
  | 'name'
  | 'description'
  | 'brandId'
  | 'price'
  | 'pricingMode'
  | 'taxCategory'
  | 'supply'
  | 'metadata'
  | 'adjustable'
  | 'entitlements'
>;

/** A price that need not say whether it includes tax. Then the product keeps its current setting. */
export type PriceTerms = Price extends infer Kind ? (Kind extends Price ? Omit<Kind, keyof PriceTax> : never) : never;

/** What an update may change. Missing fields keep their values. */
export type ProductChange = Partial<
  Omit<NewProduct, 'price' | 'pricingMode' | 'adjustable' | 'supply'> & Pick<Product, 'image'>
> & {
  /** The pricing mode; null if the product has only one price. */
  pricingMode?: PricingMode | null | undefined;
  /** The quantities to choose from; null if the buyer cannot choose. */
  adjustable?: AdjustableQuantity | null | undefined;
  /** null when the text and address have moved into an entitlement. */
  delivery?: null | undefined;
  /** Whether the law of withdrawal treats it as content or as a service; null if the tax category decides. */
  supply?: SupplyKind | null | undefined;
  price?: PriceTerms | undefined;
  tax?: PriceTax | undefined;
};

export function newProduct(fields: NewProduct, { id, now }: { id: string; now: string }): Product {
  assertPrice(fields.price);
  return { ...fields, id, image: null, archived: false, createdAt: now, updatedAt: now, version: 0 };
}

/** Applies a change. A price that does not say whether it includes tax keeps the product's setting. */
export function changeProduct(product: Product, change: ProductChange, now: string): Product {
  assertNotArchived(product);
  const { tax, price: terms, pricingMode = product.pricingMode, ...named } = change;
  const { adjustable = product.adjustable, delivery = product.delivery, entitlements, ...other } = named;
  const { supply = product.supply, ...fields } = other;
  const price = taxedAs(terms ?? product.price, tax ?? product.price);
  assertPrice(price);
  const {
    pricingMode: _,
    localizedPrices,
    adjustable: _before,
    delivery: _told,
    supply: _named,
    entitlements: given,
    ...rest
  } = product;
  const gives = entitlements ?? given ?? [];
  const mode = pricingMode ?? undefined;
  const fitting = fittingPrices(product, { price, pricingMode: mode, localizedPrices });
  return {
    ...rest,
    ...fields,
    price,
    ...(mode && { pricingMode: mode }),
    ...(adjustable && { adjustable }),
    ...(delivery && { delivery }),
    ...(supply && { supply }),
    ...(gives.length > 0 && { entitlements: gives }),
    ...(fitting.length > 0 && { localizedPrices: fitting }),
    updatedAt: now,
  };
}

function taxedAs(terms: PriceTerms, { taxInclusive, taxByPlace }: PriceTax): Price {
  const { taxByPlace: _, ...own } = terms as Price;
  return { ...own, taxInclusive, ...(taxByPlace && { taxByPlace }) } as Price;
}

export function archiveProduct(product: Product, now: string): Product {
  assertNotArchived(product);
  return { ...product, archived: true, updatedAt: now };
}

export const unarchiveProduct = (product: Product, now: string): Product =>
  product.archived ? { ...product, archived: false, updatedAt: now } : product;

/** The product with these localized prices. */
export function withPrices(product: Product, localizedPrices: LocalizedPrice[], now: string): Product {
  assertNotArchived(product);
  return { ...product, localizedPrices, updatedAt: now };
}

/** The product with these entitlements. */
export function givingEntitlements(product: Product, ids: readonly string[], now: string): Product {
  assertNotArchived(product);
  const { entitlements: _, ...rest } = product;
  return { ...rest, ...(ids.length > 0 && { entitlements: [...ids] }), updatedAt: now };
}

function assertNotArchived(product: Product): void {
  if (product.archived)
    throw new DomainError('PRODUCT_IS_DELETED', brokenRule(sentences.product_archived, { product: product.id }));
}
