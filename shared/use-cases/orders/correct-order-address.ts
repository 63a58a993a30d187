import { recordOf } from '../../domain/customers/customer-record.ts';
import type { Document } from '../../domain/documents/document.ts';
import { notFound } from '../../domain/errors.ts';
import type { Claim } from '../../domain/idempotency.ts';
import type { Mail } from '../../domain/mail.ts';
import { hasBouncedForGood } from '../../domain/orders/mail-notes.ts';
import { withNewOrderLink } from '../../domain/orders/order-link.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { ownerIdOf } from '../../domain/portal/order-owner.ts';
import { describeError, logError } from '../../log.ts';
import type { CustomerStore } from '../../store/customers/customer-store.ts';
import type { MailStore } from '../../store/documents/mail-store.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import { retryStale } from '../retry.ts';
import { isTooOften, type MailPurchaseDeps, mailPurchase } from './mail-purchase.ts';

export interface CorrectOrderAddressDeps extends MailPurchaseDeps {
  payments: Pick<PaymentStore, 'get' | 'save' | 'saveAddress'>;
  customers: Pick<CustomerStore, 'find'>;
  merchantId: string;
  mails: MailPurchaseDeps['mails'] & Pick<MailStore, 'note'>;
  /** Composes the mail that informs the old address about the correction. It does not contain the new address. */
  composeMoved: (document: Document) => Mail;
}

/** `same`: the order already has this address. `often`: too many mails in this hour. */
export type Corrected = 'corrected' | 'same' | 'often';

/**
 * Corrects the e-mail address of an order. The old link stops working, the old address gets a notice, and the new
 * address gets the mail of the purchase. From then on, the order belongs to the new address. Issued documents do not
 * change. If the first mail was not sent yet, it goes to the new address.
 */
export async function correctOrderAddress(
  deps: CorrectOrderAddressDeps,
  { paymentId, email }: { paymentId: string; email: string },
  claim: Claim<Corrected>,
): Promise<Corrected> {
  // The order is read first, because an order that does not exist must not count as a mail.
  await getOrder(deps, paymentId);
  if (await isTooOften(deps, paymentId)) return 'often';
  const moved = await retryStale(async () => {
    const before = await getOrder(deps, paymentId);
    if (before.customer.email === email) return undefined;
    const customer = { ...before.customer, email };
    const after = withNewOrderLink({ ...before, customer, hasOwnAddress: true });
    const done = { command: 'order.correct_address', subject: paymentId, details: {} } as const;
    await deps.payments.saveAddress(after, await ownerOfOrder(deps, after), claim('corrected', done));
    return { from: before.customer.email, after };
  });
  if (!moved) return 'same';
  await tellBoth(deps, moved);
  return 'corrected';
}

/**
 * The customer of the corrected address. If there is no payment or row of this customer yet, a row is created, so that
 * their data can be erased.
 */
async function ownerOfOrder({ customers, merchantId, now }: CorrectOrderAddressDeps, payment: Payment) {
  const id = ownerIdOf(payment, merchantId);
  const { email, name } = payment.customer;
  if (id === payment.customer.id || (await customers.find(id))) return { id, record: undefined };
  const known = { id, email, name, phone: null, metadata: {}, createdAt: now().toISOString(), erasure: null };
  return { id, record: recordOf(known) };
}

async function getOrder({ payments }: Pick<CorrectOrderAddressDeps, 'payments'>, id: string): Promise<Payment> {
  const payment = await payments.get(id);
  if (payment.status !== 'succeeded' || payment.erasedAt !== undefined) throw notFound('order', id);
  return payment;
}

/**
 * Mails both addresses. The correction is valid even if a mail fails. Then the page offers to send the purchase's mail
 * again. If mails to the old address bounce permanently, it gets no notice.
 */
async function tellBoth(
  deps: CorrectOrderAddressDeps,
  { from, after }: { from: string; after: Payment },
): Promise<void> {
  const { mailer, documents } = deps;
  if (!mailer) return;
  const failed = (error: unknown) =>
    logError('A mail about a corrected address was not sent.', { payment_id: after.id, ...describeError(error) });
  const { document, mail } = await documents.find(after.id);
  const tellOld = async (moved: Mail) => {
    const what = await mailer.send({ ...moved, to: from });
    await deps.mails.note(after.id, { at: deps.now().toISOString(), what, about: 'moved' });
  };
  if (document && !hasBouncedForGood(mail.notes)) await tellOld(deps.composeMoved(document)).catch(failed);
  await mailPurchase({ ...deps, mailer }, after, []).catch(failed);
}
