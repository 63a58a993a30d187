import { keys } from '../../shared/store/keys.ts';
import { GuestQuery, presentGuest } from '../../shared/wire/discounts/discount.ts';
import { presentPage, toPageRequest } from '../../shared/wire/page.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { discountGuests, discounts } from '../../shared/wiring/runtime.ts';

const deps = { discounts: discounts(), guests: discountGuests() };

/** GET /discounts/{id}/customers */
export const handler = endpoint(
  {
    query: GuestQuery,
    present: presentPage(presentGuest),
    access: 'read',
    needs: ({ param }) => [keys.discount(param('id'))],
  },
  async ({ param, query, walk }) => {
    const { id } = await deps.discounts.get(param('id'));
    return deps.guests.list(id, toPageRequest(query, walk));
  },
);
