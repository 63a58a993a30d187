import * as z from 'zod';
import { AdjustableQuantity } from '../catalogue/adjustable-quantity.ts';
import { leastOf, Price } from '../catalogue/price.ts';
import { Metadata } from '../catalogue/product.ts';
import { ProductDelivery } from '../catalogue/product-delivery.ts';
import { Wish } from '../catalogue/wish.ts';
import { AttachedDiscount } from '../discounts/attached-discount.ts';
import { hourMs } from '../duration.ts';
import { DomainError } from '../errors.ts';
import { BillingAddress, Customer, TaxIdCheck } from './buyer.ts';
import { taxCategories } from './tax.ts';

const sessionHours = 24;
export const maxAttempts = 10;
/** Bounds the attempts that cost nothing as well: those that were closed, expired or refused by the processor. */
export const maxBegun = 40;

/** The states of a charge, as its session, lists and the wire tell them. `requires_customer_action`: the buyer pays at the processor. */
export const chargeStatuses = ['processing', 'requires_customer_action', 'succeeded', 'failed', 'cancelled'] as const;
export type ChargeStatus = (typeof chargeStatuses)[number];

/** A product as it was when the session was created. Later changes to the product do not affect it. */
export const SessionLine = z.object({
  productId: z.string(),
  name: z.string(),
  description: z.string(),
  image: z.string().nullable(),
  taxCategory: z.enum(taxCategories),
  price: Price,
  quantity: z.int().min(1),
  /** How many units the buyer may choose instead; absent: none. */
  adjustable: AdjustableQuantity.optional(),
  /** How the buyer gets it once it is paid; absent: the page does not say. */
  delivery: ProductDelivery.optional(),
  /** The amount per unit that the integrator locked, for pay what you want; null: the buyer chooses. */
  amount: z.int().nullable(),
  /** The version of the product's offer, which has its other prices; absent: it has none, or they cannot be chosen. In version 0.2 no line names one. */
  offer: z.string().optional(),
  /** The amount per unit that the link proposes, which the buyer can change; absent: none. */
  wish: Wish.optional(),
});
export type SessionLine = z.infer<typeof SessionLine>;

/** The markets of a session whose products have localized prices, and the one whose prices its lines have. */
export const SessionMarket = z.object({
  /** The currencies in which every line has a price there. */
  currencies: z.array(z.string()),
  /** The country of the prices; absent: none was said. */
  country: z.string().optional(),
  /** Whether the currency was chosen, by the request or the buyer, so that a country does not change it. */
  isChosen: z.literal(true).optional(),
  /** Whether the buyer may choose another currency; absent: yes. */
  isOffered: z.literal(false).optional(),
});
export type SessionMarket = z.infer<typeof SessionMarket>;

export const CheckoutSession = z.object({
  id: z.string(),
  status: z.enum(['open', 'completed', 'expired']),
  currency: z.string(),
  brandId: z.string(),
  lines: z.array(SessionLine),
  customer: Customer.partial(),
  billing: BillingAddress.partial(),
  taxId: z.string().nullable(),
  businessName: z.string().nullable(),
  /** A tax id that a register has confirmed for this session, which is not asked for again. */
  provenTaxId: TaxIdCheck.optional(),
  returnUrl: z.string().nullable(),
  cancelUrl: z.string().nullable(),
  metadata: Metadata,
  createdAt: z.string(),
  expiresAt: z.string(),
  /** Counts the charges that were tried. The id of a payment is derived from it. */
  attempts: z.int(),
  /** Those of them that cost the buyer no attempt; absent in version 0.1: none. */
  spared: z.int().optional(),
  /** The successful payment or the latest one, and its state. */
  paymentId: z.string().nullable(),
  paymentStatus: z.enum(chargeStatuses).nullable(),
  /**
   * The customer of that payment. The API shows it; the page does not, because everybody with its address can open
   * it.
   */
  payer: Customer.pick({ email: true, name: true }).optional(),
  /** The table of rates that was deployed when the session was opened, which it keeps. Sessions of version 0.1 do not name theirs. */
  tableVersion: z.string().optional(),
  /** The instant and the place of the rates that the buyer saw, where another instant has others. The session keeps them until it expires. */
  quoted: z.object({ at: z.string(), place: z.string() }).nullable(),
  /** The codes of the integrator, then those of the buyer, on the terms of when they came. Absent: none. */
  discounts: z.array(AttachedDiscount).optional(),
  /** Whether the buyer may enter codes; absent: yes. */
  takesCodes: z.boolean().optional(),
  /** How many wrong codes the buyer has entered. */
  wrongCodes: z.int().optional(),
  /** The code of the link that opened it, where it was refused, for the page to say why. */
  refusedCode: z.object({ text: z.string(), reason: z.string(), minimum: z.int().optional() }).optional(),
  /** Whether an event tells that it expired unpaid; absent: no, as in version 0.1. */
  announcesExpiry: z.boolean().optional(),
  /** Absent: the products have no localized prices, or an amount is locked, so that the currency stays. */
  market: SessionMarket.optional(),
  /** The session that its recovery link has opened last; absent: none. */
  recoveredBy: z.string().optional(),
  /** Tells a repetition of the request that opened it under an idempotency key; absent: it came without one. */
  requestMark: z.string().optional(),
  /** A secret in the page's form, so only a buyer who saw the page can post it. */
  formToken: z.string(),
  /** Counts the writes; 0 before the first one. */
  version: z.int(),
});
export type CheckoutSession = z.infer<typeof CheckoutSession>;

/** The address of a customer whom the integrator knows, which the buyer cannot change; null if the buyer enters it. */
export const settledEmail = ({ customer }: Pick<CheckoutSession, 'customer'>): string | null =>
  (customer.id && customer.email) || null;

/** The id of that customer, who pays with this address. It stays the same when the address becomes another one. */
export const settledCustomerId = (session: Pick<CheckoutSession, 'customer'>, email: string): string | undefined =>
  settledEmail(session) === email ? session.customer.id : undefined;

export type SessionFields = Pick<
  CheckoutSession,
  'customer' | 'billing' | 'taxId' | 'businessName' | 'provenTaxId' | 'returnUrl' | 'cancelUrl' | 'metadata'
>;

/** Whether a session cannot be bought for nothing: free products, and prices of which the buyer may choose 0, can. */
export const costsSomething = ({ lines }: Pick<CheckoutSession, 'lines'>): boolean =>
  lines.some(({ price, amount }) => (amount ?? leastOf(price)) > 0);

export function openSession(
  lines: SessionLine[],
  fields: SessionFields,
  origin: Pick<CheckoutSession, 'id' | 'formToken' | 'brandId' | 'tableVersion' | 'announcesExpiry'> & { now: Date },
): CheckoutSession {
  const { now, ...others } = origin;
  const expiresAt = new Date(now.getTime() + sessionHours * hourMs).toISOString();
  return {
    ...fields,
    ...others,
    status: 'open',
    currency: (lines[0] as SessionLine).price.currency,
    lines,
    createdAt: now.toISOString(),
    expiresAt,
    attempts: 0,
    paymentId: null,
    paymentStatus: null,
    quoted: null,
    version: 0,
  };
}

/** The status that a reader sees: an open session expires at its time, unless a charge is still processing. */
export function sessionStatus(session: CheckoutSession, now: Date): CheckoutSession['status'] {
  const isOver = now.toISOString() >= session.expiresAt && !isBeingPaid(session);
  return session.status === 'open' && isOver ? 'expired' : session.status;
}

/** Whether a payment of the session has begun and not ended. In a stored session, its payment says what became of it. */
export const isBeingPaid = ({ paymentStatus }: Pick<CheckoutSession, 'paymentStatus'>): boolean =>
  paymentStatus === 'processing' || paymentStatus === 'requires_customer_action';

/** Whether the session is paid, or being paid. */
export const hasItsPayment = (session: CheckoutSession): boolean =>
  session.status === 'completed' || isBeingPaid(session);

/** Whether the session has no attempt left. */
export const isExhausted = ({ attempts, spared = 0 }: CheckoutSession): boolean =>
  attempts - spared >= maxAttempts || attempts >= maxBegun;

function whyConsumed(session: CheckoutSession): string {
  if (session.status === 'completed') return 'is already paid';
  return isBeingPaid(session)
    ? 'is being paid: its payment has begun and has not ended'
    : `has used its ${maxAttempts} attempts`;
}

/** Refuses to charge a session that is paid, being paid, out of attempts or expired. */
export function assertPayable(session: CheckoutSession, now: Date): void {
  if (hasItsPayment(session) || isExhausted(session))
    throw new DomainError('CHECKOUT_SESSION_CONSUMED', `This checkout session ${whyConsumed(session)}.`);
  if (sessionStatus(session, now) === 'expired')
    throw new DomainError('CHECKOUT_SESSION_EXPIRED', 'This checkout session has expired. Create a new one.');
}

/** A charge as its session remembers it. */
export interface SessionCharge {
  id: string;
  status: ChargeStatus;
  customer: Customer;
  /** Whether it has ended without costing the buyer an attempt. */
  isSpared?: boolean;
}

/** The session after a charge: a success completes it, any other end leaves it open for another attempt. */
export function afterPayment(session: CheckoutSession, payment: SessionCharge, isNewAttempt: boolean): CheckoutSession {
  const { email, name } = payment.customer;
  return {
    ...session,
    status: payment.status === 'succeeded' ? 'completed' : session.status,
    attempts: session.attempts + (isNewAttempt ? 1 : 0),
    ...(payment.isSpared ? { spared: (session.spared ?? 0) + 1 } : {}),
    paymentId: payment.id,
    paymentStatus: payment.status,
    payer: { email, name },
  };
}
