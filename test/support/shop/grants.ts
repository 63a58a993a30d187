import { usualAccessRules } from '../../../shared/domain/entitlements/entitlement.ts';
import type { Grant } from '../../../shared/domain/entitlements/grant.ts';
import { keyOfGrant, keyText } from '../../../shared/domain/entitlements/license-key.ts';
import type { Payment } from '../../../shared/domain/payments/payment.ts';
import { grants, newBytes, newId, now } from '../../../shared/wiring/runtime.ts';
import type { Api } from './api.ts';
import { sweep } from './settle.ts';
import { addProduct, createSession, pay } from './shop.ts';

let serial = 0;

/** A delivered grant of a licence key for the first line of a payment, as the table holds it. */
export async function grantLicense(
  payment: Payment,
  terms: { activationsLimit?: number | null; expiresAt?: string } = {},
) {
  serial += 1;
  const at = now().toISOString();
  const [line] = payment.lines;
  const id = `entg_${String(serial).padStart(21, '0')}`;
  const owner = { paymentId: payment.id, productId: line?.productId ?? '', brandId: payment.brandId };
  const entitlementId = `ent_${'e'.repeat(21)}`;
  const licenseKeyId = newId('lic');
  const grant: Grant = {
    ...owner,
    id,
    entitlementId,
    entitlementName: 'Licence',
    type: 'license_key',
    line: 0,
    unit: 0,
    customerId: payment.customer.id,
    access: usualAccessRules,
    status: 'delivered',
    deliveredAt: at,
    revocation: null,
    error: null,
    licenseKeyId,
    createdAt: at,
    updatedAt: at,
    events: 0,
    version: 0,
  };
  const { activationsLimit = null, expiresAt = null } = terms;
  const text = { id: licenseKeyId, key: keyText(newBytes(16)), source: 'auto' as const };
  const licenseKey = keyOfGrant(grant, { ...text, activationsLimit, expiresAt }, at);
  await grants().save({ grant, licenseKey });
  return { grant: { ...grant, version: 1 }, licenseKey };
}

/** A grant of a new sale that waits for the licence key of the merchant's own code. */
export async function waitingGrant(api: Api): Promise<{ entitlementId: string; grantId: string; paymentId: string }> {
  const body = {
    name: 'Atlas',
    integration_type: 'license_key',
    integration_config: { fulfillment_mode: 'manual' },
  };
  const { id: entitlementId } = (await api.call('POST /entitlements', { body })).body;
  const productId = await addProduct(api, { entitlements: [{ entitlement_id: entitlementId }] });
  const session = await createSession(api, [{ product_id: productId, quantity: 1 }]);
  const { id: paymentId } = await pay(session, { expectedTotal: 1_999 });
  await sweep();
  const [{ id: grantId }] = (await api.call(`GET /entitlements/${entitlementId}/grants`)).body.items;
  return { entitlementId, grantId, paymentId };
}

/** A grant of the first line of a payment, before its first write. */
export const aGrant = (fields: Partial<Grant> = {}): Grant => ({
  id: `entg_${'g'.repeat(21)}`,
  entitlementId: `ent_${'e'.repeat(21)}`,
  entitlementName: 'Files',
  type: 'digital_files',
  paymentId: `pay_${'p'.repeat(21)}`,
  line: 0,
  unit: 0,
  productId: `pdt_${'p'.repeat(21)}`,
  brandId: `brnd_${'b'.repeat(21)}`,
  customerId: `cus_${'c'.repeat(21)}`,
  access: usualAccessRules,
  status: 'pending',
  deliveredAt: null,
  revocation: null,
  error: null,
  licenseKeyId: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  events: 0,
  version: 0,
  ...fields,
});

/** The id of the licence key of a new sale, which the merchant's own code has delivered. */
export async function givenKey(api: Api, key: string): Promise<string> {
  const { grantId } = await waitingGrant(api);
  return (await api.call(`POST /grants/${grantId}/license-key`, { body: { key } })).body.license_key.id;
}
