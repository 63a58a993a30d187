import type { ChargeOutcome } from '../domain/payments/payment.ts';

export interface ChargeRequest {
  /** Our id, which is also the processor's idempotency key. */
  paymentId: string;
  amount: number;
  currency: string;
  /** What the buyer chose to pay with: in the sandbox the number of a test card. */
  card: string;
}

export interface RefundOrder {
  refundId: string;
  paymentId: string;
  amount: number;
  currency: string;
  card: { lastFour: string };
}

export type RefundOutcome = 'pending' | 'succeeded' | 'failed';

/** Who moves the money. Every call may be repeated with the same id and has one effect. */
export interface Processor {
  name: string;
  /**
   * Whether asking has an effect outside of this process. A remote processor is asked only after the intent is committed, and answers
   * are committed afterwards; one that decides in this process takes part in the one transaction.
   */
  isRemote: boolean;
  charge(request: ChargeRequest): Promise<ChargeOutcome>;
  refund(order: RefundOrder): Promise<RefundOutcome>;
  /** What became of a charge. One that never arrived has failed from now on: no late request under its id moves money. */
  findCharge(payment: { id: string; card: { lastFour: string } | null }): Promise<ChargeOutcome>;
  /** What became of a refund. One that never arrived is asked for now. */
  findRefund(order: RefundOrder): Promise<RefundOutcome>;
}
