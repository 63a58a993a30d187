import { DomainError } from '../errors.ts';
import { isLost } from '../payments/dispute-standing.ts';
import type { Payment } from '../payments/payment.ts';
import { isLineRefunded, isLineWithdrawn, noAccessOf } from './access-right.ts';
import { type Entitlement, usualAccessRules } from './entitlement.ts';
import type { Grant, OwedGrant, Revocation } from './grant.ts';

/** What a payment gives on a line, if its grant is not revoked. */
type Sale = Pick<Payment, 'status' | 'late' | 'lines' | 'disputes'>;

/** Whether a grant of these terms gives access by the payment alone. */
const isDue = (grant: Pick<Grant, 'line' | 'access'>, payment: Sale): boolean =>
  noAccessOf({ ...grant, status: 'delivered' }, payment) === undefined;

/** A new grant before its delivery. */
export function newGrant(
  { id, entitlement: { id: entitlementId, name, type }, line, unit }: OwedGrant,
  payment: Pick<Payment, 'id' | 'brandId' | 'customer' | 'lines'>,
  { entitlement, now }: { entitlement: Entitlement | undefined; now: string },
): Grant {
  return {
    id,
    entitlementId,
    entitlementName: name,
    type,
    paymentId: payment.id,
    line,
    unit,
    productId: payment.lines[line]?.productId ?? '',
    brandId: payment.brandId,
    customerId: payment.customer.id,
    access: entitlement?.access ?? usualAccessRules,
    status: 'pending',
    deliveredAt: null,
    revocation: null,
    error: null,
    licenseKeyId: null,
    createdAt: now,
    updatedAt: now,
    events: 0,
    version: 0,
  };
}

/** Whether a grant that does not exist yet is given now. A line that is refunded or disputed waits. */
export const isGivenNow = (grant: Grant, payment: Sale): boolean => isDue(grant, payment);

/** Whether a grant waits for a code of a pool, which it gets as soon as there is one. */
export const waitsForPool = (grant: Grant, payment: Sale, entitlement: Entitlement | undefined): boolean =>
  grant.status === 'pending' &&
  entitlement?.config.type === 'license_key' &&
  entitlement.config.fulfillment === 'pool' &&
  isDue(grant, payment);

/** The grant in the queue of its pool, or not any more. */
export const queued = (grant: Grant): Grant => ({ ...grant, isQueued: true });
export const unqueued = ({ isQueued: _, ...grant }: Grant): Grant => grant;

/** The grant with its files or key delivered. */
export const delivered = (grant: Grant, now: string): Grant => ({
  ...unqueued(grant),
  status: 'delivered',
  deliveredAt: grant.deliveredAt ?? now,
  updatedAt: now,
});

/** The grant of an entitlement whose row is gone, so nothing can be delivered. */
export const failedGrant = (grant: Grant, now: string): Grant => ({
  ...grant,
  status: 'failed',
  error: { code: 'ENTITLEMENT_NOT_FOUND', message: 'The entitlement of this grant does not exist any more.' },
  updatedAt: now,
});

export const revokedGrant = (grant: Grant, revocation: Omit<Revocation, 'at'>, now: string): Grant => ({
  ...unqueued(grant),
  status: 'revoked',
  revocation: { ...revocation, at: now },
  updatedAt: now,
});

/**
 * The next state of a grant by its payment: revoked by a refund of the whole line or a lost dispute, or given back once
 * neither holds. Undefined if it stays. What the merchant revokes by hand stays revoked.
 */
export function followedPayment(grant: Grant, payment: Sale, now: string): Grant | undefined {
  const cause = causeOf(grant, payment);
  if (grant.status !== 'revoked') return cause && revokedGrant(grant, { by: cause, reason: null }, now);
  return grant.revocation?.by === 'merchant' || !isDue(grant, payment) ? undefined : givenBack(grant, now);
}

/** A grant that is not revoked any more. One that never had its key waits for it again. */
const givenBack = (grant: Grant, now: string): Grant => ({
  ...grant,
  status: grant.deliveredAt === null ? 'pending' : 'delivered',
  revocation: null,
  updatedAt: now,
});

/** Gives back what the merchant has revoked by hand. Refused if the payment gives no access any more. */
export function restoredGrant(grant: Grant, payment: Sale, now: string): Grant {
  const { id, status, revocation } = grant;
  if (status !== 'revoked') throw new DomainError('CONFLICT', `The grant ${id} is not revoked: it is ${status}.`);
  if (revocation?.by === 'merchant' && isDue(grant, payment)) return givenBack(grant, now);
  throw new DomainError('CONFLICT', `The payment of the grant ${id} gives no access: it is refunded or disputed.`);
}

/** Why a payment ends a grant for good, as far as is known; undefined if it does not. */
function causeOf({ access, line }: Grant, payment: Sale): 'refund' | 'dispute' | undefined {
  const isReturned = isLineRefunded(payment, line) && payment.lines[line]?.pending === 0;
  if (access.endsByRefund && (isReturned || isLineWithdrawn(payment, line))) return 'refund';
  return access.endsByLoss && payment.disputes.some(isLost) ? 'dispute' : undefined;
}
