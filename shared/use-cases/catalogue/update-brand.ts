import { fieldsOf } from '../../domain/access/audit.ts';
import { type Brand, type BrandChange, findBrand, withBrand } from '../../domain/catalogue/brand.ts';
import type { Claim } from '../../domain/idempotency.ts';
import type { BrandStore } from '../../store/catalogue/brand-store.ts';
import { retryStaleFrom } from '../retry.ts';
import { changedImage, type ImageChange, type PublishImageDeps } from './publish-image.ts';

export interface UpdateBrandDeps extends PublishImageDeps {
  brands: BrandStore;
}

/** Changes only the named fields. A new logo is published first, and its upload is removed last. */
export async function updateBrand(
  deps: UpdateBrandDeps,
  id: string,
  { imageId, ...fields }: BrandChange & { imageId?: ImageChange },
  claim: Claim<Brand>,
): Promise<Brand> {
  const read = await deps.brands.get();
  const logo = await changedImage(deps, id, imageId, findBrand(read, id).logo);
  const details = { changed: fieldsOf({ ...fields, logo }) };
  const readAgain = () => deps.brands.get();
  const brand = await retryStaleFrom({ read, readAgain }, async (all) => {
    const changed = { ...findBrand(all, id), ...fields, ...(logo !== undefined && { logo }) };
    await deps.brands.save(withBrand(all, changed), claim(changed, { command: 'brand.update', subject: id, details }));
    return changed;
  });
  if (imageId) await deps.images.removeUpload({ ownerId: id, imageId });
  return brand;
}
