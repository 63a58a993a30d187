import { DomainError } from '../../shared/domain/errors.ts';
import { missingOperation } from '../../shared/site/missing-operations.ts';
import { keys } from '../../shared/store/keys.ts';
import { withEntitlements } from '../../shared/use-cases/catalogue/attached-entitlements.ts';
import { OneProductQuery, presentProduct } from '../../shared/wire/catalogue/product.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { entitlements, products, site } from '../../shared/wiring/runtime.ts';

const deps = { products: products(), entitlements: entitlements() };

/** GET /products/{id} */
export const handler = endpoint(
  {
    access: 'read',
    query: OneProductQuery,
    needs: ({ param }) => [keys.product(param('id'))],
    present: presentProduct(site()),
  },
  async ({ param }) => {
    const missing = missingOperation('GET', `/products/${param('id')}`);
    if (missing) throw new DomainError('NOT_FOUND', missing);
    const product = await deps.products.get(param('id'));
    const [offered = product] = await withEntitlements(deps, [product]);
    return offered;
  },
);
