import { createHash } from 'node:crypto';
import type { PolicyVersion } from '../catalogue/policies.ts';
import type { Consent, SupplyConsent } from '../checkout/consent.ts';
import type { Confirmed } from '../orders/mail-notes.ts';
import type { Payment } from '../payments/payment.ts';
import { isConsumerPayment } from './consumer-area.ts';
import { type SupplyKind, supplyOf } from './supply.ts';

/**
 * What a seller must confirm to a consumer on a durable medium, besides the order (Directive 2011/83/EU, art. 8(7)). It
 * consists of the instructions about withdrawal, the buyer's consents, and the seller's texts at that time.
 */
export interface Confirmation {
  supplies: readonly SupplyKind[];
  consents: readonly Pick<Consent | SupplyConsent, 'language' | 'text' | 'at'>[];
  texts: readonly PolicyVersion[];
  /** Whether all texts were found. If one is missing, the confirmation proves nothing. */
  isWhole: boolean;
}

/** An order with the confirmation that the mail service has accepted. */
export type ConfirmedOrder = Pick<Payment, 'id' | 'documentSecret'> & { confirmed: Confirmed };

/** The seller's texts that belong to a contract, in the order of the confirmation. */
const confirmedKinds = ['terms', 'refunds', 'withdrawal'] as const;

/** The hashes of the seller's texts in the confirmation of a payment. */
export const confirmedTexts = ({ policies = {} }: Pick<Payment, 'policies'>): string[] =>
  confirmedKinds.flatMap((kind) => policies[kind] ?? []);

/** The confirmation of a sale to a consumer, with its texts; undefined for any other sale. */
export function confirmationOf(
  payment: Pick<
    Payment,
    'status' | 'lines' | 'billing' | 'evidence' | 'taxId' | 'consents' | 'supplyConsents' | 'policies'
  >,
  texts: readonly PolicyVersion[],
): Confirmation | undefined {
  if (!isConfirmedSale(payment)) return undefined;
  const { lines, consents = [], supplyConsents = [] } = payment;
  return {
    supplies: [...new Set(lines.map(supplyOf))],
    consents: [...consents, ...supplyConsents],
    texts,
    isWhole: texts.length === confirmedTexts(payment).length,
  };
}

/** Whether the buyer of a sale gets a confirmation of the contract. */
export const isConfirmedSale = (payment: Pick<Payment, 'status' | 'billing' | 'evidence' | 'taxId'>): boolean =>
  payment.status === 'succeeded' && isConsumerPayment(payment);

/**
 * The hash by which notes about mails identify a confirmation: the first 24 bytes of the SHA-256 of its text, in
 * base64url.
 */
export const confirmationHash = (text: string): string =>
  createHash('sha256').update(text).digest().subarray(0, 24).toString('base64url');
