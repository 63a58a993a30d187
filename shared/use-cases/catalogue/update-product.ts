import { fieldsOf } from '../../domain/access/audit.ts';
import { changeProduct, type Product, type ProductChange } from '../../domain/catalogue/product.ts';
import type { Claim } from '../../domain/idempotency.ts';
import type { ProductStore } from '../../store/catalogue/product-store.ts';
import { retryStaleFrom } from '../retry.ts';
import { attachedTo, type GivenByProduct, settleGiven } from './attached-entitlements.ts';
import { type CreateProductDeps, knownBrand, taxAt } from './create-product.ts';
import { changedImage, type ImageChange, type PublishImageDeps } from './publish-image.ts';

export interface UpdateProductDeps
  extends PublishImageDeps,
    Pick<CreateProductDeps, 'brands' | 'primaryBrandId' | 'taxCustom' | 'entitlements'> {
  products: Pick<ProductStore, 'get' | 'save'>;
  now: () => Date;
}

/**
 * Changes only the named fields. Open checkout sessions keep their terms. A new image is published after the other
 * changes are checked, and its upload is removed at the end.
 */
export async function updateProduct(
  deps: UpdateProductDeps,
  id: string,
  {
    imageId,
    taxAnchor,
    entitlements,
    ownKey,
    ...named
  }: ProductChange & GivenByProduct & { imageId?: ImageChange; taxAnchor?: string | null },
  claim: Claim<Product>,
): Promise<Product> {
  const tax = taxAt(taxAnchor, deps.taxCustom);
  const change = tax ? { ...named, tax } : named;
  if (change.brandId) await knownBrand(deps, change.brandId);
  const read = await deps.products.get(id);
  changeProduct(read, change, deps.now().toISOString());
  const image = await changedImage(deps, id, imageId, read.image);
  const fields = image === undefined ? change : { ...change, image };
  const readAgain = () => deps.products.get(id);
  const product = await retryStaleFrom({ read, readAgain }, async (current) => {
    const at = deps.now().toISOString();
    const given = await settleGiven(deps, current, { entitlements, ownKey }, at);
    const changed = changeProduct(current, { ...fields, entitlements: given.ids }, at);
    const offered = attachedTo(changed, given.attached);
    const details = { changed: fieldsOf({ ...fields, entitlements, ownKey }) };
    await deps.products.save(changed, claim(offered, { command: 'product.update', subject: id, details }), given.own);
    return offered;
  });
  if (imageId) await deps.images.removeUpload({ ownerId: id, imageId });
  return product;
}
