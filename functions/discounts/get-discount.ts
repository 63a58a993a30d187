import { keys } from '../../shared/store/keys.ts';
import { getDiscount } from '../../shared/use-cases/discounts/find-discount.ts';
import { presentDiscount } from '../../shared/wire/discounts/discount.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { discounts, site } from '../../shared/wiring/runtime.ts';

const deps = { discounts: discounts() };

/** GET /discounts/{id} */
export const handler = endpoint(
  { access: 'read', needs: ({ param }) => [keys.discount(param('id'))], present: presentDiscount(site()) },
  ({ param }) => getDiscount(deps, param('id')),
);
