import { archiveProduct } from '../../domain/catalogue/product.ts';
import type { Claim } from '../../domain/idempotency.ts';
import type { ProductStore } from '../../store/catalogue/product-store.ts';
import { retryStale } from '../retry.ts';

export interface ArchiveProductsDeps {
  products: Pick<ProductStore, 'get' | 'saveAll'>;
  now: () => Date;
}

/** Takes several products off sale together, or none. An archived one stays as it is. */
export const archiveProducts = (
  { products, now }: ArchiveProductsDeps,
  ids: readonly string[],
  claim: Claim<readonly string[]>,
): Promise<void> =>
  retryStale(async () => {
    const found = await Promise.all([...new Set(ids)].map((id) => products.get(id)));
    const onSale = found.filter(({ archived }) => !archived);
    const commands = onSale.map(({ id }) => ({ command: 'product.archive' as const, subject: id, details: {} }));
    await products.saveAll(
      onSale.map((product) => archiveProduct(product, now().toISOString())),
      claim(ids, ...commands),
    );
  });
