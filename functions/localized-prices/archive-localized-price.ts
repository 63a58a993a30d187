import { keys } from '../../shared/store/keys.ts';
import { archiveLocalizedPrice } from '../../shared/use-cases/catalogue/change-localized-prices.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { now, products } from '../../shared/wiring/runtime.ts';

const deps = { products: products(), now };

/** DELETE /products/{id}/localized-prices/{price_id} */
export const handler = endpoint(
  { access: 'write', idempotent: true, needs: ({ param }) => [keys.product(param('id'))], present: () => ({}) },
  ({ param, claim }) => archiveLocalizedPrice(deps, { productId: param('id'), priceId: param('price_id') }, claim),
);
