import { awaitsRegister, type CheckTaxId } from '../../domain/checkout/buyer.ts';
import { isTaxIdToken, takesTaxId } from '../../domain/documents/tax-id-link.ts';
import { hasCode, notFound } from '../../domain/errors.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import type { TaxSettings } from '../../tax/rules/settings.ts';
import { retryStale } from '../retry.ts';
import { proposalFor } from './propose-correction.ts';

export interface AddTaxIdDeps {
  payments: Pick<PaymentStore, 'find' | 'save'>;
  taxSettings: () => Promise<TaxSettings>;
  checkTaxId: CheckTaxId;
  /** The secret that signs the links; undefined if no link was ever made. */
  linkSecret: () => Promise<string | undefined>;
  now: () => Date;
}

/** The data from the buyer's form. */
export interface AddedTaxId {
  taxId: string;
  businessName: string;
}

/** The result for the buyer. After `taken`, the link stops working. */
export type AddedOutcome = 'taken' | 'invalid' | 'unanswered' | 'closed';

/**
 * Finds the payment of a link, if its invoice can still get a tax id. Undefined if it already has one, if nothing is
 * left to correct, or if its buyer was erased. Throws NOT_FOUND if the link was not made by this stack, or is too old.
 */
export async function openTaxIdLink(
  { payments, linkSecret, now }: Pick<AddTaxIdDeps, 'payments' | 'linkSecret' | 'now'>,
  { paymentId, token }: { paymentId: string; token: string },
): Promise<Payment | undefined> {
  const secret = await linkSecret();
  if (!secret || !isTaxIdToken(token, paymentId, { now: now(), secret })) throw notFound('link', paymentId);
  const payment = await payments.find(paymentId);
  return payment && takesTaxId(payment) ? payment : undefined;
}

/**
 * Accepts a buyer's late tax id, only once. It checks the id and stores what the id changes. The sweep corrects the
 * invoice if no tax changes, or if the merchant has allowed it. Otherwise the merchant decides.
 */
export async function addTaxId(
  deps: AddTaxIdDeps,
  link: { paymentId: string; token: string },
  added: AddedTaxId,
): Promise<AddedOutcome> {
  const opened = await openTaxIdLink(deps, link);
  if (!opened) return 'closed';
  const taxId = await deps.checkTaxId(added.taxId, opened.billing.country).catch((error: unknown) => {
    if (hasCode(error, 'INVALID_TAX_ID')) return undefined;
    throw error;
  });
  if (!taxId) return 'invalid';
  if (awaitsRegister(taxId)) return 'unanswered';
  const settings = await deps.taxSettings();
  return retryStale(async () => {
    const payment = await openTaxIdLink(deps, link);
    if (!payment) return 'closed';
    const at = deps.now().toISOString();
    const proposed = proposalFor(payment, { taxId, businessName: added.businessName }, settings);
    await deps.payments.save({ ...payment, correction: { ...proposed, cause: 'buyer', at }, recheckAt: at });
    return 'taken';
  });
}
