import { keys } from '../../shared/store/keys.ts';
import { createProduct } from '../../shared/use-cases/catalogue/create-product.ts';
import { presentProduct } from '../../shared/wire/catalogue/product.ts';
import { ProductInput } from '../../shared/wire/catalogue/product-input.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { leniency } from '../../shared/wiring/leniency.ts';
import * as runtime from '../../shared/wiring/runtime.ts';

const deps = {
  products: runtime.products(),
  brands: runtime.brands(),
  entitlements: runtime.entitlements(),
  primaryBrandId: runtime.primaryBrandId(),
  taxCustom: runtime.taxCustom(),
  now: runtime.now,
  newId: runtime.newId,
};

/** POST /products */
export const handler = endpoint(
  {
    body: ProductInput,
    leniency,
    present: presentProduct(runtime.site()),
    access: 'write',
    idempotent: true,
    needs: ({ body }) => (body.brandId ? [keys.brands()] : []),
  },
  ({ body, claim }) => createProduct(deps, body, claim),
);
