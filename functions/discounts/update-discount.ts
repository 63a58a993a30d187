import { keys } from '../../shared/store/keys.ts';
import { updateDiscount } from '../../shared/use-cases/discounts/change-discount.ts';
import { presentDiscount } from '../../shared/wire/discounts/discount.ts';
import { DiscountChangeInput } from '../../shared/wire/discounts/discount-input.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { discounts, products, site } from '../../shared/wiring/runtime.ts';

const deps = { discounts: discounts(), products: products() };

/** PATCH /discounts/{id} */
export const handler = endpoint(
  {
    body: DiscountChangeInput,
    present: presentDiscount(site()),
    access: 'write',
    idempotent: true,
    needs: ({ param }) => [keys.discount(param('id'))],
  },
  ({ param, body, claim }) => updateDiscount(deps, param('id'), body, claim),
);
