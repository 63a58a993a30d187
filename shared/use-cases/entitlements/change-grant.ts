import { noAccessOf } from '../../domain/entitlements/access-right.ts';
import type { Grant } from '../../domain/entitlements/grant.ts';
import type { GrantView } from '../../domain/entitlements/grant-view.ts';
import { expiryOf, keyOfGrant, type LicenseKey } from '../../domain/entitlements/license-key.ts';
import { restoredGrant, revokedGrant } from '../../domain/entitlements/settle-grant.ts';
import { DomainError, notFound } from '../../domain/errors.ts';
import type { Claim } from '../../domain/idempotency.ts';
import type { EntitlementStore } from '../../store/entitlements/entitlement-store.ts';
import type { GrantStore } from '../../store/entitlements/grant-store.ts';
import type { LicenseKeyStore } from '../../store/entitlements/license-key-store.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import { retryStale } from '../retry.ts';
import { keyStateAfter, toldOf, withKey } from './settle-grants.ts';

export interface RevokeGrantDeps {
  grants: Pick<GrantStore, 'get' | 'save'>;
  entitlements: Pick<EntitlementStore, 'find'>;
  licenseKeys: Pick<LicenseKeyStore, 'find'>;
  now: () => Date;
  newId: (prefix: 'evt') => string;
}

/** Reads a grant with its entitlement and licence key. */
async function viewOf(deps: Pick<RevokeGrantDeps, 'entitlements' | 'licenseKeys'>, grant: Grant, now: string) {
  const { licenseKeyId } = grant;
  const [entitlement, key] = await Promise.all([
    deps.entitlements.find(grant.entitlementId),
    licenseKeyId === null ? undefined : deps.licenseKeys.find(licenseKeyId),
  ]);
  return { grant, entitlement, key: key && keyStateAfter(key, grant, now) };
}

/**
 * Revokes a grant by hand, for ever. If a refund or dispute has already revoked it, it only changes who revoked it, so
 * it is not given back later.
 */
export const revokeGrant = (
  deps: RevokeGrantDeps,
  { id, entitlementId, reason = null }: { id: string; entitlementId?: string; reason?: string | null },
  claim: Claim<GrantView>,
): Promise<GrantView> =>
  retryStale(async () => {
    const before = await deps.grants.get(id);
    if (entitlementId !== undefined && before.entitlementId !== entitlementId) throw notFound('grant', id);
    const now = deps.now().toISOString();
    const by = { by: 'merchant' as const, reason };
    const isRevoked = before.status === 'revoked';
    const grant = isRevoked
      ? { ...before, revocation: { ...by, at: before.revocation?.at ?? now } }
      : revokedGrant(before, by, now);
    const view = await viewOf(deps, grant, now);
    const told = isRevoked ? { grant, view, events: [] } : toldOf(view, deps.newId, now);
    const records = claim(told.view, { command: 'grant.revoke', subject: id, details: {} });
    await deps.grants.save({ grant: told.grant, pool: leaving(before), events: told.events, records });
    return told.view;
  });

export interface RestoreGrantDeps extends RevokeGrantDeps {
  payments: Pick<PaymentStore, 'get'>;
}

/**
 * Gives back a grant that was revoked by hand, if its payment still gives access. If the grant needs a code of a pool,
 * the sweep gives it one.
 */
export const restoreGrant = (
  deps: RestoreGrantDeps,
  { id, entitlementId }: { id: string; entitlementId?: string },
  claim: Claim<GrantView>,
): Promise<GrantView> =>
  retryStale(async () => {
    const before = await deps.grants.get(id);
    if (entitlementId !== undefined && before.entitlementId !== entitlementId) throw notFound('grant', id);
    const payment = await deps.payments.get(before.paymentId);
    const now = deps.now().toISOString();
    const grant = restoredGrant(before, payment, now);
    const told = toldOf(await viewOf(deps, grant, now), deps.newId, now);
    await deps.grants.save({
      grant: told.grant,
      events: told.events,
      records: claim(told.view, { command: 'grant.restore', subject: id, details: {} }),
      decidedBy: { paymentId: payment.id, version: payment.version },
      ...(grant.status === 'pending' && { dueAt: now }),
    });
    return told.view;
  });
/** Removes a grant from the queue of its pool when it is revoked or delivered by hand. */
const leaving = ({ isQueued }: Grant) => (isQueued ? ({ does: 'leave' } as const) : undefined);

export interface FulfillGrantDeps extends RevokeGrantDeps {
  payments: Pick<PaymentStore, 'get'>;
  newId: (prefix: 'evt' | 'lic') => string;
}

/** A key that the merchant's own code delivers. Missing terms come from the entitlement. */
interface DeliveredKey {
  key: string;
  activationsLimit?: number | null | undefined;
  expiresAt?: string | null | undefined;
}

/** Delivers a licence key to a grant that waits for it. */
export const fulfillGrant = (
  deps: FulfillGrantDeps,
  id: string,
  delivery: DeliveredKey,
  claim: Claim<GrantView>,
): Promise<GrantView> =>
  retryStale(async () => {
    const grant = await deps.grants.get(id);
    const now = deps.now().toISOString();
    const [payment, view] = await Promise.all([deps.payments.get(grant.paymentId), viewOf(deps, grant, now)]);
    assertWaits(grant, noAccessOf({ ...grant, status: 'delivered' }, payment) === undefined);
    const licenseKey = keyFrom(view, delivery, { id: deps.newId('lic'), now });
    const change = withKey(view, licenseKey, { newId: deps.newId, now });
    const command = { command: 'grant.deliver' as const, subject: id, details: {} };
    await deps.grants.save({
      grant: change.grant,
      licenseKey,
      pool: leaving(grant),
      events: change.events,
      records: claim(change.view, command),
      decidedBy: { paymentId: payment.id, version: payment.version },
    });
    return change.view;
  });

function assertWaits({ type, status, id }: Grant, isPaid: boolean): void {
  if (type === 'license_key' && status === 'pending' && isPaid) return;
  const why = type === 'license_key' ? `it is ${isPaid ? status : 'refunded or disputed'}` : `it gives ${type}`;
  throw new DomainError('CONFLICT', `The grant ${id} waits for no licence key: ${why}.`);
}

function keyFrom(
  { grant, entitlement }: GrantView,
  { key, activationsLimit, expiresAt }: DeliveredKey,
  { id, now }: { id: string; now: string },
): LicenseKey {
  const config = entitlement?.config.type === 'license_key' ? entitlement.config : undefined;
  const limit = activationsLimit === undefined ? (config?.activationsLimit ?? null) : activationsLimit;
  const usual = config ? expiryOf(config, now) : null;
  const terms = { id, key, source: 'manual' as const, activationsLimit: limit, expiresAt: expiresAt ?? usual };
  return keyOfGrant(grant, { ...terms, isPoolCode: config?.fulfillment === 'pool' }, now);
}
