import { normalizeEmail } from '../../domain/checkout/buyer.ts';
import type { Activation, LicenseKey } from '../../domain/entitlements/license-key.ts';
import { notFound } from '../../domain/errors.ts';
import { customerIdOf } from '../../domain/ids.ts';
import type { LicenseKeyStore } from '../../store/entitlements/license-key-store.ts';
import { endInstance } from '../entitlements/change-license-key.ts';
import {
  findPortalOrder,
  type PortalCustomers,
  type PortalOrderDeps,
  portalCustomers,
  type Whose,
} from './portal-customers.ts';

export interface PortalKeysDeps extends PortalOrderDeps {
  licenseKeys: Pick<LicenseKeyStore, 'list' | 'get' | 'find' | 'listActivations' | 'findActivation' | 'saveActivation'>;
  now: () => Date;
}

/** A licence key of an address, its product, and the devices on which it is active. */
export interface PortalKey {
  key: LicenseKey;
  /** The name of the product; null for a key that the merchant imported without a sale. */
  name: string | null;
  devices: readonly Activation[];
}

/** The most keys of a customer, and devices of a key, that the portal shows. */
const most = { size: 50, skip: 0, after: undefined };

/** The licence keys of an address. Codes of other publishers are left out, because they have no devices here. */
export async function listPortalKeys(deps: PortalKeysDeps, whose: Whose): Promise<PortalKey[]> {
  const found = await portalCustomers(deps, whose);
  const matches = ({ isPoolCode }: LicenseKey) => !isPoolCode;
  const pages = await Promise.all(found.ids.map((customerId) => deps.licenseKeys.list({ customerId, matches }, most)));
  const views = await Promise.all(
    pages.flatMap(({ items }) => items).map((key) => viewKey(deps, whose, { key, found })),
  );
  return views.filter((view) => view !== undefined);
}

async function viewKey(
  deps: PortalKeysDeps,
  whose: Whose,
  { key, found }: { key: LicenseKey; found: PortalCustomers },
): Promise<PortalKey | undefined> {
  const order = key.paymentId === null ? undefined : await findPortalOrder(deps, whose, key.paymentId);
  if (!order && (key.paymentId !== null || !isImportedFor(key, whose, { found, merchantId: deps.merchantId })))
    return undefined;
  const { items: devices } = await deps.licenseKeys.listActivations(key.id, most);
  const line = order?.lines.find(({ productId }) => productId === key.productId);
  return { key, name: line?.name ?? null, devices };
}

/** Whether a key without a sale belongs to a customer who has the address now. */
function isImportedFor(
  { customerId }: LicenseKey,
  { email }: Whose,
  { found, merchantId }: { found: PortalCustomers; merchantId: string },
): boolean {
  const record = found.records.get(customerId);
  if (record?.erasure?.endedAt === null) return false;
  return record?.email ? normalizeEmail(record.email) === email : customerId === customerIdOf(merchantId, email);
}

/**
 * Deactivates a device of a key that belongs to the address. The key of another buyer gets the same error as a key that
 * does not exist.
 */
export async function endPortalDevice(
  deps: PortalKeysDeps,
  whose: Whose,
  device: { licenseKeyId: string; activationId: string },
): Promise<void> {
  const key = await deps.licenseKeys.find(device.licenseKeyId);
  const found = await portalCustomers(deps, whose);
  if (!key || !(await viewKey(deps, whose, { key, found }))) throw notFound('licence key', device.licenseKeyId);
  await endInstance(deps, device, () => []);
}
