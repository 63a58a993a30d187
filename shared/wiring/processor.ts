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
import { playedAddress } from '../outside/processor/played-address.ts';
import type { ProcessorConnection } from '../outside/processor/processor-description.ts';
import {
  chargesOf,
  disputesOf,
  keyCheckOf,
  notificationsOf,
  recordsOf,
  refundsOf,
} from '../outside/processor/registry.ts';
import {
  chargesBesideTestCards,
  disputesBesideTestCards,
  refundsBesideTestCards,
} from '../outside/processor/sandbox/test-card-payments.ts';
import { now } from './runtime.ts';
import { namedProcessor, processor } from './selling.ts';

/**
 * The stage's processor, in parts. Each function calls only the parts that the route table names for it, so its bundle
 * contains no others. For that, they are not in `runtime.ts`.
 */

const isLive = (): boolean => env.stage() === 'live';

/**
 * The time limits of a call. A function has ten seconds, so the last attempt ends early enough to write to the table.
 */
const patience = { timeoutMs: 4_000, patienceMs: 3_000 };

const missing = (what: string): ProcessorError =>
  new ProcessorError(
    'unauthorized',
    `${what} of ${namedProcessor()?.title} is not set: npm run processor -- set --merchant ${env.merchant().id} --stage ${env.stage()}.`,
  );

async function secretOf(kind: keyof ReturnType<typeof secretNames>, what: string): Promise<string> {
  const access = { ...env.aws(), endpoint: env.parameterStoreUrl() };
  const value = await readSecret(access, secretNames(env.processorSecrets())[kind]);
  if (value === undefined) throw missing(what);
  return value;
}

const readKey = async (): Promise<string> => {
  const key = await secretOf('key', 'The key');
  const name = namedProcessor()?.name;
  const fault = name && keyCheckOf[name](key, env.stage());
  if (fault) throw new ProcessorError('unauthorized', fault);
  return key;
};

const readSigningSecrets = async (): Promise<string[]> => {
  const lines = await secretOf('signingSecrets', 'The signing secret');
  return lines.split('\n').filter((line) => line !== '');
};

/** Reports an outage of the parameter store as an outage of the processor. */
const orUnavailable = (error: unknown): never => {
  if (!(error instanceof ParameterStoreError)) throw error;
  throw new ProcessorError('unavailable', error.message, { cause: error });
};

const accountKey = /* @__PURE__ */ rememberedSecret({ read: readKey, now });
const signingSecrets = /* @__PURE__ */ rememberedSecret({ read: readSigningSecrets, now });

/**
 * Refuses a sale if its charge cannot begin, before anything is stored. If the key cannot be read for a while, the sale
 * begins, and the sweep asks the processor later.
 */
export async function assertConnected(): Promise<void> {
  if (env.processor() === undefined) return;
  await accountKey().catch((error: unknown) => {
    logError('the key of the processor cannot be used', describeError(error));
    if (error instanceof ProcessorError) throw notConnected();
  });
}

const playedAt = (): string | undefined => playedAddress(env.processorUrl(), isLive());

/** Where the processor sends the buyer: to the receipt after paying, or back to the checkout. */
const returnUrls = ({ sessionId, locale }: { sessionId: string; locale: string | null }) => {
  const page = `${env.publicUrl()}/checkout/${sessionId}`;
  const language = locale === null ? '' : `?lang=${locale}`;
  return { returnUrl: `${page}/return${language}`, cancelUrl: `${page}${language}` };
};

const connection = () => ({
  account: {
    key: (again: boolean) => accountKey(again).catch(orUnavailable),
    ...patience,
    baseUrl: playedAt(),
  },
  merchantId: env.merchant().id,
  isLive: isLive(),
  now,
});

/** The address of a payment's page at the fake processor on this machine. */
function playedPage(): Pick<ProcessorConnection, 'paymentPage'> {
  const url = playedAt();
  return url === undefined ? {} : { paymentPage: () => url };
}

/** Charges buyers. */
export function charges(): Charges & Pick<PaymentProcessor, 'name'> {
  const name = namedProcessor()?.name;
  if (name === undefined) return processor();
  const connected = { name, ...chargesOf[name]({ ...connection(), returnUrls }) };
  return isLive() ? connected : chargesBesideTestCards(connected, processor());
}

/** Pays refunds. */
export function refunds(): Refunds {
  const name = namedProcessor()?.name;
  if (name === undefined) return processor();
  const connected = refundsOf[name](connection());
  return isLive() ? connected : refundsBesideTestCards(connected, processor());
}

/** Reads disputes, in which banks take money back. */
function disputeNews(): Disputes {
  const name = namedProcessor()?.name;
  if (name === undefined) return processor();
  const connected = disputesOf[name]({ ...connection(), ...playedPage() });
  return isLive() ? connected : disputesBesideTestCards(connected, processor());
}

/** Charges buyers, pays refunds and reads disputes. */
export const everythingButNotifications = (): Charges & Refunds & Disputes =>
  env.processor() === undefined ? processor() : { ...charges(), ...refunds(), ...disputeNews() };

/** The processor's name, and its records of our payments; undefined if the stage has no account. */
export function accountBooks(): { processor: string; records: AccountRecords } | undefined {
  const name = namedProcessor()?.name;
  return name && { processor: name, records: recordsOf[name]({ ...connection(), ...playedPage() }) };
}

/** Reads the processor's notifications; undefined if the stage has no processor. */
export function notifications(): Notifications | undefined {
  const name = namedProcessor()?.name;
  const secrets = () => signingSecrets().catch(orUnavailable);
  return name && notificationsOf[name]({ isLive: isLive(), signingSecrets: secrets, now });
}
