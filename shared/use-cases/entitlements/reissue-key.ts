import { noAccessOf } from '../../domain/entitlements/access-right.ts';
import { type Grant, withOpening } from '../../domain/entitlements/grant.ts';
import type { GrantView } from '../../domain/entitlements/grant-view.ts';
import {
  type Activation,
  type KeyState,
  keyBytes,
  keyOfGrant,
  keyText,
  type LicenseKey,
  replacedKey,
} from '../../domain/entitlements/license-key.ts';
import type { PoolChange } from '../../domain/entitlements/pool.ts';
import { DomainError, notFound } from '../../domain/errors.ts';
import type { Claim } from '../../domain/idempotency.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { EntitlementStore } from '../../store/entitlements/entitlement-store.ts';
import type { GrantStore } from '../../store/entitlements/grant-store.ts';
import type { LicenseKeyStore } from '../../store/entitlements/license-key-store.ts';
import type { PoolStore } from '../../store/entitlements/pool-store.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import { type MailNewKeyDeps, mailNewKey } from '../orders/mail-new-key.ts';
import { retryStale } from '../retry.ts';
import { changingPool, freeCode, withKey } from './settle-grants.ts';

export interface ReissueKeyDeps extends MailNewKeyDeps {
  grants: Pick<GrantStore, 'get' | 'save'>;
  entitlements: Pick<EntitlementStore, 'find'>;
  licenseKeys: Pick<LicenseKeyStore, 'get' | 'listActivations'>;
  payments: Pick<PaymentStore, 'get'>;
  pool: Pick<PoolStore, 'get' | 'free'>;
  newId: (prefix: 'evt' | 'lic') => string;
  newBytes: (length: number) => Uint8Array;
}

/** The new key, and whether the buyer was informed by mail. */
interface ReissuedKey extends KeyState {
  isMailed: boolean;
}

/**
 * The most devices that are ended in the transaction, which has at most 100 rows. Other devices of the key stop working
 * too, because the key has ended.
 */
const mostEndedRows = 80;

/**
 * Gives a grant a new licence key with the terms of the old one. The old key and its devices end in the same
 * transaction. With a pool, the new key is another code. Only the current key of the grant can be replaced, so two
 * requests make only one new key.
 * @param key the text of the new key; null if it is made here or taken from the pool
 */
export async function reissueKey(
  deps: ReissueKeyDeps,
  { id, key }: { id: string; key: string | null },
  claim: Claim<ReissuedKey>,
): Promise<ReissuedKey> {
  const { state, payment } = await retryStale(async () => {
    const old = await deps.licenseKeys.get(id);
    const { view, payment, activations } = await loadSale(deps, old);
    const now = deps.now().toISOString();
    const { taking, terms } = await newTerms(deps, view, { old, key });
    const made = keyOfGrant(view.grant, { ...terms, id: deps.newId('lic') }, now);
    const keyed = withKey(view, made, { newId: deps.newId, now });
    const change = taking ? changingPool(keyed, taking, { deps, view, now }) : keyed;
    const state = { key: made, status: change.view.key?.status ?? 'active' };
    const details = { grant: view.grant.id, new_key: made.id };
    await deps.grants.save({
      grant: withUse(change.grant, old),
      licenseKey: made,
      pool: change.pool,
      replaced: { key: replacedKey(old, now), activations, at: now },
      events: change.events,
      records: claim({ ...state, isMailed: true }, { command: 'license_key.reissue', subject: id, details }),
      decidedBy: { paymentId: payment.id, version: payment.version },
    });
    return { state, payment };
  });
  return { ...state, isMailed: await mailNewKey(deps, payment) };
}

/** The grant with the first activation of its old key. This proves that the supply has begun. */
const withUse = (grant: Grant, { uses }: Pick<LicenseKey, 'uses'>): Grant =>
  uses ? withOpening(grant, uses.firstAt) : grant;

interface ReplacedSale {
  view: GrantView;
  payment: Payment;
  activations: readonly Activation[];
}

/** The grant of a key, its payment, and the key's devices. Refuses a key that gives no access now. */
async function loadSale(deps: ReissueKeyDeps, old: LicenseKey): Promise<ReplacedSale> {
  if (old.grantId === null || old.paymentId === null)
    throw new DomainError('CONFLICT', `The licence key ${old.id} was imported without a sale. Import another one.`);
  const [grant, payment, { items: activations }] = await Promise.all([
    deps.grants.get(old.grantId),
    deps.payments.get(old.paymentId),
    deps.licenseKeys.listActivations(old.id, { size: mostEndedRows, skip: 0, after: undefined }),
  ]);
  assertHasKey(grant, old.id);
  const why = noAccessOf(grant, payment);
  if (why !== undefined) throw new DomainError('CONFLICT', `The licence key ${old.id} gives no access now: ${why}.`);
  return {
    view: { grant, entitlement: await deps.entitlements.find(grant.entitlementId), key: undefined },
    payment,
    activations,
  };
}

function assertHasKey({ licenseKeyId }: Grant, id: string): void {
  if (licenseKeyId === null) throw notFound('licence key', id);
  if (licenseKeyId !== id)
    throw new DomainError('CONFLICT', `The licence key ${id} is replaced already, by ${licenseKeyId}.`);
}

type KeyTerms = Pick<LicenseKey, 'key' | 'source' | 'isPoolCode' | 'activationsLimit' | 'expiresAt'>;

/** The new key before it has an id. It keeps the terms of the old one, which a member may have changed. */
async function newTerms(
  deps: ReissueKeyDeps,
  { grant, entitlement }: GrantView,
  { old, key }: { old: LicenseKey; key: string | null },
): Promise<{ terms: KeyTerms; taking?: Exclude<PoolChange, { does: 'leave' }> }> {
  const { activationsLimit, expiresAt, isPoolCode } = old;
  const same = { activationsLimit, expiresAt, isPoolCode };
  if (key !== null) return { terms: { ...same, key, source: 'manual' } };
  const config = entitlement?.config.type === 'license_key' ? entitlement.config : undefined;
  if (config?.fulfillment === 'manual')
    throw new DomainError(
      'CONFLICT',
      `Your own code makes the keys of ${grant.entitlementId}: send the new one as key.`,
    );
  if (config?.fulfillment !== 'pool')
    return { terms: { ...same, key: keyText(deps.newBytes(keyBytes)), source: 'auto' } };
  const pool = await deps.pool.get(grant.entitlementId);
  if (pool.free === 0 || pool.waiting > 0)
    throw new DomainError('CONFLICT', `The pool of ${grant.entitlementId} is empty. Add codes first.`);
  const code = await freeCode(deps, grant);
  const terms = { ...same, key: code.code, source: 'import' as const, isPoolCode: true };
  return { taking: { does: 'take', pool, code }, terms };
}
