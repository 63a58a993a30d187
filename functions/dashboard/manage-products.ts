import { productPages } from '../../shared/dashboard/catalogue/product-pages.ts';
import { env } from '../../shared/env.ts';
import { cleanImage } from '../../shared/outside/images/clean-image.ts';
import { dashboard } from '../../shared/wiring/dashboard.ts';
import { images } from '../../shared/wiring/images.ts';
import * as runtime from '../../shared/wiring/runtime.ts';
import * as selling from '../../shared/wiring/selling.ts';

const deps = {
  products: runtime.products(),
  payments: runtime.paymentLists(),
  entitlements: runtime.entitlements(),
  brands: runtime.brands(),
  images: images(),
  taxCustom: runtime.taxCustom(),
  taxSettings: selling.taxSettings,
  checkTaxId: selling.checkOnlyTaxIdForm,
  takesPayments: selling.takesPayments,
  chargeLimits: selling.chargeLimits,
  announcesExpiry: selling.announcesExpiry,
  publicUrl: env.publicUrl(),
  primaryBrandId: runtime.primaryBrandId(),
  merchantCountry: env.merchant().country,
  now: runtime.now,
  newId: runtime.newId,
  newUuid: runtime.newUuid,
  cleanImage,
};

/** GET, POST /dashboard/products /dashboard/products/{id} */
export const handler = dashboard(productPages(deps));
