import type Stripe from 'stripe';
import type { ChargeState, PaidBy, ProcessorFee } from '../../../domain/payments/charge-state.ts';
import type { CardDetails } from '../../../domain/payments/payment.ts';
import { ProcessorError } from '../../../domain/processor.ts';
import type { ChargeAttempt, StartedCharge } from '../payment-processor.ts';
import type { ProcessorConnection } from '../processor-description.ts';
import { fromStripe, isMovable, settledAmount, toStripe } from './amounts.ts';
import { MethodDetails, MethodFacts, StripeBalanceTransaction, StripeIntent, type StripeSession } from './answers.ts';
import { errorCodeOf } from './declines.ts';
import { stripeLocale } from './locale.ts';

/** A time in Stripe's format. */
export const seconds = (instant: string): number => Math.floor(Date.parse(instant) / 1_000);

/** The shop's id, and the addresses to which a buyer comes back. */
export type Storefront = Pick<ProcessorConnection, 'merchantId' | 'returnUrls'>;

/**
 * The parameters of a session. They are the same for every repetition, because Stripe refuses a used key with other
 * parameters.
 */
export function sessionParameters(attempt: ChargeAttempt, { merchantId, returnUrls }: Storefront) {
  const { paymentId, sessionId, locale, statementSuffix, takesCardsOnly, order } = attempt;
  const { returnUrl, cancelUrl } = returnUrls({ sessionId, locale });
  const ids = { ...order?.facts, payment_id: paymentId, merchant_id: merchantId };
  return {
    mode: 'payment',
    ui_mode: 'hosted_page',
    submit_type: 'pay',
    ...(takesCardsOnly ? { payment_method_types: ['card' as const] } : {}),
    line_items: lineItems(attempt),
    ...(order ? { invoice_creation: { enabled: false } } : {}),
    adaptive_pricing: { enabled: false },
    client_reference_id: paymentId,
    metadata: ids,
    payment_intent_data: {
      metadata: ids,
      ...(order ? { description: `${attempt.description} (${paymentId})` } : {}),
      ...(statementSuffix === null ? {} : { statement_descriptor_suffix: statementSuffix }),
    },
    customer_email: attempt.email,
    locale: stripeLocale(locale),
    success_url: returnUrl,
    cancel_url: cancelUrl,
    expires_at: seconds(attempt.expiresAt),
  } satisfies Stripe.Checkout.SessionCreateParams;
}

/**
 * The lines of Stripe's page: one for each line of the order, with its discounted total. If Stripe cannot express a
 * total in its unit, it is one line for everything. Quantities are in the names, because a discounted total need not be
 * a multiple of them.
 */
function lineItems({ amount, currency, description, order }: ChargeAttempt) {
  const lines = order?.lines ?? [];
  const fits = lines.length > 0 && lines.every((line) => isMovable({ amount: line.amount, currency }));
  const whole = { name: description, quantity: 1, amount, image: null };
  return (fits ? lines : [whole]).map(({ name, quantity, amount: total, image }) => ({
    quantity: 1,
    price_data: {
      currency: currency.toLowerCase(),
      unit_amount: toStripe(total, currency),
      product_data: {
        name: quantity > 1 ? `${name} × ${quantity}` : name,
        ...(isShownByStripe(image) ? { images: [image] } : {}),
      },
    },
  }));
}

/** Whether Stripe can show an image. Stripe loads images from the internet, and refuses longer addresses. */
const isShownByStripe = (image: string | null): image is string =>
  image !== null && image.length <= 2_048 && URL.canParse(image) && new URL(image).protocol === 'https:';

/** The state of a charge, from its session. Throws if the session does not match the charge or cannot be parsed. */
export function chargeState(session: StripeSession, charge: Omit<StartedCharge, 'reference'>): ChargeState {
  assertAbout(session, charge);
  const { id: reference, status } = session;
  if (status === 'expired') return { status: 'cancelled', reference };
  if (status === 'open' && typeof session.url === 'string')
    return {
      status: 'open',
      reference,
      url: session.url,
      expiresAt: new Date(session.expires_at * 1_000).toISOString(),
    };
  const intent = StripeIntent.safeParse(session.payment_intent);
  if (status === 'complete' && intent.success) return completed(reference, intent.data, charge);
  throw new ProcessorError('contradiction', `${reference} ends unknown: ${status}.`);
}

function assertAbout(session: StripeSession, { paymentId, amount, currency }: Omit<StartedCharge, 'reference'>): void {
  const isAbout =
    session.client_reference_id === paymentId &&
    session.currency === currency.toLowerCase() &&
    session.amount_total === toStripe(amount, currency);
  if (!isAbout) throw notAbout(session.id, paymentId);
}

const notAbout = (id: string, paymentId: string): ProcessorError =>
  new ProcessorError('contradiction', `${id} is not about ${paymentId}.`);

function completed(reference: string, intent: StripeIntent, charge: Omit<StartedCharge, 'reference'>): ChargeState {
  if (intent.status === 'succeeded') return succeeded(reference, intent, charge);
  if (intent.status !== 'requires_payment_method' && intent.status !== 'canceled')
    return { status: 'processing', reference };
  const { decline_code, code, message } = intent.last_payment_error ?? {};
  return { status: 'failed', reference, errorCode: errorCodeOf(decline_code, code), errorMessage: message ?? null };
}

function succeeded(reference: string, intent: StripeIntent, charge: Omit<StartedCharge, 'reference'>): ChargeState {
  const received = fromStripe(intent.amount_received, intent.currency);
  if (received.amount !== charge.amount || received.currency !== charge.currency)
    throw notAbout(intent.id, charge.paymentId);
  const latest = typeof intent.latest_charge === 'object' ? intent.latest_charge : null;
  const paidBy = paidByOf(latest?.payment_method_details);
  const fee = feeOf(latest?.balance_transaction);
  const isDisputed = latest?.disputed ?? false;
  const paid = latest?.created ? { paidAt: new Date(latest.created * 1_000).toISOString() } : {};
  return { status: 'succeeded', reference, transaction: intent.id, paidBy, ...paid, fee, isDisputed };
}

function paidByOf(paymentMethodDetails: unknown): PaidBy {
  const { data: details } = MethodDetails.safeParse(paymentMethodDetails);
  const method = details?.type ?? 'unknown';
  const facts = MethodFacts.safeParse(details?.[method]).data ?? {};
  const { brand, network, last4, country } = facts;
  return {
    method,
    network: (network ?? brand)?.toUpperCase() ?? null,
    lastFour: last4 ?? null,
    country: country ?? null,
    ...(method === 'card' ? { details: cardDetailsOf(facts) } : {}),
  };
}

/** The details of the card. Stripe writes `unknown` if it does not know whether a card is credit or debit. */
const cardDetailsOf = ({
  exp_month: month,
  exp_year: year,
  funding,
  three_d_secure: check,
}: MethodFacts): CardDetails => ({
  expiry: month && year ? `${String(month).padStart(2, '0')}/${year}` : null,
  funding: (funding !== 'unknown' && funding) || null,
  check: check ? [check.authentication_flow ?? null, check.result ?? null, check.version ?? null] : null,
});

/**
 * The fee in the currency that the account settles in. Null if Stripe has not reported it yet, or if it cannot be read.
 */
function feeOf(transaction: unknown): ProcessorFee | null {
  const { data } = StripeBalanceTransaction.safeParse(transaction);
  return data ? settledAmount(data.fee, data.currency) : null;
}
