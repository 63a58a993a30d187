import type { Claim } from '../domain/idempotency.ts';
import { changeProduct, type Product, type ProductChange } from '../domain/product.ts';
import type { ProductStore } from '../store/product-store.ts';
import { knownBrand } from './create-product.ts';
import { retryStale } from './retry.ts';

export interface UpdateProductDeps {
  products: Pick<ProductStore, 'get' | 'save'>;
  primaryBrandId: string;
  now: () => Date;
}

/** Changes what is named and nothing else; open checkout sessions keep the terms they were created with. */
export function updateProduct(
  deps: UpdateProductDeps,
  id: string,
  change: ProductChange,
  claim: Claim<Product>,
): Promise<Product> {
  if (change.brandId) knownBrand(change.brandId, deps.primaryBrandId);
  return retryStale(async () => {
    const product = changeProduct(await deps.products.get(id), change, deps.now().toISOString());
    await deps.products.save(product, claim(product));
    return product;
  });
}
