import type { ChargeState } from '../../domain/payments/charge-state.ts';
import type { DisputeState } from '../../domain/payments/dispute.ts';
import type { FraudWarning } from '../../domain/payments/payment.ts';
import type { RefundState } from '../../domain/payments/refund.ts';

/**
 * The interface of a payment processor. A call that is repeated with the same id has one effect. An answer may be late,
 * doubled or lost. A call without a certain answer throws a `ProcessorError`. The caller then asks again later and
 * never guesses. Each part is independent, so a function bundles only the parts that it uses.
 */
export interface PaymentProcessor extends Charges, Refunds, Disputes, Notifications {
  readonly name: string;
}

/** Charges buyers. */
export interface Charges {
  /** What the checkout page offers: test cards, or a button that leads to the processor. */
  methods(): PaymentMethods;
  /** The amounts that this processor can charge in a currency; undefined if it does not support the currency. */
  limits(currency: string): ChargeLimits | undefined;
  /**
   * Starts a charge under our payment's id. All parameters come from the stored attempt, so that a repetition sends the
   * same ones.
   * @param isFirst whether nobody can have sent this attempt before, so a refusal proves that nothing began. A refused
   * repetition proves nothing, because the first request may have begun the charge.
   */
  begin(attempt: ChargeAttempt, isFirst?: boolean): Promise<ChargeState>;
  /**
   * The state of a charge. `returned` holds the parameters with which the buyer's browser came back to the return page.
   */
  find(charge: StartedCharge, returned?: ReadonlyMap<string, string>): Promise<ChargeState>;
  /**
   * Ends an open charge, so that the buyer can no longer pay it. If it was paid in the meantime, the answer says so.
   */
  close(charge: StartedCharge): Promise<ChargeState>;
}

/** Pays refunds. */
export interface Refunds {
  /** Pays a refund once, under our refund's id. */
  refund(order: RefundAttempt): Promise<RefundState>;
  /** The state of a refund; undefined if the processor does not know it. */
  findRefund(order: RefundAttempt): Promise<RefundState | undefined>;
  /**
   * The money from which a charge can be refunded now; undefined if the processor does not say, or if our key may not
   * ask.
   */
  available(charge: { reference: string; currency: string }): Promise<number | undefined>;
  /** How long the processor recognizes a repeated request by its key. */
  readonly repeatableMs: number;
}

/** Reads disputes, in which banks take money back. */
export interface Disputes {
  /** The state of a dispute; undefined if the processor has no such dispute of ours. */
  findDispute(reference: string): Promise<FoundDispute | undefined>;
  /** All disputes of a successful charge. */
  disputesOf(charge: PaidCharge): Promise<readonly FoundDispute[]>;
}

/** Our charges, refunds and disputes in the processor's account, for comparison with our books. */
export interface AccountRecords {
  /** Objects that began in a period. */
  charges(period: Period): Promise<readonly RecordedCharge[]>;
  /** The charges whose money came in a period, however old they are. */
  receipts(period: Period): Promise<readonly Receipt[]>;
  /** The charge of a receipt; undefined if the account has none of ours. */
  chargeOf(receipt: Receipt): Promise<RecordedCharge | undefined>;
  refunds(period: Period): Promise<readonly RecordedRefund[]>;
  disputes(period: Period): Promise<readonly FoundDispute[]>;
  /** One refund, even if it was made in the processor's own dashboard; undefined if it is not for a payment of ours. */
  refundWith(reference: string): Promise<RecordedRefund | undefined>;
  /** One early fraud warning; undefined if it is not about a payment of ours, `denied` if the key may not read it. */
  warningWith(reference: string): Promise<FoundWarning | 'denied' | undefined>;
}

/** Both ends are included. */
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

/** Money that came for one of our payments. */
export interface Receipt {
  paymentId: string;
  /** The processor's id of the money. */
  transaction: string;
}

export interface RecordedRefund {
  reference: string;
  /** Null if we did not make it. */
  refundId: string | null;
  paymentId: string;
  status: 'pending' | 'succeeded' | 'failed';
  amount: number;
  currency: string;
  createdAt: string;
}

/** Reads the processor's notifications. */
export interface Notifications {
  /**
   * The objects named by a verified notification. A hint is a reason to ask the processor, and never a state. Throws on
   * a bad signature.
   */
  read(headers: Readonly<Record<string, string | undefined>>, raw: Uint8Array): Promise<readonly Hint[]>;
}

export type PaymentMethods =
  | { kind: 'test-cards'; cards: readonly OfferedCard[] }
  /** The buyer pays on the site of the processor with this name. */
  | { kind: 'redirect'; title: string }
  | { kind: 'none' };

/** A test card as the page shows it. */
export interface OfferedCard {
  number: string;
  network: string;
  label: string;
}

/**
 * Amounts in our minor units. An amount must be a multiple of `step`. One of the processor's units is `unit` of ours.
 */
export interface ChargeLimits {
  minimum: number;
  maximum: number;
  step: number;
  unit: number;
}

/** Stored with the payment when it begins. Nothing in it depends on the time of the call. */
export interface ChargeAttempt {
  paymentId: string;
  sessionId: string;
  amount: number;
  currency: string;
  /** The description beside the amount on the processor's page, if it shows one line for all. */
  description: string;
  /** The lines of the order; null if the request shows one line for all, as 0.2.0 asked. */
  order: ShownOrder | null;
  email: string;
  /** The language of our page; null if a program started the payment. */
  locale: string | null;
  /** Text that is added to the merchant's name on the buyer's bank statement. */
  statementSuffix: string | null;
  /** The last four digits of the chosen test card; null if the buyer chooses the method on the processor's page. */
  card: string | null;
  /** Whether the processor's page may offer cards only. */
  takesCardsOnly: boolean;
  createdAt: string;
  /** The time until which the buyer can pay. */
  expiresAt: string;
}

/** The order as the processor's page and the processor's dashboard show it. */
export interface ShownOrder {
  /** Each with its discounted total. Together they are the amount of the charge. */
  lines: readonly { name: string; quantity: number; amount: number; image: string | null }[];
  /** What a bookkeeper finds in the processor's dashboard, beside the ids. */
  facts: Readonly<Record<string, string>>;
}

/** A started charge, with the values that the processor's answer must match. */
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
  /** The key of the request. A new one is stored before it is used, after the processor has refused the last one. */
  key: string;
  /** Whether the refund was asked for under other keys before. */
  isRenewed: boolean;
  /** Since when the key is used. */
  keyedAt: string;
  /** The processor's id of the refund, once it is known. */
  known: string | null;
  paymentId: string;
  /** The processor's reference of the successful charge. */
  reference: string;
  transaction: string;
  amount: number;
  currency: string;
}

/** A successful charge. */
export interface PaidCharge extends StartedCharge {
  transaction: string;
  createdAt: string;
}

/** A dispute, and our payment that it is about. */
export interface FoundDispute extends DisputeState {
  paymentId: string;
}

/** An early fraud warning, and our payment that it is about. */
export interface FoundWarning extends FraudWarning {
  paymentId: string;
}

/** The object of a notification. */
export type Hint =
  | { kind: 'charge'; paymentId: string; merchantId: string; reference: string }
  | { kind: 'refund'; refundId: string | null; reference: string; transaction: string | null }
  | { kind: 'dispute'; reference: string; transaction: string | null }
  | { kind: 'fee'; paymentId: string; merchantId: string }
  | { kind: 'warning'; reference: string }
  /** An operator tries whether notifications arrive. */
  | { kind: 'probe'; probeId: string; merchantId: string };
