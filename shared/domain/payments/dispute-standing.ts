import * as z from 'zod';
import type { ChargeStatus } from '../checkout/checkout-session.ts';
import { Amount, sum } from '../money/money.ts';
import type { DisputeSummary, Payment } from './payment.ts';

type Decided = Pick<DisputeSummary, 'status'>;

const ended: readonly DisputeSummary['status'][] = ['won', 'lost', 'cancelled'];

/** Whether the bank has decided. An appeal may still open the dispute again. */
export const isDecided = ({ status }: Decided): boolean => ended.includes(status);

/** Whether the bank has decided for the buyer: the money is gone, unless an appeal brings it back. */
export const isLost = ({ status }: Decided): boolean => status === 'lost';

/** Where the disputes of a payment stand, and how much of the payment is lost to them. */
export const DisputeStanding = z.object({ isOpen: z.boolean(), hasLost: z.boolean(), lost: Amount });
export type DisputeStanding = z.infer<typeof DisputeStanding>;

type Disputed = Pick<Payment, 'disputes' | 'disputed'>;

/** Undefined where no bank has disputed the payment. */
export function disputeStandingOf({ disputes, disputed }: Disputed): DisputeStanding | undefined {
  if (disputes.length === 0) return undefined;
  const isOpen = disputes.some((dispute) => !isDecided(dispute));
  return { isOpen, hasLost: disputes.some(isLost), lost: lostOf({ disputes, disputed }) };
}

/** What lost disputes took of a payment: what had been refunded before, they could not take from it. */
export function lostOf({ disputes, disputed }: Disputed): number {
  const claimed = sum(disputes.filter(isLost).map(({ amount }) => amount));
  return Math.min(disputed, claimed);
}

/** What became of a sale, in the words that people read. The status of the API does not know them. */
export type SaleState = ChargeStatus | 'disputed' | 'lost' | 'refunded' | 'partly_refunded';

interface Sale extends Pick<Payment, 'gross' | 'refunded'> {
  status: ChargeStatus;
  /** Of the newest dispute. */
  disputeStatus?: DisputeSummary['status'] | undefined;
  /** Absent without disputes, and in short rows of 0.2.0: then the newest dispute decides. */
  disputeStanding?: DisputeStanding | undefined;
}

/** The state of a sale: a bank's claim comes before refunds. */
export function saleStateOf(sale: Sale): SaleState {
  if (sale.status !== 'succeeded') return sale.status;
  return claimedState(sale) ?? refundedState(sale);
}

function claimedState({ disputeStatus: status, disputeStanding }: Sale): SaleState | undefined {
  const newest = status && { isOpen: !isDecided({ status }), hasLost: isLost({ status }) };
  const { isOpen, hasLost } = disputeStanding ?? newest ?? { isOpen: false, hasLost: false };
  if (isOpen) return 'disputed';
  return hasLost ? 'lost' : undefined;
}

function refundedState({ status, gross, refunded }: Sale): SaleState {
  if (refunded === 0) return status;
  return refunded === gross ? 'refunded' : 'partly_refunded';
}
