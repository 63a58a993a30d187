import { findBrand } from '../../shared/domain/catalogue/brand.ts';
import { keys } from '../../shared/store/keys.ts';
import { presentBrand } from '../../shared/wire/catalogue/brand.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { brands, site } from '../../shared/wiring/runtime.ts';

const deps = { brands: brands() };

/** GET /brands/{id} */
export const handler = endpoint(
  { access: 'read', needs: () => [keys.brands()], present: presentBrand(site()) },
  async ({ param }) => findBrand(await deps.brands.get(), param('id')),
);
