import { findBrand } from '../../domain/catalogue/brand.ts';
import { type NewProduct, newProduct, type Product } from '../../domain/catalogue/product.ts';
import { type PriceTax, type TaxCustom, taxByPlaceOf } from '../../domain/catalogue/tax-mode.ts';
import type { Claim } from '../../domain/idempotency.ts';
import type { BrandStore } from '../../store/catalogue/brand-store.ts';
import type { ProductStore } from '../../store/catalogue/product-store.ts';
import { type AttachedDeps, attachedTo, type GivenByProduct, settleGiven } from './attached-entitlements.ts';

export interface CreateProductDeps extends AttachedDeps {
  products: Pick<ProductStore, 'save'>;
  brands: Pick<BrandStore, 'get'>;
  primaryBrandId: string;
  taxCustom: TaxCustom;
  now: () => Date;
  newId: (prefix: 'pdt') => string;
}

interface ProductRequest extends Omit<NewProduct, 'brandId' | 'entitlements'>, GivenByProduct {
  /** The brand of the product; null for the stack's primary one. */
  brandId: string | null;
  /** The address of an image that is already published. */
  image?: string | null;
  /**
   * The country whose tax is in a price with tax by place; null for the merchant's country. Absent if the price itself
   * says whether it includes tax.
   */
  taxAnchor?: string | null | undefined;
}

/** Creates a product under the named brand, or the stack's primary one. */
export async function createProduct(
  deps: CreateProductDeps,
  { brandId, image = null, taxAnchor, entitlements, ownKey, ownFiles, ...fields }: ProductRequest,
  claim: Claim<Product>,
): Promise<Product> {
  const brand = await knownBrand(deps, brandId ?? deps.primaryBrandId);
  const origin = { id: deps.newId('pdt'), now: deps.now().toISOString() };
  const price = { ...fields.price, ...taxAt(taxAnchor, deps.taxCustom) };
  const made = { ...newProduct({ ...fields, price, brandId: brand }, origin), image };
  const given = await settleGiven(deps, made, { entitlements, ownKey, ownFiles }, origin.now);
  const product = { ...made, ...(given.ids.length > 0 && { entitlements: given.ids }) };
  const offered = attachedTo(product, given.attached);
  const command = { command: 'product.create' as const, subject: product.id, details: {} };
  await deps.products.save(product, claim(offered, command), ...given.owns);
  return offered;
}

/** Whether a price with this tax anchor includes tax; undefined without an anchor. */
export const taxAt = (anchor: string | null | undefined, custom: TaxCustom): PriceTax | undefined =>
  anchor === undefined ? undefined : taxByPlaceOf(anchor, custom);

/** The brand with an id. Refuses an unknown one. The primary brand is known without a read. */
export async function knownBrand(
  { brands, primaryBrandId }: Pick<CreateProductDeps, 'brands' | 'primaryBrandId'>,
  brandId: string,
): Promise<string> {
  return brandId === primaryBrandId ? brandId : findBrand(await brands.get(), brandId, 'brand_id').id;
}
