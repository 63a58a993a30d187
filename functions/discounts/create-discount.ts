import { keys } from '../../shared/store/keys.ts';
import { createDiscount } from '../../shared/use-cases/discounts/create-discount.ts';
import { presentDiscount } from '../../shared/wire/discounts/discount.ts';
import { DiscountInput } from '../../shared/wire/discounts/discount-input.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { discounts, newId, now, products, randomText, site } from '../../shared/wiring/runtime.ts';

const deps = { discounts: discounts(), products: products(), now, newId, randomText };

/** POST /discounts */
export const handler = endpoint(
  {
    body: DiscountInput,
    present: presentDiscount(site()),
    access: 'write',
    idempotent: true,
    needs: ({ body }) => [keys.brands(), ...body.restrictedTo.map(keys.product)],
  },
  ({ body, claim }) => createDiscount(deps, body, claim),
);
