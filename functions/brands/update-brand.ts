import { env } from '../../shared/env.ts';
import { cleanImage } from '../../shared/outside/images/clean-image.ts';
import { keys } from '../../shared/store/keys.ts';
import { updateBrand } from '../../shared/use-cases/catalogue/update-brand.ts';
import { BrandChangeInput, presentBrand } from '../../shared/wire/catalogue/brand.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { images } from '../../shared/wiring/images.ts';
import { leniency } from '../../shared/wiring/leniency.ts';
import { brands, site } from '../../shared/wiring/runtime.ts';

const deps = { brands: brands(), images: images(), cleanImage, publicUrl: env.publicUrl() };

/** PATCH /brands/{id} */
export const handler = endpoint(
  {
    body: BrandChangeInput,
    leniency,
    present: presentBrand(site()),
    access: 'write',
    idempotent: true,
    needs: () => [keys.brands()],
  },
  ({ param, body, claim }) => updateBrand(deps, param('id'), body, claim),
);
