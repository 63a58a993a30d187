import { endpoint } from '../../shared/http/endpoint.ts';
import { brands, newId, now, primaryBrandId, products, site } from '../../shared/runtime.ts';
import { keys } from '../../shared/store/keys.ts';
import { createProduct } from '../../shared/use-cases/catalogue/create-product.ts';
import { presentProduct } from '../../shared/wire/catalogue/product.ts';
import { ProductInput } from '../../shared/wire/catalogue/product-input.ts';

const deps = { products: products(), brands: brands(), primaryBrandId: primaryBrandId(), now, newId };
const shape = { body: ProductInput, present: presentProduct(site()) };

/** POST /products */
export const handler = endpoint(
  { ...shape, access: 'write', idempotent: true, needs: ({ body }) => (body.brandId ? [keys.brands()] : []) },
  ({ body, claim }) => createProduct(deps, body, claim),
);
