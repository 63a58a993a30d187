import { env } from '../../shared/env.ts';
import { keys } from '../../shared/store/keys.ts';
import { addGuests } from '../../shared/use-cases/discounts/change-guests.ts';
import { DiscountCustomersInput } from '../../shared/wire/discounts/discount-input.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { discountGuests, discounts, now } from '../../shared/wiring/runtime.ts';

const deps = { discounts: discounts(), guests: discountGuests(), merchantId: env.merchant().id, now };
const present = (customerIds: string[]) => ({ customer_ids: customerIds });

/** POST /discounts/{id}/customers */
export const handler = endpoint(
  {
    body: DiscountCustomersInput,
    present,
    access: 'write',
    idempotent: true,
    needs: ({ param }) => [keys.discount(param('id'))],
  },
  ({ param, body, claim }) => addGuests(deps, param('id'), body, claim),
);
