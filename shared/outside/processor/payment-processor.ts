import type { ChargeState } from '../../domain/payments/charge-state.ts';
import type { DisputeState } from '../../domain/payments/dispute.ts';
import type { FraudWarning } from '../../domain/payments/payment.ts';
import type { RefundState } from '../../domain/payments/refund.ts';
import type { PayoutState } from '../../domain/payouts/payout.ts';
import type { PayoutLine, PayoutLineKind } from '../../domain/payouts/payout-line.ts';
import type { AccountLacks } from '../../domain/processor.ts';

/**
 * The interface of a payment processor. Two calls with the same id have one effect. An answer may be late, doubled or
 * lost. A call without a certain answer throws a `ProcessorError`. The caller then asks again later, and does not
 * guess. The parts are independent, so the bundle of a function contains only the parts that it uses.
 */
export interface PaymentProcessor extends Charges, Refunds, Disputes, Notifications {
  readonly name: string;
}

/** The part that charges buyers. */
export interface Charges {
  /** What the checkout page offers: test cards, or a button that leads to the processor. */
  methods(): PaymentMethods;
  /** The amounts that this processor can charge in a currency; undefined if it does not support the currency. */
  limits(currency: string): ChargeLimits | undefined;
  /**
   * Starts a charge with the id of our payment. All parameters come from the stored attempt, so that a repetition sends
   * the same ones.
   * @param isFirst whether this attempt was certainly not sent before. Only then does a refusal prove that no charge
   * began. After a repetition, the first request may have begun it.
   */
  begin(attempt: ChargeAttempt, isFirst?: boolean): Promise<ChargeState>;
  /**
   * The state of a charge. `returned` contains the parameters with which the buyer's browser came back to the return
   * page.
   */
  find(charge: StartedCharge, returned?: ReadonlyMap<string, string>): Promise<ChargeState>;
  /**
   * Ends an open charge, so that the buyer can no longer pay it. If it was paid in the meantime, the answer says so.
   */
  close(charge: StartedCharge): Promise<ChargeState>;
}

/** The part that pays refunds. */
export interface Refunds {
  /** Pays a refund only once, with the id of our refund. */
  refund(order: RefundAttempt): Promise<RefundState>;
  /** The state of a refund; undefined if the processor does not know it. */
  findRefund(order: RefundAttempt): Promise<RefundState | undefined>;
  /**
   * The money from which a charge can be refunded now. Undefined if the processor does not say, or if our key may not
   * read it.
   */
  available(charge: { reference: string; currency: string }): Promise<number | undefined>;
  /** For how long the processor recognizes a repeated request by its key, in milliseconds. */
  readonly repeatableMs: number;
}

/** The part that reads disputes, in which banks take money back. */
export interface Disputes {
  /** The state of a dispute; undefined if the processor has no such dispute of ours. */
  findDispute(reference: string): Promise<FoundDispute | undefined>;
  /** All disputes of a successful charge. */
  disputesOf(charge: PaidCharge): Promise<readonly FoundDispute[]>;
}

/** The part that reads our charges, refunds and disputes in the processor's account, to compare them with our rows. */
export interface AccountRecords {
  /** The charges, refunds and disputes that began in a period. */
  charges(period: Period): Promise<readonly RecordedCharge[]>;
  /** The charges whose money arrived in a period, even if they are old. */
  receipts(period: Period): Promise<readonly Receipt[]>;
  /** The charge of a receipt; undefined if the account has none of ours. */
  chargeOf(receipt: Receipt): Promise<RecordedCharge | undefined>;
  refunds(period: Period): Promise<readonly RecordedRefund[]>;
  disputes(period: Period): Promise<readonly FoundDispute[]>;
  /**
   * One refund, even if it was made in the processor's own dashboard. Undefined if it is not for a payment of this
   * stack.
   */
  refundWith(reference: string): Promise<RecordedRefund | undefined>;
  /**
   * One early fraud warning. Undefined if it is not about a payment of this stack; `denied` if the key may not read it.
   */
  warningWith(reference: string): Promise<FoundWarning | 'denied' | undefined>;
  /** The early fraud warnings of a period; empty if the key may not read them. */
  warnings(period: Period): Promise<readonly FoundWarning[]>;
  /** The missing rights of the key, and the missing events of the endpoint at this address. It only reads. */
  lacks(notifyUrl: string): Promise<Omit<AccountLacks, 'at'>>;
}

/** Reads what the account pays out to the merchant's bank account, and what is in it. */
export interface Payouts {
  /** The payouts that were made in a period, newest first. @throws RightMissing if the key may not read them */
  payouts(period: Period): Promise<readonly PayoutState[]>;
  /** One payout; undefined if the account has none with this id. @throws RightMissing */
  payout(id: string): Promise<PayoutState | undefined>;
  /**
   * A part of what is in an automatic payout, newest first, without the payout's own entry. Repetitions answer the same.
   * @param after the last entry of the part before; null for the first part
   * @throws RightMissing
   */
  entries(payout: PayoutState, after: string | null): Promise<PayoutEntries>;
}

export interface PayoutEntries {
  entries: readonly PayoutEntry[];
  /** The last entry of this part; null if no part follows. */
  after: string | null;
}

/** An entry of the account's balance. The ids of ours in it are known only if the processor's object carries them. */
export interface PayoutEntry extends Omit<PayoutLine, 'kind' | 'disputeId'> {
  kind: PayoutEntryKind;
  /** The shop that its object names; null if it names none. */
  merchantId: string | null;
}

/** What an entry is about, before it is known whose it is. */
export type PayoutEntryKind = Exclude<PayoutLineKind, 'other_sale'>;

/** A period between two instants, both included. */
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

/** Money that arrived for one of our payments. */
export interface Receipt {
  paymentId: string;
  /** The processor's id of the money. */
  transaction: string;
}

export interface RecordedRefund {
  reference: string;
  /** Our refund; null if it was made at the processor. */
  refundId: string | null;
  paymentId: string;
  status: 'pending' | 'succeeded' | 'failed';
  amount: number;
  currency: string;
  createdAt: string;
}

/** The part that reads the processor's notifications. */
export interface Notifications {
  /**
   * The objects that a verified notification names. A hint is only a reason to ask the processor. It does not contain a
   * state. Throws if the signature is wrong.
   */
  read(headers: Readonly<Record<string, string | undefined>>, raw: Uint8Array): Promise<readonly Hint[]>;
}

export type PaymentMethods =
  | { kind: 'test-cards'; cards: readonly OfferedCard[] }
  /** The buyer pays on the site of the processor with this name. */
  | { kind: 'redirect'; title: string }
  | { kind: 'none' };

/** A test card, as the page offers it. */
export interface OfferedCard {
  number: string;
  network: string;
  label: string;
}

/**
 * The limits of an amount in our minor units. An amount must be a multiple of `step`. `unit` is how many of our units
 * are one of the processor's.
 */
export interface ChargeLimits {
  minimum: number;
  maximum: number;
  step: number;
  unit: number;
}

/**
 * The request that begins a charge. It is stored with the payment, and nothing in it depends on the time of the call.
 */
export interface ChargeAttempt {
  paymentId: string;
  sessionId: string;
  amount: number;
  currency: string;
  /** The description beside the amount on the processor's page, if it shows one line for all. */
  description: string;
  /** The lines of the order; null if the request has one line for everything, as in 0.2.0. */
  order: ShownOrder | null;
  email: string;
  /** The language of our page; null if a program started the payment. */
  locale: string | null;
  /** The text that the buyer's bank statement shows after the merchant's name. */
  statementSuffix: string | null;
  /** The last four digits of the chosen test card; null if the buyer chooses the method on the processor's page. */
  card: string | null;
  /** Whether the processor's page may offer only cards. */
  takesCardsOnly: boolean;
  createdAt: string;
  /** The time until which the buyer can pay. */
  expiresAt: string;
}

/** The order as the processor's page and the processor's dashboard show it. */
export interface ShownOrder {
  /** The lines of the order with their discounted totals. Their sum is the amount of the charge. */
  lines: readonly { name: string; quantity: number; amount: number; image: string | null }[];
  /** Facts about the order besides the ids, for a bookkeeper who looks into the processor's dashboard. */
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
  /** The key of the request. If the processor has refused the last one, a new key is stored before it is used. */
  key: string;
  /** Whether the refund was requested with other keys before. */
  isRenewed: boolean;
  /** When the key was first used. */
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

/** The object that a notification names. */
export type Hint =
  | { kind: 'charge'; paymentId: string; merchantId: string; reference: string }
  | { kind: 'refund'; refundId: string | null; reference: string; transaction: string | null }
  | { kind: 'dispute'; reference: string; transaction: string | null }
  | { kind: 'fee'; paymentId: string; merchantId: string }
  | { kind: 'warning'; reference: string }
  | { kind: 'payout'; reference: string }
  /** The test request of an operator, to see whether notifications arrive. */
  | { kind: 'probe'; probeId: string; merchantId: string };
