import { keys } from '../../shared/store/keys.ts';
import { setArchived } from '../../shared/use-cases/catalogue/set-archived.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { entitlements, now, products } from '../../shared/wiring/runtime.ts';

const deps = { products: products(), entitlements: entitlements(), now };

/** DELETE /products/{id} */
export const handler = endpoint(
  { access: 'write', idempotent: true, needs: ({ param }) => [keys.product(param('id'))], present: () => ({}) },
  ({ param, claim }) => setArchived(deps, param('id'), true, claim),
);
