import { notFound } from '../../domain/errors.ts';
import type { PortalSession } from '../../domain/portal/portal-access.ts';
import { type MailPurchaseDeps, mailPurchase } from '../orders/mail-purchase.ts';
import type { SentAgain } from '../orders/send-purchase-mail.ts';

/** How often buyers can have a purchase mailed again in an hour: each order, and all orders of an address together. */
export const hourlyAgain = { order: 5, address: 20 } as const;

/**
 * Mails a purchase again to the current address of the order, which is the one of the session. These mails are counted
 * separately from portal links and from mails that members send. So one kind does not use up the limit of another.
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
