import type { CheckLine } from '../../domain/check-line.ts';
import type { Stage } from '../../domain/merchant.ts';
import type { ChargeAttempt, Charges, OfferedCard, PaymentMethods } from './payment-processor.ts';

/** Describes a processor that a stage can name. It contains no code that calls the processor. */
export interface ProcessorDescription extends Pick<Charges, 'methods' | 'limits'> {
  /** The name in payments, settings, parameters and the route of notifications. It must never change. */
  name: string;
  /** The name of the processor, as people read it. */
  title: string;
  /** The sites on which buyers pay. The checkout page may redirect there. */
  payOrigins: readonly string[];
}

/** The other sites on which buyers pay; empty if they pay on our pages. A fake processor has its own address. */
export const payOriginsOf = (
  named: Pick<ProcessorDescription, 'payOrigins'> | undefined,
  playedAt: string | undefined,
): readonly string[] => (named && playedAt !== undefined ? [playedAt] : (named?.payOrigins ?? []));

/** The test cards among the payment methods. Empty if the buyer enters the payment method at the processor. */
export const cardsOf = (methods: PaymentMethods): readonly OfferedCard[] =>
  methods.kind === 'test-cards' ? methods.cards : [];

/** Why a key does not fit this stage, without repeating it; undefined if it fits. */
export type KeyCheck = (key: string, stage: Stage) => string | undefined;

/** How a part accesses the merchant's account. */
export interface AccountAccess {
  /** Reads the account's key. With `again`, it reads a newer one, after the processor has refused the last one. */
  key: (again: boolean) => Promise<string>;
  /** The address of a fake processor on this machine. By default, it is the processor's own address. */
  baseUrl?: string | undefined;
  timeoutMs?: number;
  /** How many milliseconds new attempts may start. The last attempt may end `timeoutMs` later. */
  patienceMs?: number;
}

/** The settings of the stage for the parts of the processor. */
export interface ProcessorConnection {
  account: AccountAccess;
  merchantId: string;
  /** Whether money is real. Objects of the other mode are ignored. */
  isLive: boolean;
  now: () => Date;
  /** The signing secrets, the newest first. */
  signingSecrets: () => Promise<readonly string[]>;
  /** The addresses to which the buyer returns: after paying, and to change the order. */
  returnUrls: (checkout: Pick<ChargeAttempt, 'sessionId' | 'locale'>) => { returnUrl: string; cancelUrl: string };
  /**
   * The address that shows a payment. It is set for the fake processor on this machine. By default, it is the
   * processor's own dashboard.
   */
  paymentPage?: (transaction: string) => string;
}

/** The functions of a processor for the command `npm run processor`. */
export interface ProcessorOperations {
  /** Why a text cannot be a signing secret, without repeating it; undefined if it can. */
  faultOfSigningSecret(secret: string): string | undefined;
  account(access: AccountAccess): OperatedAccount;
}

/** An account at the processor, with the checks and commands of an operator. */
export interface OperatedAccount {
  /** Whether the processor knows the key, even if the key lacks rights. */
  knowsKey(): Promise<boolean>;
  /** Checks what the key and the account can do. */
  check(): Promise<CheckLine[]>;
  /** Checks whether notifications reach this stack. */
  checkEndpoint(endpoint: NotificationSetup): Promise<CheckLine[]>;
  /**
   * Opens a payment page that nobody can pay, and closes it, so that the processor sends a notification. The lines say
   * what the page would offer to buyers, or why a first sale would be refused.
   */
  probe(probe: SaleProbe): Promise<{ isSent: boolean; lines: CheckLine[] }>;
  /** Creates or completes the webhook endpoint, and reports the change; undefined if the key may not see endpoints. */
  ensureEndpoint(endpoint: NotificationSetup): Promise<string | undefined>;
  /** Replaces the signing secret, and reports the change. Both secrets are accepted until the rotation is finished. */
  beginRotation(endpoint: NotificationSetup): Promise<string>;
  finishRotation(endpoint: NotificationSetup): Promise<string>;
}

/** A sale for a test, which nobody pays. */
export interface SaleProbe {
  probeId: string;
  merchantId: string;
  /** The address of the shop. */
  shopUrl: string;
  now: Date;
}

/** The address for the processor's notifications, and the secrets that sign them. */
export interface NotificationSetup {
  address: string;
  /** The signing secrets, newest first. */
  signingSecrets(): Promise<string[]>;
  saveSigningSecrets(secrets: readonly string[]): Promise<void>;
}
