import { createHash } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const length = 21;

/** 21 letters and digits that follow from a text: the same text, the same id; about 125 bits. */
function digest(text: string): string {
  let rest = BigInt(`0x${createHash('sha256').update(text).digest('hex')}`);
  let id = '';
  for (let place = 0; place < length; place += 1) {
    id += alphabet[Number(rest % 62n)];
    rest /= 62n;
  }
  return id;
}

/** The payment of a session's n-th attempt: two tabs that try at once try for the same payment. */
export const paymentIdOf = (sessionId: string, attempt: number): string => `pay_${digest(`${sessionId} ${attempt}`)}`;

/** One customer per merchant and normalized e-mail address. */
export const customerIdOf = (merchantId: string, email: string): string => `cus_${digest(`${merchantId} ${email}`)}`;

/** The brand that every stack has. */
export const primaryBrandIdOf = (merchantId: string): string => `brnd_${digest(merchantId)}`;
