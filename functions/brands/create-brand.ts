import { keys } from '../../shared/store/keys.ts';
import { createBrand } from '../../shared/use-cases/catalogue/create-brand.ts';
import { BrandInput, presentBrand } from '../../shared/wire/catalogue/brand.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { leniency } from '../../shared/wiring/leniency.ts';
import { brands, newId, site } from '../../shared/wiring/runtime.ts';

const deps = { brands: brands(), newId };

/** POST /brands */
export const handler = endpoint(
  {
    access: 'write',
    body: BrandInput,
    leniency,
    idempotent: true,
    needs: () => [keys.brands()],
    present: presentBrand(site()),
  },
  ({ body, claim }) => createBrand(deps, body, claim),
);
