import { keys } from '../../shared/store/keys.ts';
import { OneProductQuery, presentProduct } from '../../shared/wire/catalogue/product.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { products, site } from '../../shared/wiring/runtime.ts';

const deps = { products: products() };

/** GET /products/{id} */
export const handler = endpoint(
  {
    access: 'read',
    query: OneProductQuery,
    needs: ({ param }) => [keys.product(param('id'))],
    present: presentProduct(site()),
  },
  ({ param }) => deps.products.get(param('id')),
);
