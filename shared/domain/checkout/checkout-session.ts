import * as z from 'zod';
import { AdjustableQuantity } from '../catalogue/adjustable-quantity.ts';
import { leastOf, Price } from '../catalogue/price.ts';
import { Metadata } from '../catalogue/product.ts';
import { ProductDelivery } from '../catalogue/product-delivery.ts';
import { Wish } from '../catalogue/wish.ts';
import { AttachedDiscount } from '../discounts/attached-discount.ts';
import { hourMs } from '../duration.ts';
import { LineEntitlement } from '../entitlements/line-entitlement.ts';
import { DomainError } from '../errors.ts';
import { supplyKinds } from '../withdrawal/supply.ts';
import { BillingAddress, Customer, TaxIdCheck } from './buyer.ts';
import { taxCategories } from './tax.ts';

const sessionHours = 24;
export const maxAttempts = 10;
/**
 * The most charges that a session may start. It includes charges that do not count as an attempt: closed, expired or
 * refused by the processor.
 */
export const maxStarted = 40;

/**
 * The states of a charge, as sessions, lists and the API show them. `requires_customer_action` means that the buyer
 * pays at the processor.
 */
export const chargeStatuses = ['processing', 'requires_customer_action', 'succeeded', 'failed', 'cancelled'] as const;
export type ChargeStatus = (typeof chargeStatuses)[number];

/** A product as it was when the session was created. Later changes to the product do not affect it. */
export const SessionLine = z.object({
  productId: z.string(),
  name: z.string(),
  description: z.string(),
  image: z.string().nullable(),
  taxCategory: z.enum(taxCategories),
  /**
   * Whether the law of withdrawal treats the line as digital content or as a service. If absent, the tax category
   * decides.
   */
  supply: z.enum(supplyKinds).optional(),
  price: Price,
  quantity: z.int().min(1),
  /** The quantities that the buyer may choose from; absent if the quantity is fixed. */
  adjustable: AdjustableQuantity.optional(),
  /** How the buyer gets the product after paying; absent if the page does not say. */
  delivery: ProductDelivery.optional(),
  /** What the line gives to its buyer; absent if nothing. */
  entitlements: z.array(LineEntitlement).optional(),
  /** The amount per unit that the integrator fixed, for pay what you want; null if the buyer chooses. */
  amount: z.int().nullable(),
  /**
   * The version of the product's offer, which has its prices for other markets. Absent if there are none, or the
   * buyer cannot choose them, and in version 0.2.
   */
  offer: z.string().optional(),
  /** The amount per unit that the link proposes, which the buyer can change; absent if none. */
  wish: Wish.optional(),
});
export type SessionLine = z.infer<typeof SessionLine>;

/** The possible markets of a session whose products have localized prices, and the market that its lines use. */
export const SessionMarket = z.object({
  /** The currencies in which every line has a price in that country. */
  currencies: z.array(z.string()),
  /** The country of the prices; absent if none was given. */
  country: z.string().optional(),
  /** Whether the request or the buyer chose the currency, so a country does not change it. */
  isChosen: z.literal(true).optional(),
  /** Whether the buyer may choose another currency; absent means yes. */
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
  /** A tax id that a register has confirmed for this session, so the register is not asked again. */
  provenTaxId: TaxIdCheck.optional(),
  returnUrl: z.string().nullable(),
  cancelUrl: z.string().nullable(),
  metadata: Metadata,
  createdAt: z.string(),
  expiresAt: z.string(),
  /** The number of charges that were started. The id of each payment is derived from it. */
  attempts: z.int(),
  /** How many of these charges do not count as an attempt of the buyer; absent means none. */
  spared: z.int().optional(),
  /** The id of the successful payment, or of the latest one if none succeeded. The next field is its state. */
  paymentId: z.string().nullable(),
  paymentStatus: z.enum(chargeStatuses).nullable(),
  /**
   * The customer of that payment. The API shows this customer. The page does not, because anyone who knows its address
   * can open it.
   */
  payer: Customer.pick({ email: true, name: true }).optional(),
  /** The version of the rate table that was deployed when the session was opened. The session keeps using it. */
  tableVersion: z.string(),
  /**
   * The instant and place of the rates that the buyer saw, if rates can change. The session keeps these rates until
   * it expires.
   */
  quoted: z.object({ at: z.string(), place: z.string() }).nullable(),
  /** The integrator's codes, then the buyer's, with their terms at the time when they were added. Absent if none. */
  discounts: z.array(AttachedDiscount).optional(),
  /** Whether the buyer may enter codes; absent means yes. */
  takesCodes: z.boolean().optional(),
  /** Whether the buyer may pay by card only; absent means by all methods of the processor. */
  takesCardsOnly: z.literal(true).optional(),
  /**
   * Who asks the buyer for consent to the supply. `integrator` means that the page does not ask. If absent, the page
   * asks.
   */
  consentsBy: z.literal('integrator').optional(),
  /** How many wrong codes the buyer has entered. */
  wrongCodes: z.int().optional(),
  /** The code of the link that opened the session, if it was refused. The page says why. */
  refusedCode: z
    .object({ text: z.string(), reason: z.string(), minimum: z.int().optional(), code: z.string().optional() })
    .optional(),
  /** Whether an event announces that it expired unpaid; absent means no. */
  announcesExpiry: z.boolean().optional(),
  /** The market. Absent if the products have no localized prices, or an amount is fixed, which fixes the currency. */
  market: SessionMarket.optional(),
  /** The latest session that its recovery link has opened; absent if none. */
  recoveredBy: z.string().optional(),
  /**
   * A hash that recognizes a repetition of the request with the same idempotency key. Absent if the request had no key.
   */
  requestMark: z.string().optional(),
  /** A secret in the page's form, so only a buyer who saw the page can post it. */
  formToken: z.string(),
  /** How often this row was written; 0 before the first write. A writer that read an older version fails. */
  version: z.int(),
});
export type CheckoutSession = z.infer<typeof CheckoutSession>;

/**
 * The address of the customer that the integrator named, which the buyer cannot change; null if the buyer enters it.
 */
export const settledEmail = ({ customer }: Pick<CheckoutSession, 'customer'>): string | null =>
  (customer.id && customer.email) || null;

/**
 * The id of the customer that the integrator named, for payments with this address. It stays the same if the customer's
 * address changes later.
 */
export const settledCustomerId = (session: Pick<CheckoutSession, 'customer'>, email: string): string | undefined =>
  settledEmail(session) === email ? session.customer.id : undefined;

export type SessionFields = Pick<
  CheckoutSession,
  'customer' | 'billing' | 'taxId' | 'businessName' | 'provenTaxId' | 'returnUrl' | 'cancelUrl' | 'metadata'
>;

/**
 * Whether every possible purchase of a session costs money. False if all products are free, or if the buyer may choose
 * 0.
 */
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

/** The status to show: an open session expires at its time, unless a charge is still processing. */
export function sessionStatus(session: CheckoutSession, now: Date): CheckoutSession['status'] {
  const isOver = now.toISOString() >= session.expiresAt && !isBeingPaid(session);
  return session.status === 'open' && isOver ? 'expired' : session.status;
}

/**
 * Whether a payment of the session has begun but not ended. A stored session can be outdated: its payment's row has
 * the current state.
 */
export const isBeingPaid = ({ paymentStatus }: Pick<CheckoutSession, 'paymentStatus'>): boolean =>
  paymentStatus === 'processing' || paymentStatus === 'requires_customer_action';

/** Whether the session is paid, or being paid. */
export const hasItsPayment = (session: CheckoutSession): boolean =>
  session.status === 'completed' || isBeingPaid(session);

/** Whether the session has no attempt left. */
export const isExhausted = ({ attempts, spared = 0 }: CheckoutSession): boolean =>
  attempts - spared >= maxAttempts || attempts >= maxStarted;

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

/** What a session stores about its charge. */
export interface SessionCharge {
  id: string;
  status: ChargeStatus;
  customer: Customer;
  /** Whether the charge has ended without counting as an attempt of the buyer. */
  isSpared?: boolean;
}

/** The session after a charge: success completes it, any other end leaves it open for another attempt. */
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
