import {
  broken,
  type DisputeFacts,
  type PaymentFacts,
  type RefundFacts,
} from '../../../shared/domain/payments/balance.ts';
import { isNumberedByPayment } from '../../../shared/events/catalogue.ts';

/** The facts that an event reported to the merchant. */
export interface Told {
  type: string;
  sequence: number;
  total: number | undefined;
  refundId: string | undefined;
  amount: number | undefined;
  disputeId?: string | undefined;
}

/** Events of a payment that do not change its status. */
const changesNothing = ['payment.processing', 'payment.fraud_warned'];

/**
 * Finds faults of a payment's events: there must be one event for each change of state, numbered in order, with the
 * payment's amount. Old events may be removed.
 */
export function misreported(payment: PaymentFacts, told: readonly Told[], eventsKeptSince: string): string[] {
  const numbers = told
    .filter(isNumberedByPayment)
    .map(({ sequence }) => sequence)
    .sort((a, b) => a - b);
  const isNumbered = numbers.length === payment.events && numbers.every((number, index) => number === index + 1);
  const own = told.filter(({ type }) => type.startsWith('payment.'));
  const all = own.map(({ type }) => type).filter((type) => !changesNothing.includes(type));
  const ends = payment.isLate ? all.filter((type) => type === 'payment.succeeded') : all;
  const expected = payment.status === 'processing' ? [] : [`payment.${payment.status}`];
  const isOld = payment.createdAt < eventsKeptSince;
  return broken(payment.id, [
    [isOld || isNumbered, `it counts ${payment.events} events, but finds ${numbers.join() || 'none'}`],
    [
      isOld || ends.join() === expected.join(),
      `it is ${payment.status}, and its events are ${ends.join() || 'missing'}`,
    ],
    [own.every(({ total }) => total === payment.gross), 'an event has a different amount'],
  ]);
}

export function misreportedRefund(refund: RefundFacts, told: readonly Told[], eventsKeptSince: string): string[] {
  const { id, status, amount, updatedAt, isReverted = false } = refund;
  const own = told.filter(({ refundId }) => refundId === id).sort((a, b) => a.sequence - b.sequence);
  const all = own.map(({ type }) => type).filter((type) => type !== 'refund.delayed');
  const ends = all.join();
  const expected = status === 'pending' ? [] : [...(isReverted ? ['refund.succeeded'] : []), `refund.${status}`];
  const isTold = ends === expected.join();
  return broken(id, [
    [updatedAt < eventsKeptSince || isTold, `it is ${status}, and its events are ${ends || 'missing'}`],
    [own.every((event) => event.amount === amount), 'its event has a different amount'],
  ]);
}

/** Finds faults of a dispute's events: the newest one must have the dispute's status. */
export function misreportedDispute(dispute: DisputeFacts, told: readonly Told[], eventsKeptSince: string): string[] {
  const { id, status, updatedAt } = dispute;
  const own = told
    .filter(({ disputeId, type }) => disputeId === id && type !== 'dispute.adjusted')
    .sort((a, b) => a.sequence - b.sequence);
  const newest = own.at(-1)?.type ?? 'missing';
  const isTold = newest === `dispute.${status}`;
  return broken(id, [[updatedAt < eventsKeptSince || isTold, `it is ${status}, and its newest event is ${newest}`]]);
}
