import { createHash } from 'node:crypto';
import { lowestDigits } from './base62.ts';

const length = 21;

/** Derives 21 letters and digits (about 125 bits) from a text. The same text gives the same id. */
const digest = (text: string): string =>
  lowestDigits(BigInt(`0x${createHash('sha256').update(text).digest('hex')}`), length).join('');

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
