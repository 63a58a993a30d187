import { archiveProduct, type Product, unarchiveProduct } from '../../domain/catalogue/product.ts';
import type { Claim } from '../../domain/idempotency.ts';
import type { ProductStore } from '../../store/catalogue/product-store.ts';
import { retryStale } from '../retry.ts';

export interface SetArchivedDeps {
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
    const records = claim(product, product === before ? null : { command, subject: id, details: {} });
    if (product !== before || records.length > 0) await deps.products.save(product, records);
    return product;
  });
}
