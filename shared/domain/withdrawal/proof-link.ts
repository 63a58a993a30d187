import { createHmac } from 'node:crypto';
import { normalizeEmail } from '../checkout/buyer.ts';

export const withdrawPath = '/withdraw';

/** The path of the withdrawal from one order. The secret of the order opens it. */
export const orderWithdrawPath = (paymentId: string): string => `/orders/${paymentId}/withdraw`;

/** The page whose button confirms a typed declaration. Its link is mailed to the order's own address only. */
export const proofPath = '/withdraw/confirm';

/** A declaration of withdrawal, and the e-mail address of its order. The link is mailed to this address. */
export interface Proving {
  id: string;
  address: string;
}

/**
 * The token of that link. Only this stack can make it. It proves one declaration, while its order has the address to
 * which the link was mailed.
 */
export const proofToken = ({ id, address }: Proving, stackSecret: string): string =>
  createHmac('sha256', stackSecret)
    .update(`withdrawal ${id} ${normalizeEmail(address)}`)
    .digest('base64url');

export const proofUrl = (publicUrl: string, proving: Proving, stackSecret: string): string =>
  `${publicUrl}${proofPath}?id=${proving.id}&token=${proofToken(proving, stackSecret)}`;
