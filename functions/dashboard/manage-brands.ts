import { brandPages } from '../../shared/dashboard/catalogue/brand-pages.ts';
import { env } from '../../shared/env.ts';
import { cleanImage } from '../../shared/outside/images/clean-image.ts';
import { dashboard } from '../../shared/wiring/dashboard.ts';
import { images } from '../../shared/wiring/images.ts';
import { brands, newId, newUuid, now, policyLanguage, primaryBrandId } from '../../shared/wiring/runtime.ts';

const deps = {
  brands: brands(),
  primaryBrandId: primaryBrandId(),
  images: images(),
  cleanImage,
  publicUrl: env.publicUrl(),
  newUuid,
  newId,
  policyLanguage: policyLanguage(),
  merchant: env.merchant(),
  now,
};

/** GET, POST /dashboard/brands /dashboard/brands/{id} */
export const handler = dashboard(brandPages(deps));
