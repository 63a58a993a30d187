import { notFound } from '../../domain/errors.ts';
import type { Claim } from '../../domain/idempotency.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { isTooOften, type MailedAgain, type MailPurchaseDeps, mailPurchase } from './mail-purchase.ts';

/** `often`: there were too many such mails in this hour. */
export type SentAgain = MailedAgain | 'often';

/**
 * Sends the mail of a purchase again, to the address to which the order belongs now. If the button is pressed twice at
 * the same time, one mail is sent.
 */
export async function sendPurchaseMail(
  deps: MailPurchaseDeps & { currentAddress: (payment: Payment) => Promise<string> },
  paymentId: string,
  claim: Claim<SentAgain>,
): Promise<SentAgain> {
  const { mailer } = deps;
  const payment = await deps.payments.get(paymentId);
  if (!mailer || payment.erasedAt !== undefined) throw notFound('mail', paymentId);
  if (await isTooOften(deps, paymentId)) return 'often';
  const done = { command: 'order.send_mail', subject: paymentId, details: {} } as const;
  return mailPurchase({ ...deps, mailer }, payment, claim('sent', done), await deps.currentAddress(payment));
}
