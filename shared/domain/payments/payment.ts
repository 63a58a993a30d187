import * as z from 'zod';
import { Metadata } from '../catalogue/product.ts';
import { awaitsRegister, BillingAddress, Customer, TaxIdCheck } from '../checkout/buyer.ts';
import {
  type ChargeStatus,
  type CheckoutSession,
  chargeStatuses,
  type SessionCharge,
} from '../checkout/checkout-session.ts';
import { Consent } from '../checkout/consent.ts';
import { LocationEvidence, withCardCountry } from '../checkout/location-evidence.ts';
import { PricedItem } from '../checkout/priced-item.ts';
import type { Quote } from '../checkout/quote.ts';
import { roundingRules, taxCategories } from '../checkout/tax.ts';
import { discountTypes } from '../discounts/discount-terms.ts';
import { hourMs } from '../duration.ts';
import { Amount } from '../money/money.ts';
import { CorrectionState } from './tax-correction.ts';

/**
 * What was sold, at which price and tax, and how much is still refundable: `gross = refundable + pending +
 * refunded + disputed`.
 */
export const PaymentLine = z.object({
  productId: z.string(),
  name: z.string(),
  description: z.string(),
  taxCategory: z.enum(taxCategories),
  ...PricedItem.shape,
  refundable: Amount,
  pending: Amount,
  refunded: Amount,
  /** What a bank has taken back; 0 in rows of version 0.1. */
  disputed: Amount.default(0),
  /** The tax inside pending, refunded and disputed amounts, and its components in the order of the line's components. */
  returnedTax: Amount,
  returnedComponents: z.array(Amount),
});
export type PaymentLine = z.infer<typeof PaymentLine>;

export const RefundSummary = z.object({
  id: z.string(),
  status: z.enum(['pending', 'succeeded', 'failed']),
  amount: Amount,
  isPartial: z.boolean(),
  reason: z.string().nullable(),
  createdAt: z.string(),
});
export type RefundSummary = z.infer<typeof RefundSummary>;

export const disputeStatuses = ['opened', 'challenged', 'accepted', 'expired', 'won', 'lost', 'cancelled'] as const;

/** `pre_dispute`: the bank inquires and has taken nothing. */
export const disputeStages = ['pre_dispute', 'dispute', 'pre_arbitration'] as const;

export const DisputeSummary = z.object({
  id: z.string(),
  status: z.enum(disputeStatuses),
  stage: z.enum(disputeStages),
  amount: Amount,
  isRefundable: z.boolean(),
  createdAt: z.string(),
});
export type DisputeSummary = z.infer<typeof DisputeSummary>;

/** A code that has lowered a payment, on the terms that held then. */
export const PaymentDiscount = z.object({
  id: z.string(),
  code: z.string(),
  name: z.string().nullable(),
  type: z.enum(discountTypes),
  amount: Amount,
  restrictedTo: z.array(z.string()),
  usageLimit: z.int().nullable(),
  expiresAt: z.string().nullable(),
  createdAt: z.string(),
  /** What it took off the entered amounts. */
  taken: Amount,
  /** How often it had been used, this payment included. */
  timesUsed: z.int(),
});
export type PaymentDiscount = z.infer<typeof PaymentDiscount>;

/** How the figures were calculated; stored with them. */
export const Calculation = z.object({
  taxDate: z.string(),
  tableVersion: z.string(),
  country: z.string(),
  region: z.string().nullable(),
  postalCode: z.string().nullable(),
  /** The rate rows, overrides and registrations that applied. */
  rows: z.array(z.string()),
  registrations: z.array(z.string()),
  warnings: z.array(z.string()),
  /** Why the merchant's own rules exempt the sale, as documents print it. Payments of version 0.1 do not have it. */
  exemptions: z.array(z.string()).optional(),
  /** Which lines were taxed together; absent: those of one rate set and behaviour. */
  rounding: z.enum(roundingRules).optional(),
});
export type Calculation = z.infer<typeof Calculation>;

export const Card = z.object({ lastFour: z.string(), network: z.string(), country: z.string().nullable() });
export type Card = z.infer<typeof Card>;

/** What the processor knows of a card besides what documents print, in few bytes. Null: the processor does not say. */
export const CardDetails = z.object({
  /** `12/2034` */
  expiry: z.string().nullable(),
  /** `credit`, `debit`, `prepaid` */
  funding: z.string().nullable(),
  /** How the buyer's bank checked the buyer: flow, result and version of 3-D Secure; null where it did not. */
  check: z.array(z.string().nullable()).nullable(),
});
export type CardDetails = z.infer<typeof CardDetails>;

/** A charge in any status. Its amounts never change. Only the four counters move, and their sum is the amount. */
export const Payment = z.object({
  id: z.string(),
  sessionId: z.string(),
  brandId: z.string(),
  status: z.enum(['processing', 'succeeded', 'failed', 'cancelled']),
  currency: z.string(),
  net: Amount,
  tax: Amount,
  gross: Amount,
  refundable: Amount,
  pending: Amount,
  refunded: Amount,
  disputed: Amount.default(0),
  lines: z.array(PaymentLine),
  /** The codes that were redeemed, in their order; absent: none. */
  discounts: z.array(PaymentDiscount).optional(),
  refunds: z.array(RefundSummary),
  disputes: z.array(DisputeSummary).default([]),
  customer: Customer,
  billing: BillingAddress,
  taxId: TaxIdCheck.nullable(),
  businessName: z.string().nullable(),
  /** The buyer's language; null if a program paid. */
  language: z.string().nullable().default(null),
  /** What the buyer agreed to, with the words and the time; absent: nothing was asked, or a program paid. */
  consents: z.array(Consent).optional(),
  calculation: Calculation,
  evidence: LocationEvidence,
  processor: z.string(),
  card: Card.nullable(),
  /** Absent where the processor says nothing of it, and in version 0.1. */
  cardDetails: CardDetails.optional(),
  errorCode: z.string().nullable(),
  errorMessage: z.string().nullable(),
  metadata: Metadata,
  /** The secret that opens the payment's documents; null for payments of version 0.1. */
  documentSecret: z.string().nullable().default(null),
  /** The processor's own id of the charge; null until it has answered, absent where it was not asked or by version 0.1. */
  reference: z.string().nullable().optional(),
  /** Where the buyer pays at the processor, and until when: a right to pay, told to the buyer and to keys that write. Absent where it is not open. */
  payAt: z.object({ url: z.string(), until: z.string() }).optional(),
  /** The method that the buyer chose at the processor; absent in version 0.1: a card. */
  method: z.string().optional(),
  /** The processor's id of the money that it took, by which it pays back; absent until then, and in version 0.1. */
  transaction: z.string().optional(),
  /** What the processor keeps, in the currency that it settles in; absent until it is known, and where it keeps nothing. */
  fee: z.object({ amount: Amount, currency: z.string() }).optional(),
  /** Of a payment that we had given up, and that was paid after all: when we heard of it, and whether it was returned in full. */
  late: z.object({ at: z.string(), isReturned: z.boolean() }).optional(),
  /** From when the processor has more to say of a payment that succeeded; absent when all is heard. */
  reviewAt: z.string().optional(),
  /** When the register is asked again about the tax id, of which it has given no verdict. */
  recheckAt: z.string().optional(),
  /** What a tax id changes that was proven after the sale. */
  correction: CorrectionState.optional(),
  /** When the buyer's personal data was erased; absent: it is there. */
  erasedAt: z.string().optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** The number of the payment's events. Each event carries its number. */
  events: z.int(),
  /** Counts the writes; 0 before the first one. */
  version: z.int(),
});
export type Payment = z.infer<typeof Payment>;

/** `tax_id_proven`: a correction is proposed; `tax_id_denied`: a tax was left to a business that its register does not know. */
export const attentions = ['tax_id_proven', 'tax_id_denied'] as const;

/** What the merchant has to decide about a payment, or should know. */
export function attentionOf({ correction, taxId, lines }: Payment): (typeof attentions)[number] | undefined {
  if (correction?.status === 'proposed') return 'tax_id_proven';
  const isRelieved = lines.some(({ components }) => components.some(({ reason }) => reason === 'reverse_charge'));
  return taxId?.status === 'invalid' && isRelieved ? 'tax_id_denied' : undefined;
}

/** The short fields of a payment, which lists and searches use. Older rows have no tax date. */
export const PaymentBrief = Payment.pick({
  id: true,
  brandId: true,
  currency: true,
  gross: true,
  refunded: true,
  createdAt: true,
}).extend({
  status: z.enum(chargeStatuses),
  productIds: z.array(z.string()),
  taxDate: z.string().optional(),
  /** Of the codes that were redeemed; absent: none. */
  discountIds: z.array(z.string()).optional(),
  /** Of the newest dispute; absent where there is none. */
  disputeStatus: z.enum(disputeStatuses).optional(),
  /** What the merchant has to decide, or should know; absent: nothing. */
  attention: z.enum(attentions).optional(),
});
export type PaymentBrief = z.infer<typeof PaymentBrief>;

/** The fields of a listed payment that can be long. */
export const PaymentRest = Payment.pick({
  customer: true,
  processor: true,
  card: true,
  method: true,
  metadata: true,
  documentSecret: true,
});

/** How many of its products a row of a list names. */
export const mostNamed = 2;

export const namedProducts = (productIds: readonly string[]): readonly string[] => productIds.slice(0, mostNamed);

/** A payment in a list. */
export const PaymentRow = PaymentBrief.extend(PaymentRest.shape);
export type PaymentRow = z.infer<typeof PaymentRow>;

export const paymentRow = (payment: Payment): PaymentRow =>
  PaymentRow.parse({
    ...payment,
    status: chargeStatusOf(payment),
    productIds: payment.lines.map((line) => line.productId),
    discountIds: payment.discounts?.map(({ id }) => id),
    taxDate: payment.calculation.taxDate,
    disputeStatus: payment.disputes.at(-1)?.status,
    attention: attentionOf(payment),
  });

/** The processor's result of a charge. */
export interface ChargeOutcome {
  status: Payment['status'];
  card: Card | null;
  cardDetails?: CardDetails;
  errorCode: string | null;
  errorMessage: string | null;
  /** The processor's id of the charge, where it has given one. */
  reference?: string;
  /** The processor's id of the money that it took. */
  transaction?: string;
  /** The method that the buyer chose there. */
  method?: string;
  /** Where the buyer goes on. */
  payAt?: Payment['payAt'];
  fee?: Payment['fee'];
  /** Whether the processor has more to say of it, such as a dispute. */
  hasMore?: boolean;
}

export interface Sale {
  session: CheckoutSession;
  quote: Quote;
  /** What each code of the session takes off. */
  taken?: readonly number[];
  customer: Customer;
  billing: BillingAddress;
  taxId: TaxIdCheck | null;
  businessName: string | null;
  language: string | null;
  consents?: Consent[] | undefined;
  calculation: Calculation;
  evidence: LocationEvidence;
}

/** For how long the processor takes the money of a payment that has begun. */
const payHours = 2;

/** The payment of a sale as it begins; what has not succeeded has nothing to refund yet. */
export function createPayment(
  { session, quote, taken = [], ...sale }: Sale,
  outcome: ChargeOutcome,
  { id, now, processor, documentSecret }: { id: string; now: string; processor: string; documentSecret: string },
): Payment {
  const lines = session.lines.map((line, index) => soldLine(line, quote.lines[index]));
  const { net, tax, gross } = quote;
  const discounts = redeemed(session, taken);
  const { metadata, currency, brandId } = session;
  const origin = { id, sessionId: session.id, brandId, processor, metadata, currency, documentSecret };
  const asked = outcome.status === 'processing' ? { reference: null } : {};
  const recheck = sale.taxId && awaitsRegister(sale.taxId) ? { recheckAt: nextRecheck(now, now) } : {};
  const stamps = { ...asked, ...recheck, createdAt: now, updatedAt: now, events: 0, version: 0 };
  const counters = { refundable: gross, pending: 0, refunded: 0, disputed: 0 };
  return {
    ...origin,
    ...sale,
    ...stamps,
    ...outcome,
    net,
    tax,
    gross,
    ...counters,
    lines,
    ...discounts,
    refunds: [],
    disputes: [],
  };
}

/** The codes that take something off. What takes nothing is not used up. */
function redeemed({ discounts = [] }: CheckoutSession, taken: readonly number[]): Pick<Payment, 'discounts'> {
  const used = discounts
    .map((discount, index) => PaymentDiscount.parse({ ...discount, taken: taken[index] ?? 0, timesUsed: 0 }))
    .filter((discount) => discount.taken > 0);
  return used.length > 0 ? { discounts: used } : {};
}

/** Whether a payment counts as a use of its codes: it may still succeed, or has, and its money was not sent back at once. */
export const holdsItsCodes = ({ status, late }: Pick<Payment, 'status' | 'late'>): boolean =>
  status === 'processing' || (status === 'succeeded' && !late?.isReturned);

function soldLine(line: CheckoutSession['lines'][number], priced: PricedItem | undefined): PaymentLine {
  const { productId, name, description, taxCategory } = line;
  if (!priced) throw new RangeError(`The quote has no line of ${productId}.`);
  const counters = { refundable: priced.gross, pending: 0, refunded: 0, disputed: 0 };
  const returned = { returnedTax: 0, returnedComponents: priced.components.map(() => 0) };
  return { productId, name, description, taxCategory, ...priced, ...counters, ...returned };
}

const recheckHours = [1, 6, 24, 72];

/** When a register is asked next about the id of a sale; undefined after the last time. */
export const nextRecheck = (soldAt: string, now: string): string | undefined =>
  recheckHours.map((hours) => new Date(Date.parse(soldAt) + hours * hourMs).toISOString()).find((at) => at > now);

/** Whether the processor has not answered yet: the charge may never have arrived. */
export const isStarting = ({ status, reference }: Payment): boolean => status === 'processing' && reference === null;

const momentMs = 60_000;

/** Whether the answer is not near any more: the method that the buyer chose at the processor takes days, or a card takes longer than it should. */
export const takesItsTime = (payment: Payment, now: Date): boolean =>
  payment.status === 'processing' &&
  !isStarting(payment) &&
  (payment.card === null || now.getTime() - Date.parse(payment.createdAt) > momentMs);

/** The state of a charge as others see it. */
export const chargeStatusOf = ({ status, payAt }: Pick<Payment, 'status' | 'payAt'>): ChargeStatus =>
  payAt ? 'requires_customer_action' : status;

/** What its session remembers. An end before any money was asked for costs the buyer no attempt: closed, expired, or refused by the processor. */
export const sessionChargeOf = (payment: Payment): SessionCharge => ({
  id: payment.id,
  customer: payment.customer,
  status: chargeStatusOf(payment),
  isSpared: payment.status === 'cancelled' || (payment.status === 'failed' && payment.reference === null),
});

/** Until when the processor takes the money of a payment. */
export const payUntil = ({ createdAt }: Payment): string =>
  new Date(Date.parse(createdAt) + payHours * hourMs).toISOString();

/**
 * The next state of a processing payment: open at the processor, in its hands, or ended. Undefined when the outcome is
 * nothing new.
 */
export function settledPayment(
  { payAt, ...payment }: Payment,
  outcome: ChargeOutcome,
  now: string,
): Payment | undefined {
  const isTakenOn = isStarting(payment) && outcome.reference !== undefined;
  const isOutOfTheBuyersHands = payAt !== undefined && !outcome.payAt;
  const isNew = outcome.status !== 'processing' || isTakenOn || isOutOfTheBuyersHands;
  if (payment.status !== 'processing' || !isNew) return undefined;
  const { hasMore = false, ...said } = outcome;
  const card = outcome.card ?? payment.card;
  const evidence = withCardCountry(payment.evidence, card?.country ?? null);
  return { ...payment, ...said, card, evidence, ...(hasMore ? { reviewAt: now } : {}), updatedAt: now };
}

/** A payment that had ended without money, and succeeded after all. Undefined when the processor says nothing like it. */
export function latePayment(payment: Payment, outcome: ChargeOutcome, now: string): Payment | undefined {
  if (outcome.status !== 'succeeded') return undefined;
  const late = { at: now, isReturned: false };
  return settledPayment({ ...payment, status: 'processing', late }, outcome, now);
}

/** `full` or `partial`, counting succeeded refunds; null if there is none. */
export function refundStatus(payment: Pick<Payment, 'refunded' | 'gross'>): 'full' | 'partial' | null {
  if (payment.refunded === 0) return null;
  return payment.refunded === payment.gross ? 'full' : 'partial';
}
