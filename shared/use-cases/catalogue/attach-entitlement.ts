import { givingEntitlements, type Product } from '../../domain/catalogue/product.ts';
import type { Entitlement } from '../../domain/entitlements/entitlement.ts';
import type { Claim } from '../../domain/idempotency.ts';
import type { ProductStore } from '../../store/catalogue/product-store.ts';
import type { EntitlementStore } from '../../store/entitlements/entitlement-store.ts';
import { createEntitlement, type EntitlementRequest } from '../entitlements/change-entitlement.ts';
import { retryStale } from '../retry.ts';
import { assertFewEntitlements } from './attached-entitlements.ts';

interface GivingDeps {
  products: Pick<ProductStore, 'get' | 'save'>;
  now: () => Date;
}

interface Giving {
  productId: string;
  entitlementId: string;
}

/** Creates an entitlement and attaches it to a product, in one transaction. */
export const createAttached = (
  deps: GivingDeps & { newId: (prefix: 'ent') => string },
  { productId, request }: { productId: string; request: EntitlementRequest },
  claim: Claim<Entitlement>,
): Promise<Entitlement> =>
  retryStale(async () => {
    const product = await deps.products.get(productId);
    const save = (entitlement: Entitlement, records: Parameters<EntitlementStore['save']>[1]) =>
      deps.products.save(attached(product, entitlement.id, deps.now()), records, entitlement);
    return createEntitlement({ ...deps, entitlements: { save } }, request, claim, { product: productId });
  });

/** Attaches an existing entitlement to a product. Attaching it again changes nothing. */
export const attachEntitlement = (
  deps: GivingDeps & { entitlements: Pick<EntitlementStore, 'get'> },
  { productId, entitlementId }: Giving,
  claim: Claim<Product>,
): Promise<Product> =>
  retryStale(async () => {
    const [product] = await Promise.all([deps.products.get(productId), deps.entitlements.get(entitlementId)]);
    return saveGiving(deps, product, attached(product, entitlementId, deps.now()), claim);
  });

/** Detaches an entitlement from a product. Later buyers do not get it; earlier buyers keep it. */
export const detachEntitlement = (
  deps: GivingDeps,
  { productId, entitlementId }: Giving,
  claim: Claim<Product>,
): Promise<Product> =>
  retryStale(async () => {
    const product = await deps.products.get(productId);
    const rest = (product.entitlements ?? []).filter((id) => id !== entitlementId);
    return saveGiving(deps, product, givingEntitlements(product, rest, deps.now().toISOString()), claim);
  });

function attached(product: Product, entitlementId: string, now: Date): Product {
  const ids = [...new Set([...(product.entitlements ?? []), entitlementId])];
  assertFewEntitlements(ids);
  return givingEntitlements(product, ids, now.toISOString());
}

async function saveGiving(
  { products }: Pick<GivingDeps, 'products'>,
  { id }: Product,
  product: Product,
  claim: Claim<Product>,
): Promise<Product> {
  const details = { changed: 'entitlements' };
  await products.save(product, claim(product, { command: 'product.update', subject: id, details }));
  return product;
}
