import type { Entitlement } from '../../domain/entitlements/entitlement.ts';
import { type Grant, grantsOwedBy, type OwedGrant } from '../../domain/entitlements/grant.ts';
import type { GrantView } from '../../domain/entitlements/grant-view.ts';
import {
  expiryOf,
  type KeyState,
  keyBytes,
  keyOfGrant,
  keyStatusOf,
  keyText,
  type LicenseKey,
} from '../../domain/entitlements/license-key.ts';
import type { PoolCode } from '../../domain/entitlements/pool-code.ts';
import {
  delivered,
  failedGrant,
  followedPayment,
  isGivenNow,
  newGrant,
  waitsForPool,
} from '../../domain/entitlements/settle-grant.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { type DomainEvent, recordGrantEvent, recordKeyEvent } from '../../events/catalogue.ts';
import type { EntitlementStore } from '../../store/entitlements/entitlement-store.ts';
import type { GrantStore } from '../../store/entitlements/grant-store.ts';
import type { LicenseKeyStore } from '../../store/entitlements/license-key-store.ts';
import type { PoolStore } from '../../store/entitlements/pool-store.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import { retryStale } from '../retry.ts';
import { written } from '../written.ts';

export interface SettleGrantsDeps {
  payments: Pick<PaymentStore, 'get'>;
  entitlements: Pick<EntitlementStore, 'findMany'>;
  grants: Pick<GrantStore, 'findMany' | 'save' | 'endDuty'>;
  licenseKeys: Pick<LicenseKeyStore, 'find'>;
  pool: Pick<PoolStore, 'free'>;
  now: () => Date;
  newId: (prefix: 'evt' | 'lic') => string;
  newBytes: (length: number) => Uint8Array;
}

/**
 * Brings a payment's grants to the state that the payment asks for: issues them, revokes them after a refund or a lost
 * dispute, and gives them back. Their ids follow from the payment, so doing it again changes nothing. The sweep does
 * this for each duty; a page that shows a payment can do it at once. Returns the grants.
 */
export const settleGrants = async (deps: SettleGrantsDeps, paymentId: string): Promise<Grant[]> =>
  (await settleGrantDuty(deps, paymentId)).grants;

/** The same for the sweep, which also learns whether a grant waits for a code of its pool. The duty stays then. */
export const settleGrantDuty = (
  deps: SettleGrantsDeps,
  paymentId: string,
): Promise<{ grants: Grant[]; isWaiting: boolean }> =>
  retryStale(async () => {
    const payment = await deps.payments.get(paymentId);
    const owed = grantsOwedBy(payment);
    if (owed.length === 0) return { grants: [], isWaiting: false };
    const [known, entitlements] = await Promise.all([
      deps.grants.findMany(owed.map(({ id }) => id)),
      deps.entitlements.findMany([...new Set(owed.map(({ entitlement }) => entitlement.id))]),
    ]);
    const settled: Grant[] = [];
    for (const one of owed) {
      const sale = { payment, owed: one, entitlement: entitlements.get(one.entitlement.id) };
      const grant = await settleGrant(deps, sale, known.get(one.id));
      if (grant) settled.push(grant);
    }
    const isWaiting = settled.some((grant) => waitsForPool(grant, payment, entitlements.get(grant.entitlementId)));
    if (!isWaiting) await deps.grants.endDuty(payment);
    return { grants: settled, isWaiting };
  });

interface SaleOfGrant {
  payment: Payment;
  owed: OwedGrant;
  entitlement: Entitlement | undefined;
}

/** Writes the next state of a grant, if it changes. Undefined if it is not given yet. */
async function settleGrant(
  deps: SettleGrantsDeps,
  { payment, owed, entitlement }: SaleOfGrant,
  known: Grant | undefined,
): Promise<Grant | undefined> {
  const now = deps.now().toISOString();
  const change = known
    ? await followed(deps, { payment, entitlement, known, now })
    : await issued(deps, newGrant(owed, payment, { entitlement, now }), { payment, entitlement, now });
  if (!change) return known;
  const { grant, licenseKey, poolCode, events } = change;
  const { id, version } = payment;
  await deps.grants.save({ grant, licenseKey, poolCode, events, decidedBy: { paymentId: id, version } });
  return written(grant);
}

interface GrantChange {
  grant: Grant;
  licenseKey?: LicenseKey | undefined;
  /** The code of the pool that the grant takes. */
  poolCode?: PoolCode | undefined;
  events: DomainEvent[];
}

interface Context {
  payment: Payment;
  entitlement: Entitlement | undefined;
  now: string;
}

/** A grant that is issued now, with its key and events. Undefined while the payment gives no access. */
async function issued(
  deps: SettleGrantsDeps,
  grant: Grant,
  { payment, entitlement, now }: Context,
): Promise<GrantChange | undefined> {
  if (!isGivenNow(grant, payment)) return undefined;
  const created = recordGrantEvent({ grant, entitlement, key: undefined }, 'entitlement_grant.created', {
    id: deps.newId('evt'),
    now,
  });
  const next = await filled(deps, created.view, now);
  return { ...next, events: [created.event, ...next.events] };
}

/** Delivers a new grant, unless it waits for a key, or what it gives is gone. */
async function filled(deps: SettleGrantsDeps, view: GrantView, now: string): Promise<GrantChange> {
  const { grant, entitlement } = view;
  const origin = () => ({ id: deps.newId('evt'), now });
  if (!entitlement) {
    const failed = { ...view, grant: failedGrant(grant, now) };
    const told = recordGrantEvent(failed, 'entitlement_grant.failed', origin());
    return { grant: told.view.grant, events: [told.event] };
  }
  const { config } = entitlement;
  if (config.type !== 'license_key') return deliveredChange(view, origin(), now);
  if (config.fulfillment === 'pool') return withPoolCode(deps, view, now);
  if (config.fulfillment !== 'auto') return { grant, events: [] };
  const terms = {
    id: deps.newId('lic'),
    key: keyText(deps.newBytes(keyBytes)),
    source: 'auto' as const,
    activationsLimit: config.activationsLimit,
    expiresAt: expiryOf(config, now),
  };
  return withKey(view, keyOfGrant(grant, terms, now), { newId: deps.newId, now });
}

/** How many free codes are read, so that sales at the same time rarely choose the same one. */
const codesRead = 20;

/** One of the free codes of a grant's pool; undefined if there is none. */
export async function freeCode(
  { pool }: Pick<SettleGrantsDeps, 'pool'>,
  { id, entitlementId }: Pick<Grant, 'id' | 'entitlementId'>,
): Promise<PoolCode | undefined> {
  const free = await pool.free(entitlementId, codesRead);
  return free[numberOf(id) % Math.max(1, free.length)];
}

/** Gives a grant one of the free codes of its pool. Without one, it waits. */
async function withPoolCode(deps: SettleGrantsDeps, view: GrantView, now: string): Promise<GrantChange> {
  const { grant } = view;
  const poolCode = await freeCode(deps, grant);
  if (!poolCode) return { grant, events: [] };
  const terms = { id: deps.newId('lic'), key: poolCode.code, source: 'import' as const, isPoolCode: true };
  const key = keyOfGrant(grant, { ...terms, activationsLimit: null, expiresAt: null }, now);
  return { ...withKey(view, key, { newId: deps.newId, now }), poolCode };
}

/** A number from an id, spread evenly. */
const numberOf = (id: string): number => [...id].reduce((sum, sign) => sum + (sign.codePointAt(0) ?? 0), 0);

function deliveredChange(view: GrantView, origin: { id: string; now: string }, now: string): GrantChange {
  const told = recordGrantEvent({ ...view, grant: delivered(view.grant, now) }, 'entitlement_grant.delivered', origin);
  return { grant: told.view.grant, events: [told.event] };
}

/** Delivers a grant with its licence key. */
export function withKey(
  view: GrantView,
  key: LicenseKey,
  { newId, now }: { newId: (prefix: 'evt') => string; now: string },
): GrantChange & { view: GrantView } {
  const state: KeyState = { key, status: keyStatusOf(key, { hasAccess: true, now }) };
  const grant = { ...view.grant, licenseKeyId: key.id };
  const made = recordKeyEvent({ ...view, grant }, state, { id: newId('evt'), now });
  const told = recordGrantEvent(
    { ...made.view, grant: delivered(made.view.grant, now) },
    'entitlement_grant.delivered',
    {
      id: newId('evt'),
      now,
    },
  );
  return { grant: told.view.grant, licenseKey: key, events: [made.event, told.event], view: told.view };
}

/** A grant that follows its payment: revoked, or given back. Undefined if it stays. */
async function followed(
  deps: SettleGrantsDeps,
  { payment, entitlement, known, now }: Context & { known: Grant },
): Promise<GrantChange | undefined> {
  const next = followedPayment(known, payment, now);
  if (!next && waitsForPool(known, payment, entitlement))
    return served(deps, { grant: known, entitlement, key: undefined }, now);
  if (!next) return undefined;
  const key = next.licenseKeyId === null ? undefined : await deps.licenseKeys.find(next.licenseKeyId);
  return toldOf({ grant: next, entitlement, key: key && keyStateAfter(key, next, now) }, deps.newId, now);
}

/** A grant that waited for its pool, once a code is there. */
async function served(deps: SettleGrantsDeps, view: GrantView, now: string): Promise<GrantChange | undefined> {
  const change = await filled(deps, view, now);
  return change.poolCode ? change : undefined;
}

/** The state of a grant's key right after the grant has changed. */
export const keyStateAfter = (key: LicenseKey, { status }: Pick<Grant, 'status'>, now: string): KeyState => ({
  key,
  status: keyStatusOf(key, { hasAccess: status === 'delivered', now }),
});

/** The event of a grant that was revoked or given back. One that waits for its key again is announced as created. */
export function toldOf(view: GrantView, newId: (prefix: 'evt') => string, now: string) {
  const types = {
    revoked: 'entitlement_grant.revoked',
    delivered: 'entitlement_grant.delivered',
    pending: 'entitlement_grant.created',
    failed: 'entitlement_grant.failed',
  } as const;
  const told = recordGrantEvent(view, types[view.grant.status], { id: newId('evt'), now });
  return { grant: told.view.grant, view: told.view, events: [told.event] };
}
