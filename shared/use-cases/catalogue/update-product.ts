import { fieldsOf } from '../../domain/access/audit.ts';
import { changeProduct, type Product, type ProductChange } from '../../domain/catalogue/product.ts';
import type { Entitlement } from '../../domain/entitlements/entitlement.ts';
import type { Claim } from '../../domain/idempotency.ts';
import type { ProductStore } from '../../store/catalogue/product-store.ts';
import { type ArrivedFiles, lookForFiles, removeDropped } from '../entitlements/entitlement-files.ts';
import { retryStaleFrom } from '../retry.ts';
import { attachedTo, type GivenByProduct, ownFilesOf, settleGiven } from './attached-entitlements.ts';
import { type CreateProductDeps, knownBrand, taxAt } from './create-product.ts';
import { changedImage, type ImageChange, type PublishImageDeps } from './publish-image.ts';

export interface UpdateProductDeps
  extends PublishImageDeps,
    Pick<CreateProductDeps, 'brands' | 'primaryBrandId' | 'taxCustom' | 'entitlements'> {
  products: Pick<ProductStore, 'get' | 'save'>;
  /** The storage of files for buyers; absent if no request can name files. */
  files?: ArrivedFiles;
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
    ownFiles,
    ...named
  }: ProductChange & GivenByProduct & { imageId?: ImageChange; taxAnchor?: string | null },
  claim: Claim<Product>,
): Promise<Product> {
  const tax = taxAt(taxAnchor, deps.taxCustom);
  const plain = tax ? { ...named, tax } : named;
  if (plain.brandId) await knownBrand(deps, plain.brandId);
  const read = await deps.products.get(id);
  changeProduct(read, plain, deps.now().toISOString());
  const image = await changedImage(deps, id, imageId, read.image);
  const fields = image === undefined ? plain : { ...plain, image };
  const readAgain = () => deps.products.get(id);
  const product = await retryStaleFrom({ read, readAgain }, async (current) => {
    const at = deps.now().toISOString();
    const request = { entitlements, ownKey, ownFiles };
    const given = await settleGiven({ ...deps, ...lookingIn(deps) }, current, request, at);
    const isMoved = ownFilesOf(current, request) !== undefined;
    const change = { ...fields, entitlements: given.ids, ...(isMoved && { delivery: null }) };
    const changed = changeProduct(current, change, at);
    const offered = attachedTo(changed, given.attached);
    const details = { changed: fieldsOf({ ...fields, entitlements, ownKey, delivery: ownFiles }) };
    await deps.products.save(
      changed,
      claim(offered, { command: 'product.update', subject: id, details }),
      ...given.owns,
    );
    const { files } = deps;
    if (files)
      for (const before of given.ownsBefore)
        await removeDropped({ files }, before, given.attached.get(before.id) ?? before);
    return offered;
  });
  if (imageId) await deps.images.removeUpload({ ownerId: id, imageId });
  return product;
}

const lookingIn = ({ files, now }: Pick<UpdateProductDeps, 'files' | 'now'>) =>
  files && { look: (entitlement: Entitlement) => lookForFiles({ files, now }, entitlement) };
