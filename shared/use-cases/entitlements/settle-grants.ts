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
import { type Pool, type PoolChange, poolAfter, toldBy, type WaitingGrant } from '../../domain/entitlements/pool.ts';
import type { PoolCode } from '../../domain/entitlements/pool-code.ts';
import {
  delivered,
  failedGrant,
  followedPayment,
  isGivenNow,
  newGrant,
  queued,
  unqueued,
  waitsForPool,
} from '../../domain/entitlements/settle-grant.ts';
import { StaleVersion } from '../../domain/idempotency.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { type DomainEvent, recordGrantEvent, recordKeyEvent, recordPoolEvent } from '../../events/catalogue.ts';
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
  pool: Pick<PoolStore, 'get' | 'free' | 'head'>;
  now: () => Date;
  newId: (prefix: 'evt' | 'lic') => string;
  newBytes: (length: number) => Uint8Array;
}

/**
 * Updates the grants of a payment to its current state. It issues them, revokes them after a refund or a lost dispute,
 * and gives them back if that has ended. Their ids are derived from the payment, so a repeated call changes nothing.
 * The sweep calls this, and a page that shows a payment can call it at once. Returns the grants.
 */
export const settleGrants = async (deps: SettleGrantsDeps, paymentId: string): Promise<Grant[]> =>
  (await settleGrantDuty(deps, paymentId)).grants;

/**
 * Updates the grants of a payment for the sweep, like `settleGrants`. It also returns whether a grant waits for a code
 * of its pool. Then the row stays due.
 */
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

/** Writes the next state of a grant, if it changes. Undefined if the grant does not exist yet and is not given now. */
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
  const { grant, licenseKey, pool, events } = change;
  const { id, version } = payment;
  await deps.grants.save({ grant, licenseKey, pool, events, decidedBy: { paymentId: id, version } });
  return written(grant);
}

interface GrantChange {
  grant: Grant;
  licenseKey?: LicenseKey | undefined;
  /** The change of the pool of codes, if there is one. */
  pool?: PoolChange | undefined;
  events: DomainEvent[];
}

interface Context {
  payment: Payment;
  entitlement: Entitlement | undefined;
  now: string;
}

/** A new grant with its key and events. Undefined while the payment gives no access. */
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

/** Delivers a new grant. It is not delivered if it waits for a key, or if its entitlement does not exist any more. */
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

/** The number of free codes that are read. With several codes, sales at the same time rarely choose the same one. */
const codesRead = 20;
/** How many waiting sales a new sale serves before its own. If more are waiting, the new sale waits too. */
const servedFirst = 20;

/**
 * Gives a grant one of the free codes of its pool, if it is the grant's turn. Waiting sales are served first, in the
 * order in which they began to wait. Otherwise the grant joins the queue.
 */
async function withPoolCode(deps: SettleGrantsDeps, view: GrantView, now: string): Promise<GrantChange> {
  const { grant } = view;
  const pool = await serveWaiting(deps, grant.entitlementId, { most: servedFirst, before: grant.id });
  const isTurn = pool.free > 0 && (grant.isQueued ? await isHead(deps, pool, grant) : pool.waiting === 0);
  if (isTurn) return withCode(deps, view, { pool, now });
  if (grant.isQueued) return { grant, events: [] };
  return changingPool({ grant: queued(grant), events: [] }, { does: 'join', pool }, { deps, view, now });
}

const isHead = async ({ pool: pools }: SettleGrantsDeps, pool: Pool, { id }: Grant): Promise<boolean> =>
  (await pools.head(pool))?.grantId === id;

/** One of the free codes of a grant's pool. The caller knows that the pool has some. */
export async function freeCode(
  { pool }: { pool: Pick<PoolStore, 'free'> },
  { id, entitlementId }: Pick<Grant, 'id' | 'entitlementId'>,
): Promise<PoolCode> {
  const free = await pool.free(entitlementId, codesRead);
  const code = free[numberOf(id) % Math.max(1, free.length)];
  if (code) return code;
  // The list of codes can be a moment behind the pool. Then the caller tries again.
  throw new StaleVersion();
}

async function withCode(
  deps: SettleGrantsDeps,
  view: GrantView,
  { pool, now }: { pool: Pool; now: string },
): Promise<GrantChange> {
  const { grant } = view;
  const code = await freeCode(deps, grant);
  const terms = { id: deps.newId('lic'), key: code.code, source: 'import' as const, isPoolCode: true };
  const key = keyOfGrant(grant, { ...terms, activationsLimit: null, expiresAt: null }, now);
  const does = grant.isQueued ? 'serve' : 'take';
  return changingPool(withKey(view, key, { newId: deps.newId, now }), { does, pool, code }, { deps, view, now });
}

/** Adds to a grant's change the change of its pool, and an event if the merchant gets a notice about the pool. */
export function changingPool<Change extends Omit<GrantChange, 'pool'>>(
  change: Change,
  by: Exclude<PoolChange, { does: 'leave' }>,
  { deps, view, now }: { deps: Pick<SettleGrantsDeps, 'newId'>; view: GrantView; now: string },
): Change & { pool: PoolChange } {
  const tells = toldBy(by.pool, by.does);
  if (!tells) return { ...change, pool: by };
  const { entitlementName, productId } = view.grant;
  const notice = { pool: poolAfter(by.pool, by.does), level: tells, entitlementName, productId };
  const event = recordPoolEvent(notice, { id: deps.newId('evt'), now });
  return { ...change, pool: { ...by, tells }, events: [...change.events, event] };
}

/**
 * Gives codes to waiting sales, beginning with the oldest, up to a number of sales or up to a grant. Returns the pool
 * after that. The sweep serves the others.
 */
export async function serveWaiting(
  deps: SettleGrantsDeps,
  entitlementId: string,
  { most, before }: { most: number; before?: string },
): Promise<Pool> {
  for (let served = 0; ; served += 1) {
    const pool = await deps.pool.get(entitlementId);
    const head = served < most && pool.free > 0 && pool.waiting > 0 ? await deps.pool.head(pool) : undefined;
    if (!head || head.grantId === before) return pool;
    await serve(deps, head);
  }
}

/** Serves one grant of the queue. If its sale gives no access any more, the grant leaves the queue. */
const serve = (deps: SettleGrantsDeps, { grantId, paymentId }: WaitingGrant): Promise<void> =>
  retryStale(async () => {
    const payment = await deps.payments.get(paymentId);
    const owed = grantsOwedBy(payment).find(({ id }) => id === grantId);
    if (!owed) throw new Error(`${paymentId} does not owe ${grantId}.`);
    const [known, entitlements] = await Promise.all([
      deps.grants.findMany([grantId]),
      deps.entitlements.findMany([owed.entitlement.id]),
    ]);
    await settleGrant(deps, { payment, owed, entitlement: entitlements.get(owed.entitlement.id) }, known.get(grantId));
  });

/** Makes a number from an id. The numbers of different ids are spread evenly. */
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

/** The grant after its payment has changed: revoked, or given back. Undefined if it does not change. */
async function followed(
  deps: SettleGrantsDeps,
  { payment, entitlement, known, now }: Context & { known: Grant },
): Promise<GrantChange | undefined> {
  const next = followedPayment(known, payment, now);
  if (!next && waitsForPool(known, payment, entitlement))
    return served(deps, { grant: known, entitlement, key: undefined }, now);
  const pool = known.isQueued && ({ does: 'leave' } as const);
  if (!next) return pool && { grant: { ...unqueued(known), updatedAt: now }, pool, events: [] };
  const key = next.licenseKeyId === null ? undefined : await deps.licenseKeys.find(next.licenseKeyId);
  const view = { grant: unqueued(next), entitlement, key: key && keyStateAfter(key, next, now) };
  return { ...toldOf(view, deps.newId, now), pool };
}

/** A waiting grant. It gets a code of its pool, or joins the queue. */
async function served(deps: SettleGrantsDeps, view: GrantView, now: string): Promise<GrantChange | undefined> {
  const change = await filled(deps, view, now);
  return change.pool && change;
}

/** The state of a grant's key right after the grant has changed. */
export const keyStateAfter = (key: LicenseKey, { status }: Pick<Grant, 'status'>, now: string): KeyState => ({
  key,
  status: keyStatusOf(key, { hasAccess: status === 'delivered', now }),
});

/**
 * The event of a grant that was revoked or given back. If the grant waits for its key again, the event says that it was
 * created.
 */
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
