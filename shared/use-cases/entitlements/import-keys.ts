import { type LicenseKey, newImportedKey } from '../../domain/entitlements/license-key.ts';
import type { Claim } from '../../domain/idempotency.ts';
import type { ProductStore } from '../../store/catalogue/product-store.ts';
import type { LicenseKeyStore } from '../../store/entitlements/license-key-store.ts';
import { findCustomer, type LoadCustomerDeps } from '../customers/load-customer.ts';
import { retryStale } from '../retry.ts';
import type { KeyImport } from './change-license-key.ts';

export interface ImportKeysDeps {
  licenseKeys: Pick<LicenseKeyStore, 'findByText' | 'saveNew'>;
  products: Pick<ProductStore, 'find'>;
  customers: LoadCustomerDeps;
  now: () => Date;
  newId: (prefix: 'lic') => string;
}

/** A key in a file, with its line number. */
interface ListedKey {
  line: number;
  key: KeyImport;
}

/**
 * The result of an import: how many keys are new, how many already existed, and which lines name an unknown product or
 * customer.
 */
export interface ImportedKeys {
  added: number;
  repeated: number;
  strangers: { line: number; names: 'product' | 'customer' }[];
}

/**
 * Imports keys from an earlier system in one transaction, or only checks them. Keys that already exist do not change.
 */
export const importKeys = (
  deps: ImportKeysDeps,
  listed: readonly ListedKey[],
  { subject, claim }: { subject: string; claim: Claim<ImportedKeys> | undefined },
): Promise<ImportedKeys> =>
  retryStale(async () => {
    const { fresh, done } = sorted(deps, listed, await rowsNamedBy(deps, listed));
    const command = { command: 'license_key.import' as const, subject, details: { keys: done.added } };
    if (claim) await deps.licenseKeys.saveNew(fresh, claim(done, done.added > 0 ? command : null));
    return done;
  });

/** The products, customers and keys that the file names and that exist. */
async function rowsNamedBy({ products, customers, licenseKeys }: ImportKeysDeps, listed: readonly ListedKey[]) {
  const named = (field: 'productId' | 'customerId' | 'key') => listed.map(({ key }) => key[field]);
  return {
    products: await foundBy(named('productId'), (id) => products.find(id)),
    customers: await foundBy(named('customerId'), (id) => findCustomer(customers, id)),
    existing: await foundBy(named('key'), (text) => licenseKeys.findByText(text)),
  };
}

/** Makes the new keys, and counts the others. A key that is listed twice counts as new only once. */
function sorted(
  { newId, now }: ImportKeysDeps,
  listed: readonly ListedKey[],
  { products, customers, existing }: Awaited<ReturnType<typeof rowsNamedBy>>,
): { fresh: LicenseKey[]; done: ImportedKeys } {
  const fresh = new Map<string, LicenseKey>();
  const strangers: ImportedKeys['strangers'] = [];
  for (const { line, key } of listed) {
    const product = products.get(key.productId);
    if (!product) strangers.push({ line, names: 'product' });
    else if (!customers.has(key.customerId)) strangers.push({ line, names: 'customer' });
    else if (!existing.has(key.key) && !fresh.has(key.key))
      fresh.set(key.key, newImportedKey({ ...key, brandId: product.brandId, id: newId('lic') }, now().toISOString()));
  }
  const repeated = listed.length - strangers.length - fresh.size;
  return { fresh: [...fresh.values()], done: { added: fresh.size, repeated, strangers } };
}

/** Reads each row once, and leaves out rows that do not exist. */
async function foundBy<Row>(ids: readonly string[], find: (id: string) => Promise<Row | undefined>) {
  const found = new Map<string, Row>();
  const read = async (id: string) => {
    const row = await find(id);
    if (row) found.set(id, row);
  };
  await Promise.all([...new Set(ids)].map(read));
  return found;
}
