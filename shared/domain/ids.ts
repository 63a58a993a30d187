import { createHash, createHmac } from 'node:crypto';
import { lowestDigits } from './base62.ts';

const length = 21;

/** Derives 21 letters and digits (about 125 bits) from a text. The same text gives the same id. */
const digest = (text: string): string => shortened(createHash('sha256').update(text).digest('hex'));

const shortened = (hex: string): string => lowestDigits(BigInt(`0x${hex}`), length).join('');

/** The same, but only the holder of a secret can derive it. */
const sealed = (text: string, secret: string): string =>
  shortened(createHmac('sha256', secret).update(text).digest('hex'));

/**
 * The id of the session that a request opens under its idempotency key, in a time window. The id opens a page with
 * personal data, so it cannot be computed without the stack's secret.
 */
export const keyedSessionIdOf = (recordId: string, window: number, secret: string): string =>
  `cks_${sealed(`checkout-session ${window} ${recordId}`, secret)}`;

/**
 * What a session stores of the request that opened it. Without the secret, a guessed request cannot be compared with
 * it.
 */
export const requestMarkOf = (fingerprint: string, secret: string): string => sealed(`request ${fingerprint}`, secret);

/** The id of a session's n-th payment. Two tabs that pay at the same time get the same payment. */
export const paymentIdOf = (sessionId: string, attempt: number): string => `pay_${digest(`${sessionId} ${attempt}`)}`;

/** Each of the processor's dispute ids gives one dispute id, no matter how often or by whom it is reported. */
export const disputeIdOf = (processor: string, reference: string): string =>
  `dsp_${digest(`${processor} ${reference}`)}`;

/**
 * Each of the processor's refund ids gives one refund id, for refunds that were made at the processor and not by us.
 */
export const adoptedRefundIdOf = (processor: string, reference: string): string =>
  `ref_${digest(`${processor} ${reference}`)}`;

/** Each normalized e-mail address of a merchant gives one customer id. */
export const customerIdOf = (merchantId: string, email: string): string => `cus_${digest(`${merchantId} ${email}`)}`;

/** The brand that every stack has. */
export const primaryBrandIdOf = (merchantId: string): string => `brnd_${digest(merchantId)}`;

/** A unit of a payment's line gives one grant id for each entitlement, no matter how often it is issued. */
export const grantIdOf = (paymentId: string, line: number, entitlementId: string, unit: number): string =>
  `entg_${digest(`${paymentId} ${line} ${entitlementId} ${unit}`)}`;

/** The entitlement that the older fields of a product make. */
export const productEntitlementIdOf = (productId: string, type: 'license_key' | 'digital_files'): string =>
  `ent_${digest(`${productId} ${type}`)}`;
/** A form that is posted twice makes one declaration. */
export const withdrawalIdOf = (formToken: string, content: string): string =>
  `wdr_${digest(`${formToken} ${content}`)}`;

/**
 * A decision makes one refund at most: its id follows from the declaration and from how many decisions there were before.
 */
export const withdrawalRefundIdOf = (withdrawalId: string, decisionCount: number): string =>
  `ref_${digest(`withdrawal ${withdrawalId} ${decisionCount}`)}`;

/** A key's activation under an Idempotency-Key, so a repetition finds the first one. */
export const activationIdOf = (licenseKeyId: string, idempotencyKey: string): string =>
  `lki_${digest(`${licenseKeyId} ${idempotencyKey}`)}`;
