import { keys } from '../../shared/store/keys.ts';
import { createProduct } from '../../shared/use-cases/catalogue/create-product.ts';
import { presentProduct } from '../../shared/wire/catalogue/product.ts';
import { ProductInput } from '../../shared/wire/catalogue/product-input.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import * as runtime from '../../shared/wiring/runtime.ts';

const stores = { products: runtime.products(), brands: runtime.brands() };
const terms = { primaryBrandId: runtime.primaryBrandId(), taxCustom: runtime.taxCustom() };
const deps = { ...stores, ...terms, now: runtime.now, newId: runtime.newId };
const shape = { body: ProductInput, present: presentProduct(runtime.site()) };

/** POST /products */
export const handler = endpoint(
  { ...shape, access: 'write', idempotent: true, needs: ({ body }) => (body.brandId ? [keys.brands()] : []) },
  ({ body, claim }) => createProduct(deps, body, claim),
);
