import { DomainError } from '../domain/errors.ts';
import type { Claim } from '../domain/idempotency.ts';
import { createProduct as create, type NewProduct, type Product } from '../domain/product.ts';
import type { ProductStore } from '../store/product-store.ts';

export interface CreateProductDeps {
  products: Pick<ProductStore, 'save'>;
  primaryBrandId: string;
  now: () => Date;
  newId: (prefix: 'pdt') => string;
}

/** Creates a product under the named brand, or the stack's primary one. */
export async function createProduct(
  deps: CreateProductDeps,
  { brandId, ...fields }: Omit<NewProduct, 'brandId'> & { brandId: string | null },
  claim: Claim<Product>,
): Promise<Product> {
  const brand = knownBrand(brandId ?? deps.primaryBrandId, deps.primaryBrandId);
  const product = create({ ...fields, brandId: brand }, { id: deps.newId('pdt'), now: deps.now().toISOString() });
  await deps.products.save(product, claim(product));
  return product;
}

/** Refuses a brand that this stack does not have. */
export function knownBrand(brandId: string, primaryBrandId: string): string {
  if (brandId === primaryBrandId) return brandId;
  throw new DomainError('NOT_FOUND', `There is no brand ${brandId}.`, {
    faults: [{ path: 'brand_id', message: 'There is no such brand.' }],
  });
}
