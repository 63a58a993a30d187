import { createHash, createHmac } from 'node:crypto';
import { lowestDigits } from './base62.ts';

const length = 21;

/** Derives 21 letters and digits (about 125 bits) from a text. The same text gives the same id. */
const digest = (text: string): string => shortened(createHash('sha256').update(text).digest('hex'));

const shortened = (hex: string): string => lowestDigits(BigInt(`0x${hex}`), length).join('');

/** Derives 21 letters and digits from a text and a secret. Only the holder of the secret can compute them. */
const sealed = (text: string, secret: string): string =>
  shortened(createHmac('sha256', secret).update(text).digest('hex'));

/**
 * The id of the session that a request with an idempotency key opens in a time window. The id opens a page with
 * personal data, so nobody can compute it without the stack's secret.
 */
export const keyedSessionIdOf = (recordId: string, window: number, secret: string): string =>
  `cks_${sealed(`checkout-session ${window} ${recordId}`, secret)}`;

/**
 * A keyed hash of the request that opened a session. Without the secret, nobody can test whether a guessed request is
 * the same.
 */
export const requestMarkOf = (fingerprint: string, secret: string): string => sealed(`request ${fingerprint}`, secret);

/** The id of a session's n-th payment. Two tabs that pay at the same time get the same payment. */
export const paymentIdOf = (sessionId: string, attempt: number): string => `pay_${digest(`${sessionId} ${attempt}`)}`;

/** The id of a dispute, derived from the processor's id. It is the same for every report about that dispute. */
export const disputeIdOf = (processor: string, reference: string): string =>
  `dsp_${digest(`${processor} ${reference}`)}`;

/** The id of a refund that was made at the processor and not here, derived from the processor's id. */
export const adoptedRefundIdOf = (processor: string, reference: string): string =>
  `ref_${digest(`${processor} ${reference}`)}`;

/**
 * The id of the n-th adjustment of a dispute. It is derived from the dispute, so two writers cannot both book the n-th
 * one.
 */
export const adjustmentIdOf = (disputeId: string, number: number): string =>
  `${disputeId.replace(/^dsp_/, 'adj_')}${number}`;

/** The id of the dispute that is in an adjustment's id; undefined for an id of another kind. */
export const adjustedDisputeOf = (adjustmentId: string): string | undefined =>
  adjustmentId.startsWith('adj_') ? adjustmentId.slice(0, 'adj_'.length + length).replace(/^adj_/, 'dsp_') : undefined;

/** The id of a customer, derived from the merchant and the normalized e-mail address. */
export const customerIdOf = (merchantId: string, email: string): string => `cus_${digest(`${merchantId} ${email}`)}`;

/** The id of the primary brand, which every stack has. */
export const primaryBrandIdOf = (merchantId: string): string => `brnd_${digest(merchantId)}`;

/** The id of a grant, derived from payment, line, entitlement and unit. Issuing it twice gives the same id. */
export const grantIdOf = (paymentId: string, line: number, entitlementId: string, unit: number): string =>
  `entg_${digest(`${paymentId} ${line} ${entitlementId} ${unit}`)}`;

/** The id of the entitlement that is made from the older delivery fields of a product. */
export const productEntitlementIdOf = (productId: string, type: 'license_key' | 'digital_files'): string =>
  `ent_${digest(`${productId} ${type}`)}`;
/**
 * The id of a declaration of withdrawal. A form that is posted twice gives the same id, so it makes only one
 * declaration.
 */
export const withdrawalIdOf = (formToken: string, content: string): string =>
  `wdr_${digest(`${formToken} ${content}`)}`;

/**
 * The id of the refund that a decision makes. It depends on how many decisions there were before, so one decision never
 * makes two refunds.
 */
export const withdrawalRefundIdOf = (withdrawalId: string, decisionCount: number): string =>
  `ref_${digest(`withdrawal ${withdrawalId} ${decisionCount}`)}`;

/**
 * The id of an activation with an Idempotency-Key. A repeated request gets the same id, so it finds the first
 * activation.
 */
export const activationIdOf = (licenseKeyId: string, idempotencyKey: string): string =>
  `lki_${digest(`${licenseKeyId} ${idempotencyKey}`)}`;
