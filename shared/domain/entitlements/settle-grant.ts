import { DomainError } from '../errors.ts';
import { isLost } from '../payments/dispute-standing.ts';
import type { Payment } from '../payments/payment.ts';
import { isWaived, type WaivableSale } from '../withdrawal/opening.ts';
import { isLineRefunded, isLineWithdrawn, noAccessOf } from './access-right.ts';
import { type Entitlement, usualAccessRules } from './entitlement.ts';
import type { Grant, OwedGrant, Revocation } from './grant.ts';

/** The parts of a payment that decide whether its grants give access. */
type Sale = Pick<Payment, 'status' | 'late' | 'lines' | 'disputes'>;

/** Whether a payment gives access to a grant on this line, under the grant's rules. */
const isDue = (grant: Pick<Grant, 'line' | 'access'>, payment: Sale): boolean =>
  noAccessOf({ ...grant, status: 'delivered' }, payment) === undefined;

/** A new grant before its delivery. */
export function newGrant(
  { id, entitlement: { id: entitlementId, name, type }, line, unit }: OwedGrant,
  payment: Pick<Payment, 'id' | 'brandId' | 'customer' | 'updatedAt'> & WaivableSale,
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
    ...(isWaived(payment, line) && { paidAt: payment.updatedAt }),
    createdAt: now,
    updatedAt: now,
    events: 0,
    version: 0,
  };
}

/** Whether a new grant is delivered now. If its line is refunded or disputed, it is not. */
export const isGivenNow = (grant: Grant, payment: Sale): boolean => isDue(grant, payment);

/** Whether a grant waits for a code of a pool. It gets the next code that becomes free. */
export const waitsForPool = (grant: Grant, payment: Sale, entitlement: Entitlement | undefined): boolean =>
  grant.status === 'pending' &&
  entitlement?.config.type === 'license_key' &&
  entitlement.config.fulfillment === 'pool' &&
  isDue(grant, payment);

/** The grant with a mark that it is in the queue of its pool. */
export const queued = (grant: Grant): Grant => ({ ...grant, isQueued: true });
export const unqueued = ({ isQueued: _, ...grant }: Grant): Grant => grant;

/** The grant with its files or key delivered. */
export const delivered = (grant: Grant, now: string): Grant => ({
  ...unqueued(grant),
  status: 'delivered',
  deliveredAt: grant.deliveredAt ?? now,
  updatedAt: now,
});

/** The grant as failed. Nothing can be delivered, because the row of its entitlement does not exist. */
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
 * The next state of a grant after its payment changed. A refund of the whole line or a lost dispute revokes it. If
 * neither applies any more, it is given back. Undefined if nothing changes. What the merchant revoked by hand stays
 * revoked.
 */
export function followedPayment(grant: Grant, payment: Sale, now: string): Grant | undefined {
  const cause = causeOf(grant, payment);
  if (grant.status !== 'revoked') return cause && revokedGrant(grant, { by: cause, reason: null }, now);
  return grant.revocation?.by === 'merchant' || !isDue(grant, payment) ? undefined : givenBack(grant, now);
}

/** A grant that is no longer revoked. If it was never delivered, it is pending again. */
const givenBack = (grant: Grant, now: string): Grant => ({
  ...grant,
  status: grant.deliveredAt === null ? 'pending' : 'delivered',
  revocation: null,
  updatedAt: now,
});

/** Gives back a grant that the merchant has revoked by hand. Refuses this if the payment gives no access. */
export function restoredGrant(grant: Grant, payment: Sale, now: string): Grant {
  const { id, status, revocation } = grant;
  if (status !== 'revoked') throw new DomainError('CONFLICT', `The grant ${id} is not revoked: it is ${status}.`);
  if (revocation?.by === 'merchant' && isDue(grant, payment)) return givenBack(grant, now);
  throw new DomainError('CONFLICT', `The payment of the grant ${id} gives no access: it is refunded or disputed.`);
}

/** Why a payment ends a grant for ever; undefined if it does not. */
function causeOf({ access, line }: Grant, payment: Sale): 'refund' | 'dispute' | undefined {
  const isReturned = isLineRefunded(payment, line) && payment.lines[line]?.pending === 0;
  if (access.endsByRefund && (isReturned || isLineWithdrawn(payment, line))) return 'refund';
  return access.endsByLoss && payment.disputes.some(isLost) ? 'dispute' : undefined;
}
