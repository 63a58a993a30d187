import type { CardDetails } from './payment.ts';

/** What the processor says of a charge. */
export type ChargeState =
  | { status: 'open'; reference: string; url: string; expiresAt: string }
  /** The method takes its time; the buyer has nothing left to do. */
  | { status: 'processing'; reference: string }
  | {
      status: 'succeeded';
      reference: string;
      transaction: string;
      paidBy: PaidBy;
      /** Null: not known yet. Absent: the processor takes none. */
      fee?: ProcessorFee | null;
      /** Whether a bank already asks for the money back. */
      isDisputed: boolean;
    }
  | { status: 'failed'; reference: string; errorCode: string; errorMessage: string | null }
  /** Closed, or expired, before anybody paid. */
  | { status: 'cancelled'; reference: string }
  /** Nothing was started, and nothing will be under this id. It costs the buyer no attempt. */
  | { status: 'refused'; reason: RefusalReason; errorCode: string; errorMessage: string };

/** `amount`: too little or too much; `late`: the time to begin it is over; `request`: the account or the request does not allow it. */
export type RefusalReason = 'amount' | 'late' | 'request';

export interface PaidBy {
  /** `card`, `sepa_debit`, `ideal` … */
  method: string;
  /** Of a card, in capitals: `VISA`. */
  network: string | null;
  lastFour: string | null;
  /** Where the card was issued, ISO 3166-1 alpha-2. */
  country: string | null;
  /** Of a card, where the processor says more of it. */
  details?: CardDetails;
}

/** What the processor keeps of a charge, in the currency that it settles in. */
export interface ProcessorFee {
  amount: number;
  currency: string;
}
