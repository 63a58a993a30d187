import { endpoint } from '../../shared/http/endpoint.ts';
import { keys } from '../../shared/store/keys.ts';
import { BrandQuery, presentBrands } from '../../shared/wire/catalogue/brand.ts';
import { brands, site } from '../../shared/wiring/runtime.ts';

const deps = { brands: brands() };

/** GET /brands */
export const handler = endpoint(
  { access: 'read', query: BrandQuery, needs: () => [keys.brands()], present: presentBrands(site()) },
  () => deps.brands.get(),
);
