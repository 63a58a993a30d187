import { ProcessorError, secretNames } from '../domain/processor.ts';
import { env } from '../env.ts';
import { ParameterStoreError } from '../outside/parameters/parameter-store.ts';
import { readSecret, rememberedSecret } from '../outside/parameters/secret.ts';
import { type AccountSecrets, readAccountKey, readSigningSecrets } from '../outside/processor/account-secrets.ts';
import type {
  AccountRecords,
  Charges,
  Disputes,
  Notifications,
  PaymentProcessor,
  Payouts,
  Refunds,
} from '../outside/processor/payment-processor.ts';
import { playedAddress } from '../outside/processor/played-address.ts';
import type { ProcessorConnection } from '../outside/processor/processor-description.ts';
import {
  chargesOf,
  disputesOf,
  keyCheckOf,
  notificationsOf,
  payoutsOf,
  recordsOf,
  refundsOf,
} from '../outside/processor/registry.ts';
import {
  chargesBesideTestCards,
  disputesBesideTestCards,
  refundsBesideTestCards,
} from '../outside/processor/sandbox/test-card-payments.ts';
import { assertUsableKey } from '../use-cases/payments/assert-usable-key.ts';
import { now } from './runtime.ts';
import { namedProcessor, processor } from './selling.ts';

/**
 * The parts of the stage's processor. They are not in `runtime.ts`. Each function calls only the parts that the route
 * table names for it, so its bundle contains no others.
 */

const isLive = (): boolean => env.stage() === 'live';

/**
 * The time limits of a call. A function has ten seconds. The last attempt ends early enough to write to the table after
 * it.
 */
const patience = { timeoutMs: 4_000, patienceMs: 3_000 };

/** The stored secrets of the stage's account at its processor. */
function accountSecrets(): AccountSecrets {
  const named = namedProcessor();
  if (!named) throw new Error('The stage names no processor.');
  const access = { ...env.aws(), endpoint: env.parameterStoreUrl() };
  const names = secretNames(env.processorSecrets());
  return {
    merchantId: env.merchant().id,
    stage: env.stage(),
    title: named.title,
    whyNotKey: keyCheckOf[named.name],
    read: (kind) => readSecret(access, names[kind]),
  };
}

/** Reports an outage of the parameter store as an outage of the processor. */
const orUnavailable = (error: unknown): never => {
  if (!(error instanceof ParameterStoreError)) throw error;
  throw new ProcessorError('unavailable', error.message, { cause: error });
};

const accountKey = /* @__PURE__ */ rememberedSecret({ read: () => readAccountKey(accountSecrets()), now });
const signingSecrets = /* @__PURE__ */ rememberedSecret({ read: () => readSigningSecrets(accountSecrets()), now });

/** Refuses a sale whose charge cannot begin, because the stage's processor has no usable key. */
export async function assertConnected(): Promise<void> {
  if (env.processor() !== undefined) await assertUsableKey(accountKey);
}

const playedAt = (): string | undefined => playedAddress(env.processorUrl(), isLive());

/** The addresses to which the processor sends the buyer: the receipt after paying, or back to the checkout. */
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

/** Opens the part that charges buyers. */
export function charges(): Charges & Pick<PaymentProcessor, 'name'> {
  const name = namedProcessor()?.name;
  if (name === undefined) return processor();
  const connected = { name, ...chargesOf[name]({ ...connection(), returnUrls }) };
  return isLive() ? connected : chargesBesideTestCards(connected, processor());
}

/** Opens the part that pays refunds. */
export function refunds(): Refunds {
  const name = namedProcessor()?.name;
  if (name === undefined) return processor();
  const connected = refundsOf[name](connection());
  return isLive() ? connected : refundsBesideTestCards(connected, processor());
}

/** Opens the part that reads disputes, in which banks take money back. */
function disputeNews(): Disputes {
  const name = namedProcessor()?.name;
  if (name === undefined) return processor();
  const connected = disputesOf[name]({ ...connection(), ...playedPage() });
  return isLive() ? connected : disputesBesideTestCards(connected, processor());
}

/** Opens the parts that charge buyers, pay refunds and read disputes. */
export const everythingButNotifications = (): Charges & Refunds & Disputes =>
  env.processor() === undefined ? processor() : { ...charges(), ...refunds(), ...disputeNews() };

/** The processor's name, its records of our payments, and where its notifications arrive; undefined if the stage has no account. */
export function accountBooks(): { processor: string; records: AccountRecords; notifyUrl: string } | undefined {
  const name = namedProcessor()?.name;
  if (name === undefined) return undefined;
  const records = recordsOf[name]({ ...connection(), ...playedPage() });
  return { processor: name, records, notifyUrl: `${env.publicUrl()}/processor/${name}` };
}

/** The processor's name, and the account's payouts; undefined if the stage has no account. */
export function accountPayouts(): { processor: string; account: Payouts } | undefined {
  const name = namedProcessor()?.name;
  return name && { processor: name, account: payoutsOf[name](connection()) };
}

/** Opens the part that reads the processor's notifications. Undefined if the stage has no processor. */
export function notifications(): Notifications | undefined {
  const name = namedProcessor()?.name;
  const secrets = () => signingSecrets().catch(orUnavailable);
  return name && notificationsOf[name]({ isLive: isLive(), signingSecrets: secrets, now });
}
