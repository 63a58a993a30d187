import { type BillingAddress, erasedBuyer, erasedTaxId } from '../checkout/buyer.ts';
import type { CheckoutSession } from '../checkout/checkout-session.ts';
import type { Dispute } from '../payments/dispute.ts';
import { isDecided } from '../payments/dispute-standing.ts';
import type { Payment } from '../payments/payment.ts';
import type { Refund } from '../payments/refund.ts';
import * as sentences from '../rules/rule-sentences.ts';
import { type BrokenRule, brokenRule } from '../rules/rules.ts';
import type { Declaration } from '../withdrawal/declaration.ts';
import { isRefundFailed, isUndecided, type WithdrawalCase } from '../withdrawal/withdrawal-case.ts';

/** Keeps only the country, because it says to which state the tax is owed. */
const erasedAddress = ({ country }: BillingAddress): BillingAddress => ({
  country,
  state: null,
  city: null,
  street: null,
  zipcode: null,
});

/**
 * The payment without personal data. It keeps its figures, and the data that tax returns need: the places of the
 * calculation and a business's tax id.
 */
export function erasedPayment(
  { cardDetails: _, recheckAt: __, correction, ...payment }: Payment,
  now: string,
): Payment {
  return {
    ...payment,
    ...(correction ? { correction: { ...correction, taxId: erasedTaxId(correction.taxId), businessName: null } } : {}),
    customer: erasedBuyer(payment.customer),
    billing: erasedAddress(payment.billing),
    taxId: payment.taxId && erasedTaxId(payment.taxId),
    businessName: null,
    language: null,
    metadata: {},
    refunds: payment.refunds.map((refund) => ({ ...refund, reason: null })),
    erasedAt: now,
  };
}

export const erasedDispute = (dispute: Dispute): Dispute => ({ ...dispute, customer: erasedBuyer(dispute.customer) });

/** The session without the data of its buyer. Web addresses are removed too, because they can contain such data. */
export function erasedSession({ payer: _, provenTaxId: __, ...session }: CheckoutSession): CheckoutSession {
  const { id } = session.customer;
  return {
    ...session,
    customer: id === undefined ? {} : { id },
    billing: {},
    taxId: null,
    businessName: null,
    returnUrl: null,
    cancelUrl: null,
    quoted: null,
    metadata: {},
  };
}

/**
 * A declaration of withdrawal without contact data and free texts. It keeps the proof of what was declared: when, how,
 * and for which order and lines.
 */
export const erasedDeclaration = (declaration: Declaration): Declaration => ({
  ...declaration,
  name: '',
  email: '',
  reference: declaration.paymentId ?? '',
});

/** The decision about a declaration of withdrawal, without the notes to the buyer. */
export const erasedCase = (current: WithdrawalCase): WithdrawalCase => ({
  ...current,
  decisions: current.decisions.map((decision) => ({ ...decision, note: null })),
});

/** A payment with its refunds, disputes and other related rows. */
export interface PaidSale {
  payment: Payment;
  refunds: readonly Refund[];
  disputes: readonly Dispute[];
  withdrawals: readonly WithdrawalCase[];
  session: CheckoutSession | undefined;
}

/** Why the buyer's data of a sale must be kept for now; undefined if it can be erased. */
export function whyNeeded({
  payment,
  refunds,
  disputes,
  withdrawals,
}: Omit<PaidSale, 'session'>): BrokenRule | undefined {
  if (payment.status === 'processing') return brokenRule(sentences.erase_payment, { payment: payment.id });
  if (payment.correction?.status === 'proposed') return brokenRule(sentences.erase_correction, { payment: payment.id });
  const pending = refunds.find(({ status }) => status === 'pending');
  if (pending) return brokenRule(sentences.erase_refund, { refund: pending.id });
  const open = disputes.find((dispute) => !isDecided(dispute));
  if (open) return brokenRule(sentences.erase_dispute, { dispute: open.id });
  const undecided = withdrawals.find((current) => isUndecided(current) || isRefundFailed(current, payment));
  return undecided && brokenRule(sentences.erase_withdrawal, { withdrawal: undecided.id });
}
