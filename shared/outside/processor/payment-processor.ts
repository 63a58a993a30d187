import type { ChargeState } from '../../domain/payments/charge-state.ts';
import type { DisputeState } from '../../domain/payments/dispute.ts';
import type { RefundState } from '../../domain/payments/refund.ts';

/**
 * Who moves the money. A call that is repeated with the same id has one effect. An answer may be late, doubled or lost.
 * A call without a certain answer throws a `ProcessorError`. The caller asks again later and never guesses.
 * Each part stands alone, so a function bundles only the parts that it uses.
 */
export interface PaymentProcessor extends Charges, Refunds, Disputes, Notifications {
  readonly name: string;
}

/** Takes money. */
export interface Charges {
  /** What the checkout page offers: test cards to choose from, or a button that leads on. */
  methods(): PaymentMethods;
  /** What this processor charges in a currency; undefined: it does not charge in it. */
  limits(currency: string): ChargeLimits | undefined;
  /** Starts a charge under our payment's id. All of its parameters come from the attempt, so that a repetition asks for the same. */
  begin(attempt: ChargeAttempt): Promise<ChargeState>;
  /** What became of a charge. `returned` is what the buyer's browser brought back in the address of the return page. */
  find(charge: StartedCharge, returned?: ReadonlyMap<string, string>): Promise<ChargeState>;
  /** Ends an open charge, so that no late click pays it. A charge that was paid in the meantime is the answer instead. */
  close(charge: StartedCharge): Promise<ChargeState>;
}

/** Pays refunds. */
export interface Refunds {
  /** Pays a refund once, under our refund's id. */
  refund(order: RefundAttempt): Promise<RefundState>;
  /** What became of a refund; undefined: the processor has never heard of it. */
  findRefund(order: RefundAttempt): Promise<RefundState | undefined>;
  /** For how long a repetition under the same key is recognized. */
  readonly repeatableMs: number;
}

/** Reads disputes, by which banks take money back. */
export interface Disputes {
  /** The state of a dispute; undefined: the processor has no such dispute of ours. */
  findDispute(reference: string): Promise<FoundDispute | undefined>;
  /** All disputes of a charge that has succeeded. */
  disputesOf(charge: PaidCharge): Promise<readonly FoundDispute[]>;
}

/** Our charges, refunds and disputes in the account, for the comparison with our books. */
export interface AccountRecords {
  /** Filtered by when they began. */
  charges(period: Period): Promise<readonly RecordedCharge[]>;
  refunds(period: Period): Promise<readonly RecordedRefund[]>;
  disputes(period: Period): Promise<readonly FoundDispute[]>;
  /** One refund, even if it was made in the processor's own dashboard; undefined: it is not ours. */
  refundWith(reference: string): Promise<RecordedRefund | undefined>;
}

/** Both ends included. */
export interface Period {
  from: string;
  to: string;
}

export interface RecordedCharge {
  paymentId: string;
  reference: string;
  isPaid: boolean;
  amount: number;
  currency: string;
}

export interface RecordedRefund {
  reference: string;
  /** Null: we did not make it. */
  refundId: string | null;
  paymentId: string;
  status: 'pending' | 'succeeded' | 'failed';
  amount: number;
  currency: string;
  createdAt: string;
}

/** Reads the processor's notifications. */
export interface Notifications {
  /** The objects that a verified notification is about. A hint is a reason to ask, never state. Throws on a bad signature. */
  read(headers: Readonly<Record<string, string | undefined>>, raw: Uint8Array): Promise<readonly Hint[]>;
}

export type PaymentMethods =
  | { kind: 'test-cards'; cards: readonly OfferedCard[] }
  | { kind: 'redirect' }
  | { kind: 'none' };

/** A test card as the page lists it. */
export interface OfferedCard {
  number: string;
  network: string;
  label: string;
}

/** In our minor units. An amount is a multiple of `step`, and `unit` of ours make one of the processor's. */
export interface ChargeLimits {
  minimum: number;
  maximum: number;
  step: number;
  unit: number;
}

/** What is frozen with the payment when it begins, and nothing that depends on the clock. */
export interface ChargeAttempt {
  paymentId: string;
  sessionId: string;
  amount: number;
  currency: string;
  /** What the buyer reads beside the amount on the processor's page. */
  description: string;
  email: string;
  /** The language of our page; null where a program began the payment. */
  locale: string | null;
  /** What is added to the merchant's name on the buyer's statement. */
  statementSuffix: string | null;
  /** The last four digits of the test card that was chosen; null where the processor takes the method itself. */
  card: string | null;
  createdAt: string;
  /** Until when the buyer can pay. */
  expiresAt: string;
}

/** A charge that has been started, and what it must be about. */
export interface StartedCharge {
  paymentId: string;
  sessionId: string;
  /** The processor's own id. */
  reference: string;
  amount: number;
  currency: string;
}

export interface RefundAttempt {
  refundId: string;
  /** The processor's id of the refund, once it has given one. */
  known: string | null;
  paymentId: string;
  /** Of the charge, as it succeeded. */
  reference: string;
  transaction: string;
  amount: number;
  currency: string;
  createdAt: string;
}

/** A charge that has succeeded. */
export interface PaidCharge extends StartedCharge {
  transaction: string;
  createdAt: string;
}

/** A dispute, and which payment of ours it is about. */
export interface FoundDispute extends DisputeState {
  paymentId: string;
}

/** What a notification is about. */
export type Hint =
  | { kind: 'charge'; paymentId: string; merchantId: string; reference: string }
  | { kind: 'refund'; refundId: string | null; reference: string; transaction: string | null }
  | { kind: 'dispute'; reference: string; transaction: string | null }
  | { kind: 'fee'; paymentId: string; merchantId: string };
