import * as z from 'zod';
import { type ChargeStatus, chargeStatuses } from '../checkout/checkout-session.ts';
import { Amount, sum } from '../money/money.ts';
import type { DisputeSummary, Payment } from './payment.ts';

type Decided = Pick<DisputeSummary, 'status'>;

const ended: readonly DisputeSummary['status'][] = ['won', 'lost', 'cancelled'];

/** Whether the bank has decided. An appeal may still reopen the dispute. */
export const isDecided = ({ status }: Decided): boolean => ended.includes(status);

/** Whether the bank has decided for the buyer. The merchant gets the money back only after a successful appeal. */
export const isLost = ({ status }: Decided): boolean => status === 'lost';

/** The state of a payment's disputes, and how much of the payment is lost to them. */
export const DisputeStanding = z.object({ isOpen: z.boolean(), hasLost: z.boolean(), lost: Amount });
export type DisputeStanding = z.infer<typeof DisputeStanding>;

type Disputed = Pick<Payment, 'disputes' | 'disputed'>;

/** The state of the disputes; undefined if the payment was never disputed. */
export function disputeStandingOf({ disputes, disputed }: Disputed): DisputeStanding | undefined {
  if (disputes.length === 0) return undefined;
  const isOpen = disputes.some((dispute) => !isDecided(dispute));
  return { isOpen, hasLost: disputes.some(isLost), lost: lostOf({ disputes, disputed }) };
}

/** How much lost disputes took from a payment. Amounts that were refunded before are not part of it. */
export function lostOf({ disputes, disputed }: Disputed): number {
  const claimed = sum(disputes.filter(isLost).map(({ amount }) => amount));
  return Math.min(disputed, claimed);
}

/** The states of a sale in words for people. The API's status has fewer values. */
export const saleStates = [...chargeStatuses, 'disputed', 'lost', 'refunded', 'partly_refunded'] as const;
export type SaleState = (typeof saleStates)[number];

interface Sale extends Pick<Payment, 'gross' | 'refunded'> {
  status: ChargeStatus;
  /** The status of the newest dispute. */
  disputeStatus?: DisputeSummary['status'] | undefined;
  /**
   * The state of all disputes. Absent if there are none, and in list rows of 0.2.0. Then the status of the newest
   * dispute decides.
   */
  disputeStanding?: DisputeStanding | undefined;
}

/** The state of a sale. An open or lost dispute is shown before a refund. */
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
