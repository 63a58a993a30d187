import { cleanImage } from '../../shared/outside/images/clean-image.ts';
import { keys } from '../../shared/store/keys.ts';
import { updateProduct } from '../../shared/use-cases/catalogue/update-product.ts';
import { presentProduct } from '../../shared/wire/catalogue/product.ts';
import { ProductChangeInput } from '../../shared/wire/catalogue/product-input.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { buyerFiles } from '../../shared/wiring/files.ts';
import { images } from '../../shared/wiring/images.ts';
import { leniency } from '../../shared/wiring/leniency.ts';
import * as runtime from '../../shared/wiring/runtime.ts';

const deps = {
  products: runtime.products(),
  brands: runtime.brands(),
  entitlements: runtime.entitlements(),
  images: images(),
  files: buyerFiles(),
  ...runtime.site(),
  primaryBrandId: runtime.primaryBrandId(),
  taxCustom: runtime.taxCustom(),
  cleanImage,
  now: runtime.now,
};
const rowsOf = (id: string, brandId?: string) => [keys.product(id), ...(brandId ? [keys.brands()] : [])];

/** PATCH /products/{id} */
export const handler = endpoint(
  {
    body: ProductChangeInput,
    leniency,
    present: presentProduct(runtime.site()),
    access: 'write',
    idempotent: true,
    needs: ({ param, body }) => rowsOf(param('id'), body.brandId),
  },
  ({ param, body, claim }) => updateProduct(deps, param('id'), body, claim),
);
