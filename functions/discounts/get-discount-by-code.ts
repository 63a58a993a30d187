import { getByCode } from '../../shared/use-cases/discounts/find-discount.ts';
import { presentDiscount } from '../../shared/wire/discounts/discount.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { discounts, now, site } from '../../shared/wiring/runtime.ts';

const deps = { discounts: discounts(), now };

/** GET /discounts/code/{code} */
export const handler = endpoint({ access: 'read', present: presentDiscount(site()) }, ({ param }) =>
  getByCode(deps, param('code').toUpperCase()),
);
