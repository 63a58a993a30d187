import { fieldsOf } from '../domain/audit.ts';
import type { Claim } from '../domain/idempotency.ts';
import { changeProduct, type Product, type ProductChange } from '../domain/product.ts';
import type { ProductStore } from '../store/product-store.ts';
import { type CreateProductDeps, knownBrand } from './create-product.ts';
import { changedImage, type ImageChange, type PublishImageDeps } from './publish-image.ts';
import { retryStale } from './retry.ts';

export interface UpdateProductDeps extends PublishImageDeps, Pick<CreateProductDeps, 'brands' | 'primaryBrandId'> {
  products: Pick<ProductStore, 'get' | 'save'>;
  now: () => Date;
}

/**
 * Changes what is named and nothing else; open checkout sessions keep the terms they were created with.
 * A new image is published when the rest of the change is known to be possible, and its upload removed when all is done.
 */
export async function updateProduct(
  deps: UpdateProductDeps,
  id: string,
  { imageId, ...change }: ProductChange & { imageId?: ImageChange },
  claim: Claim<Product>,
): Promise<Product> {
  if (change.brandId) await knownBrand(deps, change.brandId);
  const image = imageId === undefined ? undefined : await newImage(deps, id, change, imageId);
  const product = await retryStale(async () => {
    const fields = image === undefined ? change : { ...change, image };
    const changed = changeProduct(await deps.products.get(id), fields, deps.now().toISOString());
    await deps.products.save(
      changed,
      claim(changed, { command: 'product.update', subject: id, details: { changed: fieldsOf(fields) } }),
    );
    return changed;
  });
  if (imageId) await deps.images.removeUpload({ ownerId: id, imageId });
  return product;
}

async function newImage(deps: UpdateProductDeps, id: string, change: ProductChange, imageId: string | null) {
  const product = await deps.products.get(id);
  changeProduct(product, change, deps.now().toISOString());
  return changedImage(deps, id, imageId, product.image);
}
