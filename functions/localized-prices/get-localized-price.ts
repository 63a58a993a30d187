import { findLocalizedPrice } from '../../shared/domain/catalogue/localized-price.ts';
import { keys } from '../../shared/store/keys.ts';
import { presentLocalizedPrice } from '../../shared/wire/catalogue/localized-price.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { products } from '../../shared/wiring/runtime.ts';

const deps = { products: products() };

/** GET /products/{id}/localized-prices/{price_id} */
export const handler = endpoint(
  { access: 'read', needs: ({ param }) => [keys.product(param('id'))], present: presentLocalizedPrice },
  async ({ param }) => {
    const product = await deps.products.get(param('id'));
    return { product, price: findLocalizedPrice(product, param('price_id')) };
  },
);
