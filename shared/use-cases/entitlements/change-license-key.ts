import {
  type Activation,
  deactivated,
  type KeyState,
  keyStatusOf,
  newImportedKey,
} from '../../domain/entitlements/license-key.ts';
import { notFound } from '../../domain/errors.ts';
import type { Claim } from '../../domain/idempotency.ts';
import type { ProductStore } from '../../store/catalogue/product-store.ts';
import type { LicenseKeyStore } from '../../store/entitlements/license-key-store.ts';
import { getCustomer, type LoadCustomerDeps } from '../customers/load-customer.ts';
import { retryStale } from '../retry.ts';
import { type KeyStateDeps, withItsSale } from './use-license-key.ts';

export interface ImportKeyDeps {
  licenseKeys: Pick<LicenseKeyStore, 'save'>;
  products: Pick<ProductStore, 'get'>;
  customers: LoadCustomerDeps;
  now: () => Date;
  newId: (prefix: 'lic') => string;
}

/** A key from an earlier system. */
export interface KeyImport {
  customerId: string;
  productId: string;
  key: string;
  activationsLimit: number | null;
  expiresAt: string | null;
}

/** Imports a key from an earlier system for a customer. No mail is sent. */
export async function importKey(
  deps: ImportKeyDeps,
  { customerId, productId, ...terms }: KeyImport,
  claim: Claim<KeyState>,
): Promise<KeyState> {
  const [product] = await Promise.all([deps.products.get(productId), getCustomer(deps.customers, customerId)]);
  const now = deps.now().toISOString();
  const owner = { productId, customerId, brandId: product.brandId };
  const key = newImportedKey({ ...terms, ...owner, id: deps.newId('lic') }, now);
  const details = { product: productId };
  const state = { key, status: keyStatusOf(key, { hasAccess: true, now }) };
  await deps.licenseKeys.save(key, claim(state, { command: 'license_key.import', subject: key.id, details }));
  return state;
}

interface ChangeKeyDeps extends KeyStateDeps {
  licenseKeys: Pick<LicenseKeyStore, 'get' | 'save'>;
}

/** Undefined fields keep their values; null removes the limit or the expiry. */
interface KeyChange {
  activationsLimit?: number | null | undefined;
  expiresAt?: string | null | undefined;
  isDisabled?: boolean | undefined;
}

/** Changes the terms of a key. A lower limit does not end existing activations. */
export const changeKey = (
  deps: ChangeKeyDeps,
  id: string,
  change: KeyChange,
  claim: Claim<KeyState>,
): Promise<KeyState> =>
  retryStale(async () => {
    const before = await deps.licenseKeys.get(id);
    const { activationsLimit = before.activationsLimit, expiresAt = before.expiresAt } = change;
    const { isDisabled = before.isDisabled } = change;
    const key = { ...before, activationsLimit, expiresAt, isDisabled, updatedAt: deps.now().toISOString() };
    const details = { disabled: isDisabled };
    const state = await withItsSale(deps, key);
    await deps.licenseKeys.save(key, claim(state, { command: 'license_key.update', subject: id, details }));
    return state;
  });

/** Renames a device on which a key is active. */
export async function renameInstance(
  { licenseKeys }: { licenseKeys: Pick<LicenseKeyStore, 'getActivation' | 'renameActivation'> },
  id: string,
  name: string,
  claim: Claim<Activation>,
): Promise<Activation> {
  const activation = { ...(await licenseKeys.getActivation(id)), name };
  const done = {
    command: 'license_key.rename_instance' as const,
    subject: activation.licenseKeyId,
    details: { instance: id },
  };
  await licenseKeys.renameActivation(activation, claim(activation, done));
  return activation;
}

interface EndInstanceDeps {
  licenseKeys: Pick<LicenseKeyStore, 'get' | 'findActivation' | 'saveActivation'>;
  now: () => Date;
}

/**
 * Deactivates a device of a key. The key then has room for one more device, so the program on this device can activate
 * again.
 */
export const endInstance = (
  deps: EndInstanceDeps,
  { licenseKeyId, activationId }: { licenseKeyId: string; activationId: string },
  claim: Claim<Activation>,
): Promise<Activation> =>
  retryStale(async () => {
    const activation = await deps.licenseKeys.findActivation(activationId);
    if (activation?.licenseKeyId !== licenseKeyId) throw notFound('licence key instance', activationId);
    if (activation.endedAt !== undefined) return activation;
    const now = deps.now().toISOString();
    const ended = { ...activation, endedAt: now };
    const key = deactivated(await deps.licenseKeys.get(licenseKeyId), now);
    const details = { instance: activationId };
    const records = claim(ended, { command: 'license_key.end_instance', subject: licenseKeyId, details });
    await deps.licenseKeys.saveActivation(key, ended, records);
    return ended;
  });
