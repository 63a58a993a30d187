import type Stripe from 'stripe';
import { type Account, ApiFault, type Checkout, missing, type StripeSessionRequest } from './account.ts';
import { feeOf, moveCharge } from './balance/ledger.ts';
import { charge, checkoutSession, paymentIntent } from './blank-objects.ts';
import { openDispute } from './disputes.ts';
import type { PaymentMeans } from './payment-means.ts';

export function createStripeSession(
  account: Account,
  request: StripeSessionRequest,
  pageUrl: string,
): Stripe.Checkout.Session {
  const id = account.newId(account.isLive ? 'cs_live' : 'cs_test');
  const session = checkoutSession({
    id,
    amount_subtotal: request.amount,
    amount_total: request.amount,
    cancel_url: request.cancelUrl,
    client_reference_id: request.clientReferenceId,
    created: account.seconds(),
    currency: request.currency,
    customer_email: request.email,
    expires_at: request.expiresAt,
    livemode: account.isLive,
    locale: request.locale,
    metadata: request.metadata,
    payment_method_types: (request.methods ?? account.profile.methods).filter((method) =>
      account.profile.methods.includes(method),
    ),
    submit_type: 'pay',
    success_url: request.successUrl,
    url: `${pageUrl}/c/pay/${id}`,
  });
  account.sessions.set(id, session);
  account.checkouts.set(id, { request });
  return session;
}

export function sessionById(account: Account, id: string): Stripe.Checkout.Session {
  const session = account.sessions.get(id);
  if (!session) throw missing(id);
  return session;
}

/** Expires a session by a call of the API. The call is refused while the session is being paid. */
export function expireByRequest(account: Account, session: Stripe.Checkout.Session): Stripe.Checkout.Session {
  if (account.underWay.has(session.id))
    throw new ApiFault(400, 'This Checkout Session cannot be expired because a payment for it is being processed.');
  expireSession(account, session);
  return session;
}

/** Expires an open session. After that, it cannot be paid. */
export function expireSession(account: Account, session: Stripe.Checkout.Session): void {
  if (session.status !== 'open')
    throw new ApiFault(
      400,
      `Only Checkout Sessions with a status in ["open"] can be expired. This one is ${session.status}.`,
    );
  Object.assign(session, { status: 'expired', url: null });
  account.occurred('checkout.session.expired', session);
}

/** Expires every open session whose time is over. */
export function expireSessions(account: Account): void {
  for (const session of account.sessions.values())
    if (session.status === 'open' && session.expires_at <= account.seconds()) expireSession(account, session);
}

/**
 * Handles a button that the buyer presses. The session becomes paid, declined or pending. Only an open session can be
 * paid.
 */
export function paySession(account: Account, session: Stripe.Checkout.Session, means: PaymentMeans): void {
  if (session.status !== 'open') throw new ApiFault(400, 'This session is not open.');
  account.underWay.delete(session.id);
  if (!session.payment_method_types.includes(means.method))
    throw new ApiFault(400, `The page does not offer ${means.method}.`);
  const intent = intentOf(account, session);
  if (means.outcome === 'declined') {
    decline(intent, means.declineCode ?? 'generic_decline');
    return;
  }
  Object.assign(session, { status: 'complete', url: null, payment_intent: intent.id });
  if (means.outcome === 'later') {
    Object.assign(intent, { status: 'processing' });
    checkoutOf(account, session).means = means;
    account.occurred('checkout.session.completed', session);
    return;
  }
  receive(account, session, means);
  account.occurred('checkout.session.completed', session);
  if (means.isDisputed) openDispute(account, intent, { reason: 'fraudulent', status: 'needs_response' });
}

/** Ends a pending payment. */
export function finishSession(
  account: Account,
  session: Stripe.Checkout.Session,
  outcome: 'succeeded' | 'failed',
): void {
  const intent = account.intents.get(String(session.payment_intent));
  const { means } = checkoutOf(account, session);
  if (!means || intent?.status !== 'processing') throw new ApiFault(400, 'This session waits for nothing.');
  if (outcome === 'succeeded') {
    receive(account, session, means);
    account.occurred('checkout.session.async_payment_succeeded', session);
    return;
  }
  decline(intent, 'insufficient_funds');
  account.occurred('checkout.session.async_payment_failed', session);
}

/** The sessions whose payment is pending. */
export const waitingSessions = (account: Account): Stripe.Checkout.Session[] =>
  [...account.sessions.values()].filter(
    (session) => account.intents.get(String(session.payment_intent))?.status === 'processing',
  );

/** How a pending payment ends. A test can decide otherwise. */
export const plannedEnd = (account: Account, session: Stripe.Checkout.Session): 'succeeded' | 'failed' =>
  checkoutOf(account, session).means?.ends ?? 'succeeded';

/** The payment intent of a session. It is created when the buyer first presses the button. */
function intentOf(account: Account, session: Stripe.Checkout.Session): Stripe.PaymentIntent {
  const checkout = checkoutOf(account, session);
  if (checkout.intent) return checkout.intent;
  const { intentMetadata: metadata, description, statementSuffix } = checkout.request;
  const intent = paymentIntent({
    id: account.newId('pi'),
    amount: session.amount_total ?? 0,
    created: account.seconds(),
    currency: session.currency ?? '',
    description,
    livemode: account.isLive,
    metadata,
    statement_descriptor_suffix: statementSuffix,
  });
  account.intents.set(intent.id, intent);
  checkout.intent = intent;
  return intent;
}

function checkoutOf(account: Account, { id }: Stripe.Checkout.Session): Checkout {
  const checkout = account.checkouts.get(id);
  if (!checkout) throw missing(id);
  return checkout;
}

/** Records a declined payment. The session stays open, so the buyer can try again. */
function decline(intent: Stripe.PaymentIntent, code: string): void {
  intent.status = 'requires_payment_method';
  intent.last_payment_error = {
    type: 'card_error',
    code: 'card_declined',
    decline_code: code,
    message: 'Your payment was declined.',
  };
}

/** Records a successful payment: the intent, its charge and the balance transaction. */
function receive(account: Account, session: Stripe.Checkout.Session, means: PaymentMeans): void {
  const intent = intentOf(account, session);
  const { amount, currency } = intent;
  const made = charge({
    id: account.newId(means.method === 'card' ? 'ch' : 'py'),
    amount,
    amount_captured: amount,
    captured: true,
    created: account.seconds(),
    currency,
    livemode: account.isLive,
    metadata: intent.metadata,
    paid: true,
    payment_intent: intent.id,
    payment_method_details: means.details,
    status: 'succeeded',
  });
  const type = means.method === 'card' ? 'charge' : 'payment';
  moveCharge(account, { type, amount, currency, fee: feeOf(amount), source: made.id }, made);
  account.charges.set(made.id, made);
  Object.assign(intent, {
    status: 'succeeded',
    amount_received: amount,
    latest_charge: made.id,
    last_payment_error: null,
  });
  Object.assign(session, { payment_status: 'paid', payment_intent: intent.id });
  account.meansByCharge.set(made.id, means);
  account.occurred('charge.updated', made);
}
