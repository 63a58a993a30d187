import { createHmac } from 'node:crypto';

export const withdrawPath = '/withdraw';

/** The path of the withdrawal from one order. The secret of the order opens it. */
export const orderWithdrawPath = (paymentId: string): string => `/orders/${paymentId}/withdraw`;

/** The page whose button confirms a typed declaration. Its link is mailed to the order's own address only. */
export const proofPath = '/withdraw/confirm';

/** The token of that link. Only this stack can make it, and it proves one declaration. */
export const proofToken = (id: string, stackSecret: string): string =>
  createHmac('sha256', stackSecret).update(`withdrawal ${id}`).digest('base64url');

export const proofUrl = (publicUrl: string, id: string, stackSecret: string): string =>
  `${publicUrl}${proofPath}?id=${id}&token=${proofToken(id, stackSecret)}`;
