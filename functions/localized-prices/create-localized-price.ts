import { keys } from '../../shared/store/keys.ts';
import { addLocalizedPrice } from '../../shared/use-cases/catalogue/change-localized-prices.ts';
import { LocalizedPriceInput, presentLocalizedPrice } from '../../shared/wire/catalogue/localized-price.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { newId, now, products } from '../../shared/wiring/runtime.ts';

const deps = { products: products(), now, newId };

/** POST /products/{id}/localized-prices */
export const handler = endpoint(
  {
    body: LocalizedPriceInput,
    present: presentLocalizedPrice,
    access: 'write',
    idempotent: true,
    needs: ({ param }) => [keys.product(param('id'))],
  },
  ({ param, body, claim }) => addLocalizedPrice(deps, param('id'), body, claim),
);
