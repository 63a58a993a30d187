import { keys } from '../../shared/store/keys.ts';
import { changeLocalizedPrice } from '../../shared/use-cases/catalogue/change-localized-prices.ts';
import { LocalizedPriceChange, presentLocalizedPrice } from '../../shared/wire/catalogue/localized-price.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { now, products } from '../../shared/wiring/runtime.ts';

const deps = { products: products(), now };

/** PATCH /products/{id}/localized-prices/{price_id} */
export const handler = endpoint(
  {
    body: LocalizedPriceChange,
    present: presentLocalizedPrice,
    access: 'write',
    idempotent: true,
    needs: ({ param }) => [keys.product(param('id'))],
  },
  ({ param, body, claim }) =>
    changeLocalizedPrice(deps, { productId: param('id'), priceId: param('price_id') }, body, claim),
);
