import { givingEntitlements, type Product } from '../../domain/catalogue/product.ts';
import type { Entitlement, EntitlementFile } from '../../domain/entitlements/entitlement.ts';
import { newConfig } from '../../domain/entitlements/entitlement-config.ts';
import { type FilePlace, newFile, withFile } from '../../domain/entitlements/files.ts';
import type { Claim } from '../../domain/idempotency.ts';
import { productEntitlementIdOf } from '../../domain/ids.ts';
import type { ProductStore } from '../../store/catalogue/product-store.ts';
import type { EntitlementStore } from '../../store/entitlements/entitlement-store.ts';
import {
  type ArrivedFiles,
  filesChanged,
  filesConfigOf,
  lookForFiles,
  removeDropped,
} from '../entitlements/entitlement-files.ts';
import { retryStale } from '../retry.ts';
import { assertFewEntitlements, ownEntitlement } from './attached-entitlements.ts';

interface AddProductFileDeps {
  products: Pick<ProductStore, 'get' | 'save'>;
  entitlements: Pick<EntitlementStore, 'find'>;
  files: ArrivedFiles & { signBareUpload(place: FilePlace): Promise<string> };
  now: () => Date;
  newId: (prefix: 'fil') => string;
}

/** A new file of a product, and the address for the upload. */
export interface AddedProductFile {
  file: EntitlementFile;
  url: string;
}

/**
 * Adds a file to a product through the older form of the API. Buyers see the file when it is uploaded. The first file
 * creates the product's own entitlement. It also takes over the text and address of a product from version 0.2.0.
 */
export const addProductFile = (
  deps: AddProductFileDeps,
  productId: string,
  name: string,
  claim: Claim<AddedProductFile>,
): Promise<AddedProductFile> =>
  retryStale(async () => {
    const id = productEntitlementIdOf(productId, 'digital_files');
    const [product, known] = await Promise.all([deps.products.get(productId), deps.entitlements.find(id)]);
    const looked = known && (await lookForFiles(deps, known));
    const now = deps.now();
    const file = newFile({ name }, { id: deps.newId('fil'), now });
    const own = withOwnFile({ product, id, known: looked }, file, now.toISOString());
    const url = await deps.files.signBareUpload({ entitlementId: id, fileId: file.id });
    const added = { file, url };
    await deps.products.save(givingOwn(product, id, now.toISOString()), claim(added, filesChanged(id)), own);
    if (known) await removeDropped(deps, known, own);
    return added;
  });

/** The product's own entitlement with one more file. */
function withOwnFile(
  of: { product: Product; id: string; known: Entitlement | undefined },
  file: EntitlementFile,
  now: string,
): Entitlement {
  const before = newConfig('digital_files', of.product.delivery ?? {});
  const own = of.known ?? ownEntitlement(of, before, now);
  return ownEntitlement(of, withFile(filesConfigOf(own), file), now);
}

/** The product with its own entitlement attached, and without the delivery text from 0.2.0. */
function givingOwn({ delivery: _, ...product }: Product, id: string, now: string): Product {
  const ids = [...new Set([...(product.entitlements ?? []), id])];
  assertFewEntitlements(ids);
  return givingEntitlements(product, ids, now);
}
