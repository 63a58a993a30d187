import { primaryBrandIdOf } from '../../shared/domain/ids.ts';
import { env } from '../../shared/env.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { brands, newId, now, products, site } from '../../shared/runtime.ts';
import { keys } from '../../shared/store/keys.ts';
import { createProduct } from '../../shared/use-cases/catalogue/create-product.ts';
import { ProductInput, presentProduct } from '../../shared/wire/catalogue/product.ts';

const primaryBrandId = primaryBrandIdOf(env.merchant().id);
const deps = { products: products(), brands: brands(), primaryBrandId, now, newId };

/** POST /products */
export const handler = endpoint(
  {
    access: 'write',
    body: ProductInput,
    idempotent: true,
    needs: ({ body }) => (body.brandId ? [keys.brands()] : []),
    present: presentProduct(site()),
  },
  ({ body, claim }) => createProduct(deps, body, claim),
);
