import { createHmac } from 'node:crypto';
import { normalizeEmail } from '../checkout/buyer.ts';

export const withdrawPath = '/withdraw';

/** The path of the page on which a buyer withdraws from one order. The secret of the order opens it. */
export const orderWithdrawPath = (paymentId: string): string => `/orders/${paymentId}/withdraw`;

/**
 * The path of the page whose button confirms a declaration from the public form. Its link is mailed only to the address
 * of the order.
 */
export const proofPath = '/withdraw/confirm';

/** A declaration of withdrawal, and the e-mail address of its order. The link is mailed to this address. */
export interface Proving {
  id: string;
  address: string;
}

/**
 * The token of the link that confirms a declaration. Only this stack can make it. It works for one declaration, and
 * only while its order has the address to which the link was mailed.
 */
export const proofToken = ({ id, address }: Proving, stackSecret: string): string =>
  createHmac('sha256', stackSecret)
    .update(`withdrawal ${id} ${normalizeEmail(address)}`)
    .digest('base64url');

export const proofUrl = (publicUrl: string, proving: Proving, stackSecret: string): string =>
  `${publicUrl}${proofPath}?id=${proving.id}&token=${proofToken(proving, stackSecret)}`;
