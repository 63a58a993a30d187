import type { ProcessorReason } from '../processor.ts';
import type { CardDetails } from './payment.ts';

/** The state of a charge, as the processor reports it. */
export type ChargeState =
  /** `leftOut`: why the processor refused the text for card statements. The charge began without it. */
  | { status: 'open'; reference: string; url: string; expiresAt: string; leftOut?: ProcessorReason }
  /** The payment method is slow. The buyer has nothing more to do. */
  | { status: 'processing'; reference: string }
  | {
      status: 'succeeded';
      reference: string;
      transaction: string;
      paidBy: PaidBy;
      /** When the buyer paid; absent if the processor does not say. */
      paidAt?: string;
      /** The processor's fee; null if not known yet, absent if the processor takes none. */
      fee?: ProcessorFee | null;
      /** Whether the buyer's bank already disputes the payment. */
      isDisputed: boolean;
    }
  | { status: 'failed'; reference: string; errorCode: string; errorMessage: string | null }
  /** The charge was closed or has expired before it was paid. */
  | { status: 'cancelled'; reference: string }
  /**
   * The processor refused the charge, and will never begin one with this id. It does not count as an attempt of the
   * buyer.
   */
  | { status: 'refused'; reason: RefusalReason; errorCode: string; errorMessage: string; refusal?: ProcessorReason };

/**
 * Why the processor refused. `amount`: too small or too large. `late`: started too late. `buyer`: the buyer has to
 * correct something. `request`: the account, its key or the request is wrong, which the merchant has to fix.
 */
export type RefusalReason = 'amount' | 'late' | 'buyer' | 'request';

export interface PaidBy {
  /** `card`, `sepa_debit`, `ideal` … */
  method: string;
  /** The network of a card, in capitals: `VISA`. */
  network: string | null;
  lastFour: string | null;
  /** The country where the card was issued, ISO 3166-1 alpha-2. */
  country: string | null;
  /** More about a card, if the processor reports it. */
  details?: CardDetails;
}

/** The fee that the processor keeps of a charge, in its settlement currency. */
export interface ProcessorFee {
  amount: number;
  currency: string;
}
