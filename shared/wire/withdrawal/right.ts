import { documentUrl } from '../../domain/documents/document-address.ts';
import type { Confirmed } from '../../domain/orders/mail-notes.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { Site } from '../../domain/site.ts';
import { type Standing, standingOf } from '../../domain/withdrawal/standing.ts';
import type { CheckoutAnswer } from '../checkout/checkout-answer.ts';
import type { PaymentAnswer } from '../payments/payment-answer.ts';

/**
 * The right of withdrawal of a payment. Null if the payment made no contract. A stack that sends no mails cannot
 * confirm anything on a durable medium. So there, no consent ends the right.
 */
export function presentRight(
  payment: Payment,
  { isMailed }: { isMailed: boolean },
): CheckoutAnswer<'RightOfWithdrawal'> | null {
  if (payment.status === 'failed' || payment.status === 'cancelled') return null;
  const at = payment.late?.at ?? payment.createdAt;
  const standing = standingOf(payment, { confirmedAt: at, lines: [] }, at);
  return {
    right: rightOf(standing, isMailed),
    period_ends_on: standing.isConsumer ? standing.period.lastDay : null,
    consents: (payment.supplyConsents ?? []).map(({ kind, text, language, at: givenAt, lines, source }) => ({
      kind,
      text,
      language,
      given_at: givenAt,
      lines,
      source: source === 'api' ? 'integrator' : 'page',
    })),
  };
}

function rightOf({ isConsumer, lines }: Standing, isMailed: boolean): 'kept' | 'waivable' | 'none' {
  if (!isConsumer) return 'none';
  return isMailed && lines.some(({ proofs }) => proofs.words !== null) ? 'waivable' : 'kept';
}

/** The confirmation of a contract. Null if none has reached the buyer. */
export const presentConfirmation =
  (site: Site) =>
  (
    { id: paymentId, documentSecret }: Pick<Payment, 'id' | 'documentSecret'>,
    confirmed: Confirmed | undefined,
  ): PaymentAnswer<'Payment'>['confirmation'] =>
    confirmed
      ? {
          accepted_at: confirmed.acceptedAt,
          url: documentUrl(site, { paymentId, documentSecret, isConfirmation: true }),
        }
      : null;
