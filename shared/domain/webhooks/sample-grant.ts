import { newEntitlement, usualAccessRules } from '../entitlements/entitlement.ts';
import { newConfig } from '../entitlements/entitlement-config.ts';
import type { Grant } from '../entitlements/grant.ts';
import type { GrantView } from '../entitlements/grant-view.ts';
import { type KeyState, keyOfGrant } from '../entitlements/license-key.ts';
import type { PoolNotice } from '../entitlements/pool.ts';

const sample = 'SampleSampleSampleSam';

/** An invented grant of a licence key for test events. */
export function sampleGrant(status: Grant['status'], now: string): GrantView {
  const fields = { name: 'Sample licence', description: null, access: usualAccessRules, metadata: {} };
  const config = newConfig('license_key', { activationsLimit: 3 });
  const entitlement = newEntitlement({ ...fields, config }, { id: `ent_${sample}`, now });
  const grant: Grant = {
    id: `entg_${sample}`,
    entitlementId: entitlement.id,
    entitlementName: entitlement.name,
    type: 'license_key',
    paymentId: `pay_${sample}`,
    line: 0,
    unit: 0,
    productId: `pdt_${sample}`,
    brandId: `brnd_${sample}`,
    customerId: `cus_${sample}`,
    access: usualAccessRules,
    status,
    deliveredAt: status === 'delivered' || status === 'revoked' ? now : null,
    revocation: status === 'revoked' ? { by: 'refund', at: now, reason: null } : null,
    error: status === 'failed' ? { code: 'ENTITLEMENT_NOT_FOUND', message: 'What a test event shows.' } : null,
    licenseKeyId: null,
    createdAt: now,
    updatedAt: now,
    events: 0,
    version: 0,
  };
  const hasKey = status === 'delivered' || status === 'revoked';
  return { grant, entitlement, key: hasKey ? sampleKey(grant, now) : undefined };
}

function sampleKey(grant: Grant, now: string): KeyState {
  const terms = { id: `lic_${sample}`, key: 'SAMPL-ESAMP-1ESAM-P1ESA-MP1ES', source: 'auto' as const };
  const key = keyOfGrant(grant, { ...terms, activationsLimit: 3, expiresAt: null }, now);
  return { key, status: grant.status === 'delivered' ? 'active' : 'disabled' };
}

/** An invented pool of codes that is low or empty. */
export const samplePool = (level: 'low' | 'empty'): PoolNotice => ({
  pool: { entitlementId: `ent_${sample}`, free: level === 'low' ? 10 : 0, waiting: level === 'low' ? 0 : 1 },
  level,
  entitlementName: 'Sample codes',
  productId: `pdt_${sample}`,
});
