import { notConnected } from '../domain/errors.ts';
import { ProcessorError, secretNames } from '../domain/processor.ts';
import { env } from '../env.ts';
import { describeError, logError } from '../log.ts';
import { ParameterStoreError } from '../outside/parameters/parameter-store.ts';
import { readSecret, rememberedSecret } from '../outside/parameters/secret.ts';
import type {
  AccountRecords,
  Charges,
  Disputes,
  Notifications,
  PaymentProcessor,
  Refunds,
} from '../outside/processor/payment-processor.ts';
import { whyNotAccountKey } from '../outside/processor/stripe/account-key.ts';
import { type StripeClient, stripeClient } from '../outside/processor/stripe/client.ts';
import { stripeNotifications } from '../outside/processor/stripe/notification.ts';
import { stripeCharges } from '../outside/processor/stripe/stripe-charges.ts';
import { stripeDisputes } from '../outside/processor/stripe/stripe-disputes.ts';
import { stripeRecords } from '../outside/processor/stripe/stripe-records.ts';
import { stripeRefunds } from '../outside/processor/stripe/stripe-refunds.ts';
import {
  chargesBesideTestCards,
  disputesBesideTestCards,
  refundsBesideTestCards,
} from '../outside/processor/test-card-payments.ts';
import { now } from './runtime.ts';
import { processor } from './selling.ts';

/**
 * The stage's processor, part by part: it is separate from `runtime.ts`, and each function calls only the parts that its line of the
 * route table names, so its bundle holds no other.
 */

const isLive = (): boolean => env.stage() === 'live';

/** A function has ten seconds: the last attempt ends before that, and leaves time for the table. */
const patience = { timeoutMs: 4_000, patienceMs: 3_000 };

const missing = (what: string): ProcessorError =>
  new ProcessorError(
    'unauthorized',
    `${what} of Stripe is not set: npm run processor -- set --merchant ${env.merchant().id} --stage ${env.stage()}.`,
  );

async function secretOf(kind: keyof ReturnType<typeof secretNames>, what: string): Promise<string> {
  const access = { ...env.aws(), endpoint: env.parameterStoreUrl() };
  const value = await readSecret(access, secretNames(env.processorSecrets())[kind]);
  if (value === undefined) throw missing(what);
  return value;
}

const readKey = async (): Promise<string> => {
  const key = await secretOf('key', 'The key');
  const fault = whyNotAccountKey(key, env.stage());
  if (fault) throw new ProcessorError('unauthorized', fault);
  return key;
};

const readSigningSecrets = async (): Promise<string[]> => {
  const lines = await secretOf('signingSecrets', 'The signing secret');
  return lines.split('\n').filter((line) => line !== '');
};

/** An outage of the parameter store is one of the processor to those who ask. */
const orUnavailable = (error: unknown): never => {
  if (!(error instanceof ParameterStoreError)) throw error;
  throw new ProcessorError('unavailable', error.message, { cause: error });
};

const accountKey = /* @__PURE__ */ rememberedSecret({ read: readKey, now });
const signingSecrets = /* @__PURE__ */ rememberedSecret({ read: readSigningSecrets, now });

/**
 * Refuses a sale whose charge cannot begin, before anything is committed. Where the key cannot be read for a while, the sale begins:
 * the sweep asks again.
 */
export async function assertConnected(): Promise<void> {
  if (env.processor() === undefined) return;
  await accountKey().catch((error: unknown) => {
    logError('the key of the processor cannot be used', describeError(error));
    if (error instanceof ProcessorError) throw notConnected();
  });
}

const client = (): StripeClient =>
  stripeClient({ key: (again) => accountKey(again).catch(orUnavailable), ...patience, ...addressOfFake() });

/** Only a sandbox on this machine has another address than Stripe's: a key goes nowhere else. */
function addressOfFake(): { baseUrl?: string } {
  const baseUrl = env.stripeUrl();
  if (baseUrl === undefined) return {};
  if (isLive() || !['127.0.0.1', 'localhost'].includes(new URL(baseUrl).hostname))
    throw new Error('STRIPE_URL may only lead to this machine, from a sandbox.');
  return { baseUrl };
}

/** Where a buyer comes back to: when it is paid, and to change something. */
const returnUrls = ({ sessionId, locale }: { sessionId: string; locale: string | null }) => {
  const page = `${env.publicUrl()}/checkout/${sessionId}`;
  const language = locale === null ? '' : `?lang=${locale}`;
  return { returnUrl: `${page}/return${language}`, cancelUrl: `${page}${language}` };
};

/** Takes money. */
export function charges(): Charges & Pick<PaymentProcessor, 'name'> {
  if (env.processor() === undefined) return processor();
  const merchantId = env.merchant().id;
  const options = { client: client(), isLive: isLive(), merchantId, returnUrls, now };
  const stripe = { name: 'stripe' as const, ...stripeCharges(options) };
  return isLive() ? stripe : chargesBesideTestCards(stripe, processor());
}

/** Pays back. */
export function refunds(): Refunds {
  if (env.processor() === undefined) return processor();
  const stripe = stripeRefunds({ client: client(), merchantId: env.merchant().id, now });
  return isLive() ? stripe : refundsBesideTestCards(stripe, processor());
}

/** Tells what banks take back. */
function disputeNews(): Disputes {
  if (env.processor() === undefined) return processor();
  const paymentPage = env.stripeUrl();
  const options = { client: client(), isLive: isLive(), merchantId: env.merchant().id };
  const stripe = stripeDisputes(paymentPage === undefined ? options : { ...options, paymentPage: () => paymentPage });
  return isLive() ? stripe : disputesBesideTestCards(stripe, processor());
}

/** Takes money, pays back, and tells what banks take back. */
export const everythingButNotifications = (): Charges & Refunds & Disputes =>
  env.processor() === undefined ? processor() : { ...charges(), ...refunds(), ...disputeNews() };

/** What the account has of ours; undefined where no account is connected. */
export function accountRecords(): AccountRecords | undefined {
  if (env.processor() === undefined) return undefined;
  return stripeRecords({ client: client(), isLive: isLive(), merchantId: env.merchant().id });
}

/** Hears what happened; undefined where no processor tells anything. */
export function notifications(): Notifications | undefined {
  if (env.processor() === undefined) return undefined;
  return stripeNotifications({ isLive: isLive(), signingSecrets: () => signingSecrets().catch(orUnavailable), now });
}
