import { adoptedRefundIdOf, disputeIdOf } from '../../domain/ids.ts';
import type { ItemPage, ItemPageRequest } from '../../domain/list-page.ts';
import { claimOn } from '../../domain/payments/dispute.ts';
import type { Refund } from '../../domain/payments/refund.ts';
import type {
  AccountRecords,
  FoundDispute,
  FoundWarning,
  Period,
  RecordedCharge,
  RecordedRefund,
} from '../../outside/processor/payment-processor.ts';
import type { DisputeStore } from '../../store/payments/dispute-store.ts';
import type { PaymentLists } from '../../store/payments/payment-list.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';

export interface FindDifferencesDeps {
  payments: Pick<PaymentStore, 'find' | 'getRefund'> & Pick<PaymentLists, 'list' | 'listRefundsBriefly'>;
  disputes: Pick<DisputeStore, 'find' | 'list'>;
  records: AccountRecords;
  /** The processor's name, as payments store it. */
  processor: string;
}

/** A difference between the processor's account and our records. */
export type BookDifference = { id: string; reference?: string } & (
  | { kind: 'payment-behind' | 'charge-unknown' | 'charge-missing' | 'amount-differs' | 'fee-unknown' }
  | { kind: 'refund-behind' | 'refund-unknown' | 'refund-missing' | 'dispute-behind' | 'dispute-missing' }
  | { kind: 'warning-behind' }
  | { kind: 'refund-foreign'; found: RecordedRefund }
);

/** What to do about each kind of difference. The daily comparison settles those that it can. */
export const adviceOn: Readonly<Record<BookDifference['kind'], string>> = {
  'payment-behind':
    'The processor has the money, and our payment had not succeeded. It is settled now; check it in the dashboard.',
  'charge-unknown':
    'The processor has a charge for a payment that is not in this table. If another stack sells through the same account under this merchant id, the charge belongs to its table: give each stack a merchant id of its own. Otherwise restore the table. Move no money before you know which.',
  'charge-missing':
    'Our payment succeeded, and the account does not show it. First see that the stored key belongs to the account that took the money. Then ask the processor, and deliver nothing more meanwhile.',
  'amount-differs':
    'The processor charged or returned another amount than our books say. Compare the payment’s page with the processor’s, and find out which is right before you move money.',
  'fee-unknown': 'The fee is not known yet. It is asked for again each day; there is nothing to do.',
  'refund-behind':
    'The processor says another end of a refund than our books. It is settled now; check it in the dashboard.',
  'refund-unknown':
    'The processor has a refund under an id of ours that is not in this table. If another stack uses the same account under this merchant id, it is its refund. Otherwise restore the table. Do not refund again.',
  'refund-missing':
    'Our refund succeeded, and the account has none. See that the stored key belongs to the account that paid it, and ask the processor before you refund again.',
  'refund-foreign':
    'A refund was made at the processor. It is booked now; make refunds in our dashboard or by the API.',
  'dispute-behind':
    'The processor says something else of a dispute than our books. It is settled now; check it in the dashboard.',
  'warning-behind':
    'The processor has an early fraud warning that our payment lacks. It is noted now; see on the payment’s page whether a refund still avoids a dispute.',
  'dispute-missing': 'Our books have a dispute that the processor does not have. Ask the processor.',
};

/** The longest time between the creation of a payment here and the start of its charge at the processor. */
const beginsWithinMs = 2 * 3_600_000;

/** Compares the charges, refunds, disputes and fees of some periods in both directions. Changes nothing. */
export async function* findDifferences(
  deps: FindDifferencesDeps,
  { charges, returns }: { charges: Period; returns: Period },
): AsyncGenerator<BookDifference> {
  yield* chargeDifferences(deps, charges);
  yield* refundDifferences(deps, returns);
  yield* disputeDifferences(deps, returns);
  yield* warningDifferences(deps, returns);
}

async function* chargeDifferences(deps: FindDifferencesDeps, period: Period): AsyncGenerator<BookDifference> {
  const to = new Date(Date.parse(period.to) + beginsWithinMs).toISOString();
  const paid = (await deps.records.charges({ from: period.from, to })).filter(({ isPaid }) => isPaid);
  for (const charge of paid) yield* aboutCharge(deps, charge);
  const known = new Set(paid.map(({ paymentId }) => paymentId));
  yield* lateDifferences(deps, { from: period.from, to }, known);
  for await (const { id, status, processor, gross } of all((page) => deps.payments.list(within(period), page)))
    if (status === 'succeeded' && processor === deps.processor && gross > 0 && !known.has(id))
      yield { kind: 'charge-missing', id };
}

/** Money that arrived in the period for charges that began before the period. */
async function* lateDifferences(
  deps: FindDifferencesDeps,
  period: Period,
  known: ReadonlySet<string>,
): AsyncGenerator<BookDifference> {
  for (const receipt of await deps.records.receipts(period)) {
    if (known.has(receipt.paymentId)) continue;
    const payment = await deps.payments.find(receipt.paymentId);
    const charge = payment?.status === 'succeeded' ? undefined : await deps.records.chargeOf(receipt);
    if (charge) yield* aboutCharge(deps, charge);
  }
}

async function* aboutCharge(deps: FindDifferencesDeps, charge: RecordedCharge): AsyncGenerator<BookDifference> {
  const { paymentId: id, reference, amount, currency } = charge;
  const payment = await deps.payments.find(id);
  if (!payment) yield { kind: 'charge-unknown', id, reference };
  else if (payment.gross !== amount || payment.currency !== currency) yield { kind: 'amount-differs', id, reference };
  else if (payment.status !== 'succeeded') yield { kind: 'payment-behind', id, reference };
  else if (!payment.fee) yield { kind: 'fee-unknown', id, reference };
}

async function* refundDifferences(deps: FindDifferencesDeps, period: Period): AsyncGenerator<BookDifference> {
  const theirs = await deps.records.refunds(period);
  for (const found of theirs) yield* aboutRefund(deps, found);
  const known = new Set(theirs.map((found) => ourIdOf(deps, found)));
  const ours = all((page) => deps.payments.listRefundsBriefly(within(period), page));
  // A corrected invoice is skipped. It is a refund of 0, which the processor does not know.
  for await (const { id, status, amount, paymentId } of ours)
    if (
      status === 'succeeded' &&
      amount > 0 &&
      !known.has(id) &&
      (await deps.payments.find(paymentId))?.processor === deps.processor
    )
      yield { kind: 'refund-missing', id };
}

const ourIdOf = ({ processor }: FindDifferencesDeps, { refundId, reference }: RecordedRefund): string =>
  refundId ?? adoptedRefundIdOf(processor, reference);

async function* aboutRefund(deps: FindDifferencesDeps, found: RecordedRefund): AsyncGenerator<BookDifference> {
  const { reference, paymentId, amount, status } = found;
  const id = ourIdOf(deps, found);
  const payment = await deps.payments.find(paymentId);
  if (!payment) yield { kind: 'charge-unknown', id: paymentId, reference };
  else if (payment.refunds.some((one) => one.id === id)) {
    const refund = await deps.payments.getRefund(id);
    if (refund.amount !== amount) yield { kind: 'amount-differs', id, reference };
    else if (refund.status !== status && !isOnItsWay(refund, status)) yield { kind: 'refund-behind', id, reference };
  } else if (found.refundId !== null) yield { kind: 'refund-unknown', id, reference };
  else if (status !== 'failed') yield { kind: 'refund-foreign', id, reference, found };
}

/**
 * Whether a refund is still in progress at the processor, but has failed here. It is compared when the processor ends
 * it.
 */
const isOnItsWay = (refund: Refund, status: RecordedRefund['status']): boolean =>
  status === 'pending' && refund.status === 'succeeded';

async function* disputeDifferences(deps: FindDifferencesDeps, period: Period): AsyncGenerator<BookDifference> {
  const theirs = await deps.records.disputes(period);
  for (const found of theirs) {
    const { reference } = found;
    const id = disputeIdOf(deps.processor, reference);
    if (!(await isBooked(deps, id, found))) yield { kind: 'dispute-behind', id, reference };
  }
  const known = new Set(theirs.map(({ reference }) => disputeIdOf(deps.processor, reference)));
  for await (const { id, processor } of all((page) => deps.disputes.list(within(period), page)))
    if (processor === deps.processor && !known.has(id)) yield { kind: 'dispute-missing', id };
}

async function isBooked({ disputes }: FindDifferencesDeps, id: string, found: FoundDispute): Promise<boolean> {
  const ours = await disputes.find(id);
  if (!ours) return false;
  const { withdrawn } = claimOn({ gross: ours.amount, currency: ours.currency }, found);
  return ours.withdrawn === withdrawn && (found.status === null || ours.status === found.status);
}

/** Finds payments whose newest early fraud warning is missing here, or has another state here. */
async function* warningDifferences(deps: FindDifferencesDeps, period: Period): AsyncGenerator<BookDifference> {
  const newest = new Map<string, FoundWarning>();
  for (const warning of await deps.records.warnings(period)) {
    const known = newest.get(warning.paymentId);
    if (!known || known.createdAt < warning.createdAt) newest.set(warning.paymentId, warning);
  }
  for (const { paymentId: id, reference, isActionable } of newest.values()) {
    const payment = await deps.payments.find(id);
    const ours = payment?.fraudWarning;
    if (payment && (ours?.reference !== reference || ours.isActionable !== isActionable))
      yield { kind: 'warning-behind', id, reference };
  }
}

const within = ({ from, to }: Period) => ({ createdFrom: from, createdTo: to });

/** Every row of a list, page by page. */
async function* all<Row>(list: (page: ItemPageRequest) => Promise<ItemPage<Row>>): AsyncGenerator<Row> {
  let after: string | undefined;
  for (let hasMore = true; hasMore; ) {
    const page = await list({ size: 100, skip: 0, after });
    yield* page.items;
    [after, hasMore] = [page.last, page.hasMore];
  }
}
