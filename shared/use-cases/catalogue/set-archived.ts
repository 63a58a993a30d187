import { archiveProduct, type Product, unarchiveProduct } from '../../domain/catalogue/product.ts';
import type { Claim } from '../../domain/idempotency.ts';
import type { ProductStore } from '../../store/catalogue/product-store.ts';
import { retryStale } from '../retry.ts';
import { type AttachedDeps, withEntitlements } from './attached-entitlements.ts';

export interface SetArchivedDeps extends AttachedDeps {
  products: Pick<ProductStore, 'get' | 'save'>;
  now: () => Date;
}

/** Takes a product off sale, or puts it back. */
export function setArchived(
  deps: SetArchivedDeps,
  id: string,
  archived: boolean,
  claim: Claim<Product>,
): Promise<Product> {
  return retryStale(async () => {
    const before = await deps.products.get(id);
    const product = (archived ? archiveProduct : unarchiveProduct)(before, deps.now().toISOString());
    const command = archived ? ('product.archive' as const) : ('product.restore' as const);
    const [offered = product] = await withEntitlements(deps, [product]);
    const records = claim(offered, product === before ? null : { command, subject: id, details: {} });
    if (product !== before || records.length > 0) await deps.products.save(product, records);
    return offered;
  });
}
