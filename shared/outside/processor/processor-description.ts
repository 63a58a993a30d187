import type { CheckLine } from '../../domain/check-line.ts';
import type { Stage } from '../../domain/merchant.ts';
import type { ChargeAttempt, Charges } from './payment-processor.ts';

/** A processor that a stage can name, without the parts that ask it. */
export interface ProcessorDescription extends Pick<Charges, 'methods' | 'limits'> {
  /** Payments, settings, parameters and the route of notifications have this name, so it never changes. */
  name: string;
  /** What people call it. */
  title: string;
  /** The sites on which buyers pay. The checkout page may lead there. */
  payOrigins: readonly string[];
}

/** Why a key cannot be this stage's, without its value; undefined: it can. */
export type KeyCheck = (key: string, stage: Stage) => string | undefined;

/** How a part reaches the merchant's account. */
export interface AccountAccess {
  /** The account's key. `again` asks for a newer one, after the processor has refused the last. */
  key: (again: boolean) => Promise<string>;
  /** Where this machine plays the processor. Default: the processor's own address. */
  baseUrl?: string | undefined;
  timeoutMs?: number;
  /** How long all attempts together may take; the last one may end `timeoutMs` later. */
  patienceMs?: number;
}

/** What the parts of a processor are given by the stage that they work for. */
export interface ProcessorConnection {
  account: AccountAccess;
  merchantId: string;
  /** Whether money is real: an object of the other mode is never read. */
  isLive: boolean;
  now: () => Date;
  /** The newest first. */
  signingSecrets: () => Promise<readonly string[]>;
  /** Where a buyer comes back to: after paying, and to change something. */
  returnUrls: (checkout: Pick<ChargeAttempt, 'sessionId' | 'locale'>) => { returnUrl: string; cancelUrl: string };
  /** Where this machine shows a payment. Default: the processor's own dashboard. */
  paymentPage?: (transaction: string) => string;
}

/** What `npm run processor` needs of a processor. */
export interface ProcessorOperations {
  /** Why a text cannot be a signing secret, without its value; undefined: it can. */
  faultOfSigningSecret(secret: string): string | undefined;
  account(access: AccountAccess): OperatedAccount;
}

/** What an operator asks of an account. */
export interface OperatedAccount {
  /** Whether the processor knows the key, even if it lacks rights. */
  knowsKey(): Promise<boolean>;
  /** What the key and the account can do. */
  check(): Promise<CheckLine[]>;
  /** Whether notifications reach us. */
  checkEndpoint(endpoint: NotificationSetup): Promise<CheckLine[]>;
  /** Creates or completes the endpoint, and says what was done; undefined where the key may not see endpoints. */
  ensureEndpoint(endpoint: NotificationSetup): Promise<string | undefined>;
  /** Replaces the signing secret, and says what was done: both secrets are accepted until the rotation is finished. */
  beginRotation(endpoint: NotificationSetup): Promise<string>;
  finishRotation(endpoint: NotificationSetup): Promise<string>;
}

/** Where the processor sends notifications, and the secrets that sign them. */
export interface NotificationSetup {
  address: string;
  /** The newest first. */
  signingSecrets(): Promise<string[]>;
  saveSigningSecrets(secrets: readonly string[]): Promise<void>;
}
