import { awaitsRegister, type BillingAddress, type Customer, type TaxIdCheck } from '../checkout/buyer.ts';
import {
  afterPayment,
  type ChargeStatus,
  type CheckoutSession,
  type SessionCharge,
} from '../checkout/checkout-session.ts';
import type { Consent, SupplyConsent } from '../checkout/consent.ts';
import { type LocationEvidence, withCardCountry } from '../checkout/location-evidence.ts';
import type { PricedItem } from '../checkout/priced-item.ts';
import type { Quote } from '../checkout/quote.ts';
import { dayMs, hourMs } from '../duration.ts';
import type { ChargeState, PaidBy } from './charge-state.ts';
import { type Calculation, type Card, type Payment, PaymentDiscount, type PaymentLine } from './payment.ts';

/** The first state of a payment, before a request is sent to the processor. */
export type ChargeStart = Pick<Payment, 'status' | 'card' | 'errorCode' | 'errorMessage'>;

export interface Sale {
  session: CheckoutSession;
  quote: Quote;
  /** How much each code of the session takes off. */
  taken?: readonly number[];
  customer: Customer;
  billing: BillingAddress;
  taxId: TaxIdCheck | null;
  businessName: string | null;
  language: string | null;
  consents?: Consent[] | undefined;
  supplyConsents?: SupplyConsent[] | undefined;
  payLabel?: string | undefined;
  press?: string | undefined;
  policies?: Record<string, string> | undefined;
  statementSuffix?: string | undefined;
  calculation: Calculation;
  homeSale?: { year: string; amount: number } | undefined;
  evidence: LocationEvidence;
}

/** For how many hours after its start a payment can be paid at the processor. */
const payHours = 2;

/** The payment of a sale at its start. Nothing is refundable until it succeeds. */
export function createPayment(
  { session, quote, taken = [], homeSale, ...sale }: Sale,
  start: ChargeStart,
  { id, now, processor, documentSecret }: { id: string; now: string; processor: string; documentSecret: string },
): Payment {
  const lines = session.lines.map((line, index) => soldLine(line, quote.lines[index]));
  const { net, tax, gross } = quote;
  const discounts = redeemed(session, taken);
  const { metadata, currency, brandId, takesCardsOnly } = session;
  const cards = takesCardsOnly && { takesCardsOnly };
  const origin = { id, sessionId: session.id, brandId, processor, metadata, currency, documentSecret, ...cards };
  const asked = start.status === 'processing' ? { reference: null, asksBy: 'lines' as const } : {};
  const recheck = sale.taxId && awaitsRegister(sale.taxId) ? { recheckAt: nextRecheck(now, now) } : {};
  const stamps = { ...asked, ...recheck, createdAt: now, updatedAt: now, events: 0, version: 0 };
  const counters = { refundable: gross, pending: 0, refunded: 0, disputed: 0 };
  return {
    ...origin,
    ...sale,
    ...(homeSale && { homeSale: { ...homeSale, isCounted: true } }),
    ...stamps,
    ...start,
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

/** The codes that lower the price. The others are not redeemed, so they do not lose a use. */
function redeemed({ discounts = [] }: CheckoutSession, taken: readonly number[]): Pick<Payment, 'discounts'> {
  const used = discounts
    .map((discount, index) => PaymentDiscount.parse({ ...discount, taken: taken[index] ?? 0, timesUsed: 0 }))
    .filter((discount) => discount.taken > 0);
  return used.length > 0 ? { discounts: used } : {};
}

/**
 * Whether a payment counts as a use of its codes. It does while it may succeed, and after success unless its money was
 * returned at once.
 */
export const holdsItsCodes = ({ status, late }: Pick<Payment, 'status' | 'late'>): boolean =>
  status === 'processing' || (status === 'succeeded' && !late?.isReturned);

/**
 * Whether the yearly count of a small seller's sales is out of date for this payment. A failed payment must be taken
 * out, and one that succeeds after that must be added. A refund changes nothing.
 */
export const lagsBehindCount = ({ homeSale, status }: Pick<Payment, 'homeSale' | 'status'>): boolean =>
  homeSale !== undefined && homeSale.isCounted !== (status === 'processing' || status === 'succeeded');

function soldLine(line: CheckoutSession['lines'][number], priced: PricedItem | undefined): PaymentLine {
  const { productId, name, description, image, taxCategory, supply, entitlements } = line;
  if (!priced) throw new RangeError(`The quote has no line of ${productId}.`);
  const counters = { refundable: priced.gross, pending: 0, refunded: 0, disputed: 0 };
  const returned = { returnedTax: 0, returnedComponents: priced.components.map(() => 0) };
  const gives = entitlements ? { entitlements } : {};
  const told = { productId, name, description, ...(image && { image }), taxCategory, ...(supply && { supply }) };
  return { ...told, ...priced, ...gives, ...counters, ...returned };
}

const recheckHours = [1, 6, 24, 72];

/** When the register is asked again about the tax id of a sale; undefined after the last time. */
export const nextRecheck = (soldAt: string, now: string): string | undefined =>
  recheckHours.map((hours) => new Date(Date.parse(soldAt) + hours * hourMs).toISOString()).find((at) => at > now);

/** Whether the processor has not answered yet. The request may never have reached it. */
export const isStarting = ({ status, reference }: Payment): boolean => status === 'processing' && reference === null;

/** The processor's id of the charge; empty if it has none. */
export const chargeReferenceOf = ({ reference }: Pick<Payment, 'reference'>): string => reference ?? '';

const minuteMs = 60_000;
const momentMs = minuteMs;

/** Whether a payment takes long: the buyer's method takes days, or a card takes longer than normal. */
export const takesItsTime = (payment: Payment, now: Date): boolean =>
  payment.status === 'processing' &&
  !isStarting(payment) &&
  (payment.card === null || now.getTime() - Date.parse(payment.createdAt) > momentMs);

/** After how many hours an open payment counts as stuck. The processor ends it after two. */
const openHours = 3;
const processingDays = 14;

/**
 * Whether a payment is open longer than the processor allows: a few hours for an open one, two weeks for a bank
 * transfer or a debit.
 */
export function isStuck(payment: Payment, now: Date): boolean {
  const isOpen = payment.payAt !== undefined || isStarting(payment);
  const patienceMs = isOpen ? openHours * hourMs : processingDays * dayMs;
  return payment.status === 'processing' && now.getTime() - Date.parse(payment.createdAt) > patienceMs;
}

/** The public status of a charge. */
export const chargeStatusOf = ({ status, payAt }: Pick<Payment, 'status' | 'payAt'>): ChargeStatus =>
  payAt ? 'requires_customer_action' : status;

/**
 * What the session stores about its charge. A charge that was closed, expired or refused by the processor does not
 * count as an attempt of the buyer.
 */
export const sessionChargeOf = (payment: Payment): SessionCharge => ({
  id: payment.id,
  customer: payment.customer,
  status: chargeStatusOf(payment),
  isSpared: payment.status === 'cancelled' || (payment.status === 'failed' && payment.reference === null),
});

/**
 * A session, updated with the state of its payment. The stored session is rewritten only when a payment ends without
 * success and allows another attempt. This saves a write in all other cases.
 */
export const withItsCharge = (session: CheckoutSession, payment: Payment): CheckoutSession =>
  afterPayment(session, sessionChargeOf(payment), false);

/** Whether a payment has ended so that its session can be paid with another attempt. */
export const freesItsSession = ({ status }: Payment): boolean => status === 'failed' || status === 'cancelled';

/** The time until which a payment can be paid at the processor. */
export const payUntil = ({ createdAt }: Payment): string =>
  new Date(Date.parse(createdAt) + payHours * hourMs).toISOString();

/**
 * After how many minutes the processor is asked about an open payment. Most payments are reported before. These
 * requests find the ones whose notification was lost.
 */
const askMinutes = [2, 5, 15, 60];
/** How long after the end of the buyer's time the processor is asked a last time. */
const closedAfterMs = 60_000;

/** When the processor is next asked about an open payment; undefined if it is not open, or all these times are over. */
export function nextAskAbout({ createdAt, payAt }: Payment, now: string): string | undefined {
  if (!payAt) return undefined;
  const times = [
    ...askMinutes.map((minutes) => Date.parse(createdAt) + minutes * minuteMs),
    Date.parse(payAt.until) + closedAfterMs,
  ];
  return times.map((at) => new Date(at).toISOString()).find((at) => at > now);
}

/**
 * The next state of a processing payment: open at the processor, in progress, or ended. Undefined if the processor
 * reports nothing new.
 */
export function settledPayment({ payAt, ...payment }: Payment, state: ChargeState, now: string): Payment | undefined {
  const isTakenOn = isStarting(payment) && state.status !== 'refused';
  const isOutOfTheBuyersHands = payAt !== undefined && state.status !== 'open';
  const isUnchanged = state.status === 'processing' || state.status === 'open';
  if (payment.status !== 'processing' || (isUnchanged && !isTakenOn && !isOutOfTheBuyersHands)) return undefined;
  const facts = paymentFactsIn(state, now);
  const card = facts.card ?? payment.card;
  const evidence = withCardCountry(payment.evidence, card?.country ?? null);
  return { ...payment, ...facts, card, evidence, updatedAt: now };
}

const undecided = { card: null, errorCode: null, errorMessage: null };

/** The fields of the processor's answer that a payment stores. */
function paymentFactsIn(state: ChargeState, now: string): ChargeStart & Partial<Payment> {
  switch (state.status) {
    case 'succeeded':
      return {
        ...undecided,
        status: 'succeeded',
        reference: state.reference,
        transaction: state.transaction,
        method: state.paidBy.method,
        card: cardOf(state.paidBy),
        ...(state.paidBy.details ? { cardDetails: state.paidBy.details } : {}),
        ...(state.fee ? { fee: state.fee } : {}),
        ...(state.isDisputed || state.fee === null ? { reviewAt: now } : {}),
      };
    case 'open':
      return openFactsIn(state);
    case 'refused':
      return {
        ...undecided,
        status: 'failed',
        errorCode: state.errorCode,
        errorMessage: state.errorMessage,
        ...(state.refusal ? { refusal: state.refusal } : {}),
      };
    default:
      return { ...undecided, ...state };
  }
}

/** The fields of an open charge that a payment stores. */
function openFactsIn({
  reference,
  url,
  expiresAt,
  leftOut,
}: Extract<ChargeState, { status: 'open' }>): ChargeStart & Partial<Payment> {
  const without = leftOut ? { statementRefusal: leftOut } : {};
  return { ...undecided, status: 'processing', reference, payAt: { url, until: expiresAt }, ...without };
}

/**
 * The error codes of a charge that the processor refused to begin: for a fault of the merchant, and for a fault of the
 * buyer.
 */
export const refusalCodes = { request: 'INVALID_REQUEST', buyer: 'INVALID_EMAIL' } as const;

/** Whether the processor refused the charge for a reason that only the merchant can fix. */
export const isForMerchant = ({ errorCode, refusal }: Pick<Payment, 'errorCode' | 'refusal'>): boolean =>
  refusal !== undefined && errorCode === refusalCodes.request;

const cardOf = ({ lastFour, network, country }: PaidBy): Card | null =>
  lastFour === null || network === null ? null : { lastFour, network, country };

/** A payment that had ended without money but then succeeded. Undefined if the processor does not report that. */
export function latePayment(payment: Payment, state: ChargeState, now: string): Payment | undefined {
  if (state.status !== 'succeeded') return undefined;
  const late = { at: now, isReturned: false };
  const kept = payment.erasedAt === undefined ? state : withoutCardDetails(state);
  return settledPayment({ ...payment, status: 'processing', late }, kept, now);
}

/**
 * Removes the card's details from an answer if the payment's details were already erased. A second erasure of the buyer
 * does not look at this payment.
 */
function withoutCardDetails(state: Extract<ChargeState, { status: 'succeeded' }>): ChargeState {
  const { details: _, ...paidBy } = state.paidBy;
  return { ...state, paidBy };
}
