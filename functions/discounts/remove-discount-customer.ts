import { env } from '../../shared/env.ts';
import { keys } from '../../shared/store/keys.ts';
import { removeGuest } from '../../shared/use-cases/discounts/change-guests.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { discountGuests, discounts, now } from '../../shared/wiring/runtime.ts';

const deps = { discounts: discounts(), guests: discountGuests(), merchantId: env.merchant().id, now };

/** DELETE /discounts/{id}/customers/{customer_id} */
export const handler = endpoint(
  { access: 'write', idempotent: true, needs: ({ param }) => [keys.discount(param('id'))], present: () => ({}) },
  ({ param, claim }) => removeGuest(deps, { id: param('id'), customerId: param('customer_id') }, claim),
);
