import type Stripe from 'stripe';
import { refusalCodes } from '../../../domain/payments/charge.ts';
import type { ChargeState, RefusalReason } from '../../../domain/payments/charge-state.ts';
import { ProcessorError } from '../../../domain/processor.ts';
import type { ChargeAttempt, Charges, StartedCharge } from '../payment-processor.ts';
import type { ProcessorConnection } from '../processor-description.ts';
import { isMovable } from './amounts.ts';
import { StripeSession } from './answers.ts';
import { findListed, parse, refusalIn } from './ask.ts';
import { chargeState, type Storefront, seconds, sessionParameters } from './charge.ts';
import { type StripeClient, StripeRefusal, stripeClient } from './client.ts';
import { stripe } from './stripe.ts';

interface ChargesOptions extends Storefront {
  client: StripeClient;
  isLive: boolean;
}

/** Stripe Checkout by redirect. Our page decides the amount, and Stripe's page takes the card. */
export function stripeCharges(
  connection: Pick<ProcessorConnection, 'account' | 'merchantId' | 'isLive' | 'returnUrls' | 'now'>,
): Charges {
  const options = { ...connection, client: stripeClient(connection.account) };
  return {
    methods: stripe.methods,
    limits: stripe.limits,
    begin: async (attempt, isFirst = false) => {
      if (!isMovable(attempt)) return wrongAmount;
      const isOver = connection.now().toISOString() >= attempt.expiresAt;
      return isOver ? recover(options, attempt) : begin(options, attempt, { isFirst, key: attempt.paymentId });
    },
    find: (charge) => findCharge(options, charge),
    close: (charge) => close(options, charge),
  };
}

const expandCharge = {
  expand: ['payment_intent.latest_charge.balance_transaction'],
} satisfies Stripe.Checkout.SessionRetrieveParams;

/**
 * Creates the session at Stripe, with an idempotency key. So a repeated call gets the same session. If Stripe refuses
 * the brand's text for card statements, it asks again without the text, under another key. An earlier call may have
 * done so, and only the answer under both keys proves that nothing began.
 */
async function begin(options: ChargesOptions, attempt: ChargeAttempt, { isFirst, key }: Asking): Promise<ChargeState> {
  const { client, isLive } = options;
  try {
    const session = await client.post('checkout/sessions', sessionParameters(attempt, options), key);
    return stateOf(session, isLive, attempt);
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error;
    return attempt.statementSuffix === null
      ? neverBegun(error, isFirst)
      : afterRefusal(options, attempt, { error, isFirst });
  }
}

/** The state after the refusal of a request with the brand's text for card statements. */
async function afterRefusal(
  options: ChargesOptions,
  attempt: ChargeAttempt,
  { error, isFirst }: { error: StripeRefusal; isFirst: boolean },
): Promise<ChargeState> {
  if (refusesSuffix(error)) {
    const state = await beginPlain(options, attempt, isFirst && error.isFirst);
    return state.status === 'open' ? { ...state, leftOut: error.refusal } : state;
  }
  const refused = neverBegun(error, isFirst);
  return isFirst ? refused : beginPlain(options, attempt, isFirst);
}

/** Creates the session without the brand's text for card statements. */
const beginPlain = (options: ChargesOptions, attempt: ChargeAttempt, isFirst: boolean): Promise<ChargeState> =>
  begin(options, { ...attempt, statementSuffix: null }, { isFirst, key: `${attempt.paymentId}-plain` });

interface Asking {
  /** Whether this is certainly the first request for this charge. */
  isFirst: boolean;
  key: string;
}

/** Whether Stripe refuses the brand's text for card statements. Such a refusal must not stop a sale. */
const refusesSuffix = ({ status, type, param, message }: StripeRefusal): boolean =>
  status === 400 && type !== 'idempotency_error' && /statement.descriptor/i.test(`${param} ${message}`);

/** The state of a charge that was refused. Throws the refusal if it does not prove that no charge began. */
function neverBegun(error: StripeRefusal, isFirst: boolean): ChargeState {
  if (provesNothingBegan(error, isFirst)) return refusal(error);
  throw error;
}

/**
 * Whether a refusal proves that no charge began with this id. If the first request was refused, it did nothing, and no
 * later one can do more. For a repeated request, only the refusal of an expired time is a proof, because Stripe checks
 * that after the key.
 */
function provesNothingBegan({ status, type, param, isFirst: isAlone }: StripeRefusal, isFirst: boolean): boolean {
  if (type === 'idempotency_error') return false;
  return (status === 400 && param === 'expires_at') || (isFirst && isAlone && [400, 401, 403].includes(status));
}

/**
 * Finds out what happened if the time for starting is over. If an earlier call with a lost answer or a server error
 * created a session, it is in the list of sessions. If two complete lists, read one after the other, do not contain it,
 * the charge never began. No request can create it now, because Stripe refuses the expired time.
 */
async function recover(options: ChargesOptions, attempt: ChargeAttempt): Promise<ChargeState> {
  return (await findBegun(options, attempt)) ?? (await findBegun(options, attempt)) ?? tooLate;
}

async function findBegun({ client, isLive }: ChargesOptions, attempt: ChargeAttempt): Promise<ChargeState | undefined> {
  const created = { gte: seconds(attempt.createdAt) - 60, lte: seconds(attempt.expiresAt) };
  const expand = expandCharge.expand.map((path) => `data.${path}`);
  const parameters = { created, limit: 100, expand } satisfies Stripe.Checkout.SessionListParams;
  const isOurs = ({ client_reference_id: id }: StripeSession) => id === attempt.paymentId;
  const session = await findListed(client, 'checkout/sessions', {
    schema: StripeSession,
    parameters,
    isSought: isOurs,
  });
  return session && stateOf(session, isLive, attempt);
}

const refused = (
  reason: RefusalReason,
  errorCode: string,
  errorMessage: string,
): Extract<ChargeState, { status: 'refused' }> => ({ status: 'refused', reason, errorCode, errorMessage });

const wrongAmount = refused('amount', 'INVALID_AMOUNT', 'The processor does not charge this amount.');

const tooLate = refused('late', 'ORDER_CREATION_FAILED', 'The time to begin this payment is over.');

/**
 * The state of a charge that was never started. Stripe's text is only for the merchant. Programs and buyers do not get
 * it.
 */
function refusal({ code, param, refusal }: StripeRefusal): ChargeState {
  if (code === 'amount_too_small' || code === 'amount_too_large') return wrongAmount;
  if (param === 'expires_at') return tooLate;
  const told = code === 'email_invalid' || param === 'customer_email' ? wrongEmail : shopRefused;
  return { ...told, refusal };
}

const wrongEmail = refused('buyer', refusalCodes.buyer, 'The processor does not accept this e-mail address.');

const shopRefused = refused('request', refusalCodes.request, 'The shop cannot take payments now. Nothing was charged.');

const pathOf = ({ reference }: StartedCharge): string => `checkout/sessions/${encodeURIComponent(reference)}`;

async function findCharge({ client, isLive }: ChargesOptions, charge: StartedCharge): Promise<ChargeState> {
  const session = await client.get(pathOf(charge), expandCharge);
  return stateOf(session, isLive, charge);
}

/** Expires an open session. If Stripe refuses, the session has already ended, and its state is returned. */
async function close(options: ChargesOptions, charge: StartedCharge): Promise<ChargeState> {
  const { client, isLive } = options;
  try {
    const session = await client.post(`${pathOf(charge)}/expire`, {}, null);
    return stateOf(session, isLive, charge);
  } catch (error) {
    refusalIn(error);
    return findCharge(options, charge);
  }
}

function stateOf(answer: unknown, isLive: boolean, charge: Omit<StartedCharge, 'reference'>): ChargeState {
  const session = parse(StripeSession, answer);
  if (session.livemode === isLive) return chargeState(session, charge);
  throw new ProcessorError('contradiction', `${session.id} is of the other mode.`);
}
