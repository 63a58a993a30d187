import { createHash, createHmac } from 'node:crypto';
import { lowestDigits } from './base62.ts';

const length = 21;

/** Derives 21 letters and digits (about 125 bits) from a text. The same text gives the same id. */
const digest = (text: string): string => shortened(createHash('sha256').update(text).digest('hex'));

const shortened = (hex: string): string => lowestDigits(BigInt(`0x${hex}`), length).join('');

/** The same for what only the holder of a secret may derive. */
const sealed = (text: string, secret: string): string =>
  shortened(createHmac('sha256', secret).update(text).digest('hex'));

/**
 * The id of the session that a request opens under its idempotency key, in a window of time. The id opens a page with
 * personal data, so it cannot be computed without the stack's secret.
 */
export const keyedSessionIdOf = (recordId: string, window: number, secret: string): string =>
  `cks_${sealed(`checkout-session ${window} ${recordId}`, secret)}`;

/** What a session keeps of the request that opened it. A guess of the request cannot be checked without the secret. */
export const requestMarkOf = (fingerprint: string, secret: string): string => sealed(`request ${fingerprint}`, secret);

/** The id of a session's n-th payment. Two tabs that pay at the same time get the same payment. */
export const paymentIdOf = (sessionId: string, attempt: number): string => `pay_${digest(`${sessionId} ${attempt}`)}`;

/** One dispute per id of the processor, however often and by whom it is heard of. */
export const disputeIdOf = (processor: string, reference: string): string =>
  `dsp_${digest(`${processor} ${reference}`)}`;

/** One refund per id of the processor, where it was made there and not by us. */
export const adoptedRefundIdOf = (processor: string, reference: string): string =>
  `ref_${digest(`${processor} ${reference}`)}`;

/** One customer per merchant and normalized e-mail address. */
export const customerIdOf = (merchantId: string, email: string): string => `cus_${digest(`${merchantId} ${email}`)}`;

/** The brand that every stack has. */
export const primaryBrandIdOf = (merchantId: string): string => `brnd_${digest(merchantId)}`;
