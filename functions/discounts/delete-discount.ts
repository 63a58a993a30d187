import { keys } from '../../shared/store/keys.ts';
import { removeDiscount } from '../../shared/use-cases/discounts/change-discount.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { discounts, now } from '../../shared/wiring/runtime.ts';

const deps = { discounts: discounts(), now };

/** DELETE /discounts/{id} */
export const handler = endpoint(
  {
    access: 'write',
    idempotent: true,
    needs: ({ param }) => [keys.discount(param('id')), keys.brands()],
    present: () => ({}),
  },
  ({ param, claim }) => removeDiscount(deps, param('id'), claim),
);
