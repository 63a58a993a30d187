import { isPermitted, type Rights } from '../../domain/access/access.ts';
import { maskedEmail } from '../../domain/customers/masked-email.ts';
import { type Activation, type KeyState, maskedKey } from '../../domain/entitlements/license-key.ts';
import type { Site } from '../../domain/site.ts';
import { licenseKeyConstants } from '../constants.ts';
import type { LicenseAnswer } from './license-answer.ts';

/** A licence key in the form of webhooks. */
export const presentWholeKey = (site: Site, { key, status }: KeyState): LicenseAnswer<'LicenseKey'> => ({
  id: key.id,
  business_id: site.businessId,
  brand_id: key.brandId,
  product_id: key.productId,
  customer_id: key.customerId,
  payment_id: key.paymentId,
  key: key.key,
  source: key.source,
  status,
  activations_limit: key.activationsLimit,
  instances_count: key.activations,
  expires_at: key.expiresAt,
  created_at: key.createdAt,
  ...licenseKeyConstants,
});

/** A licence key in an answer. An API key that can only read sees only its last characters. */
export const presentLicenseKey =
  (site: Site) =>
  (state: KeyState, caller: Rights): LicenseAnswer<'LicenseKey'> => {
    const whole = presentWholeKey(site, state);
    return isPermitted(caller, 'write') ? whole : { ...whole, key: maskedKey(whole.key) };
  };

export const presentInstance =
  (site: Site) =>
  ({ id, licenseKeyId, name, createdAt }: Activation): LicenseAnswer<'LicenseKeyInstance'> => ({
    id,
    business_id: site.businessId,
    license_key_id: licenseKeyId,
    name,
    created_at: createdAt,
  });

/** The answer to a program that knows only the licence key. It must not contain who bought it. */
export const presentActivation =
  (site: Site) =>
  ({ activation, key, email, productName }: ActivationShown): LicenseAnswer<'LicenseActivation'> => ({
    ...presentInstance(site)(activation),
    customer: { customer_id: key.customerId, email: maskedEmail(email), name: '', metadata: {}, phone_number: null },
    product: { product_id: key.productId, name: productName },
  });

interface ActivationShown {
  activation: Activation;
  key: { customerId: string; productId: string };
  /** The buyer's e-mail address; empty if it is unknown or erased. */
  email: string;
  productName: string | null;
}
