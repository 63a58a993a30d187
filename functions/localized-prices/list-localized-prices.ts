import { keys } from '../../shared/store/keys.ts';
import { presentLocalizedPrices } from '../../shared/wire/catalogue/localized-price.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { products } from '../../shared/wiring/runtime.ts';

const deps = { products: products() };

/** GET /products/{id}/localized-prices */
export const handler = endpoint(
  { access: 'read', needs: ({ param }) => [keys.product(param('id'))], present: presentLocalizedPrices },
  ({ param }) => deps.products.get(param('id')),
);
