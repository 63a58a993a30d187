import { notFound } from '../../domain/errors.ts';
import type { PortalSession } from '../../domain/portal/portal-access.ts';
import { type MailPurchaseDeps, mailPurchase } from '../orders/mail-purchase.ts';
import type { SentAgain } from '../orders/send-purchase-mail.ts';

/** How often buyers have a purchase mailed to them again in an hour: each one, and all of an address. */
export const hourlyAgain = { order: 5, address: 20 } as const;

/**
 * Mails a purchase to the address of the session, which is the one to which the order belongs now. What buyers press
 * is counted apart from links to the portal and from what members send, so that none of them takes the others away.
 */
export async function sendAgain(
  deps: MailPurchaseDeps,
  { email }: Pick<PortalSession, 'email'>,
  paymentId: string,
): Promise<SentAgain> {
  const { mailer } = deps;
  const payment = await deps.payments.get(paymentId);
  if (!mailer || payment.erasedAt !== undefined) throw notFound('mail', paymentId);
  const isWithin = async (counted: string, most: number) =>
    (await deps.throttles.count(deps.hashOf(`portal again ${counted}`), deps.now())) <= most;
  if (!(await isWithin(`order ${paymentId}`, hourlyAgain.order))) return 'often';
  if (!(await isWithin(`address ${email}`, hourlyAgain.address))) return 'often';
  return mailPurchase({ ...deps, mailer }, payment, [], email);
}
