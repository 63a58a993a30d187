import { keys } from '../../shared/store/keys.ts';
import { setArchived } from '../../shared/use-cases/catalogue/set-archived.ts';
import { presentProduct } from '../../shared/wire/catalogue/product.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { entitlements, now, products, site } from '../../shared/wiring/runtime.ts';

const deps = { products: products(), entitlements: entitlements(), now };

/** POST /products/{id}/unarchive */
export const handler = endpoint(
  {
    access: 'write',
    idempotent: true,
    needs: ({ param }) => [keys.product(param('id'))],
    present: presentProduct(site()),
  },
  ({ param, claim }) => setArchived(deps, param('id'), false, claim),
);
