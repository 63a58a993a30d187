import { keys } from '../../shared/store/keys.ts';
import { BrandQuery, presentBrands } from '../../shared/wire/catalogue/brand.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { brands, site } from '../../shared/wiring/runtime.ts';

const deps = { brands: brands() };

/** GET /brands */
export const handler = endpoint(
  { access: 'read', query: BrandQuery, needs: () => [keys.brands()], present: presentBrands(site()) },
  () => deps.brands.get(),
);
