import type { Charges } from './payment-processor.ts';

export interface RefundOrder {
  refundId: string;
  paymentId: string;
  amount: number;
  currency: string;
  card: { lastFour: string };
}

export type RefundOutcome = 'pending' | 'succeeded' | 'failed';

/** Who moves the money. Every call may be repeated with the same id and has one effect. */
export interface Processor extends Charges {
  name: string;
  /**
   * Whether asking for a refund has an effect outside of this process. A remote processor is asked only after the refund is committed,
   * and answers are committed afterwards; one that decides in this process takes part in the one transaction.
   */
  isRemote: boolean;
  refund(order: RefundOrder): Promise<RefundOutcome>;
  /** What became of a refund. One that never arrived is asked for now. */
  findRefund(order: RefundOrder): Promise<RefundOutcome>;
}
