import { createHmac } from 'node:crypto';
import type { Payment } from '../payments/payment.ts';

/** The fields of a payment from which the secret of its order page is derived. */
export type OrderLinked = Pick<Payment, 'id' | 'orderLink'>;

/** The path of a payment's order page. It opens nothing without the secret or the cookie that the secret has set. */
export const orderPath = (paymentId: string): string => `/orders/${paymentId}`;

/**
 * The secret of a payment's order page. It opens nothing else, and only this stack can make it. When the payment's
 * counter `orderLink` goes up, the secret becomes invalid.
 */
export const orderSecret = ({ id, orderLink = 0 }: OrderLinked, stackSecret: string): string =>
  createHmac('sha256', stackSecret).update(`order ${id} ${orderLink}`).digest('base64url');

/** The link that opens a payment's order page on any device. It works until the merchant replaces it. */
export const orderUrl = (publicUrl: string, payment: OrderLinked, stackSecret: string): string =>
  `${publicUrl}${orderPath(payment.id)}?secret=${orderSecret(payment, stackSecret)}`;

/** The payment with a new order link. The old link and the cookies from it stop working. */
export const withNewOrderLink = (payment: Payment): Payment => ({
  ...payment,
  orderLink: (payment.orderLink ?? 0) + 1,
});
