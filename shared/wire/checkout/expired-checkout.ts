import type { SessionLine } from '../../domain/checkout/checkout-session.ts';
import { type ExpiredCheckout, knownEmail, recoverableUntil } from '../../domain/checkout/expired-checkout.ts';
import type { Site } from '../../domain/site.ts';
import type { WebhookAnswer } from '../webhooks/webhook-answer.ts';

/** A checkout that expired unpaid, with the buyer, the cart and the total. */
export const presentExpiredCheckout = (
  { publicUrl }: Site,
  { session, total }: ExpiredCheckout,
): Omit<WebhookAnswer<'CheckoutSessionEventData'>, 'payload_type'> => ({
  checkout_session_id: session.id,
  status: 'expired',
  created_at: session.createdAt,
  expired_at: session.expiresAt,
  customer: {
    customer_id: session.customer.id ?? null,
    email: knownEmail(session) ?? '',
    name: session.payer?.name || session.customer.name || '',
    phone_number: session.customer.phone ?? null,
  },
  payment_id: session.paymentId,
  payment_status: session.paymentStatus,
  currency: session.currency,
  total_amount: total,
  product_cart: session.lines.map(presentLine),
  discount_codes: (session.discounts ?? []).map(({ code }) => code),
  metadata: session.metadata,
  recovery_url: recoverableUntil(session) && `${publicUrl}/checkout/${session.id}/recover`,
  recovery_expires_at: recoverableUntil(session),
});

/** A line of the cart. Its amount is null if the buyer had to choose it. */
const presentLine = ({ productId, name, quantity, price, amount }: SessionLine) => ({
  product_id: productId,
  name,
  quantity,
  unit_amount: price.kind === 'fixed' ? price.unitAmount : amount,
});
