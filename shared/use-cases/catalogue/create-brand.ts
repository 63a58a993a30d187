import { type Brand, type NewBrand, withBrand } from '../../domain/catalogue/brand.ts';
import type { Claim } from '../../domain/idempotency.ts';
import type { BrandStore } from '../../store/catalogue/brand-store.ts';
import { retryStale } from '../retry.ts';

export interface CreateBrandDeps {
  brands: BrandStore;
  newId: (prefix: 'brnd') => string;
}

/** Adds a brand. Over the API, the logo is added later by an update, because the upload needs the brand's id. */
export function createBrand(
  deps: CreateBrandDeps,
  { logo = null, ...fields }: NewBrand & { logo?: string | null },
  claim: Claim<Brand>,
): Promise<Brand> {
  const brand = { ...fields, id: deps.newId('brnd'), logo };
  return retryStale(async () => {
    await deps.brands.save(
      withBrand(await deps.brands.get(), brand),
      claim(brand, { command: 'brand.create', subject: brand.id, details: {} }),
    );
    return brand;
  });
}
