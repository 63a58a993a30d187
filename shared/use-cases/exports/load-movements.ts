import { type DisputeAdjustment, standingAdjustment } from '../../domain/disputes/dispute-adjustment.ts';
import { dayMs } from '../../domain/duration.ts';
import type { ItemPage, ItemPageRequest } from '../../domain/list-page.ts';
import { disputedBy } from '../../domain/payments/dispute.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { hasPaidOut, type Refund, type RefundBrief } from '../../domain/payments/refund.ts';
import type { FreeingRefund, TaxCorrection } from '../../domain/payments/tax-correction.ts';
import {
  correctionMovement,
  type MovementKind,
  movementKey,
  returnMovement,
  saleMovement,
  type TaxMovement,
} from '../../domain/reports/returns/movement.ts';
import type { DayPeriod } from '../../domain/reports/returns/period.ts';
import type { DisputeStore } from '../../store/payments/dispute-store.ts';
import type { PaymentLists } from '../../store/payments/payment-list.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import { returnDate } from '../../tax/places/local-date.ts';
import { findCorrecting, findFreeing } from '../documents/find-correcting.ts';
import { readAll } from '../reports/export-payments.ts';

export interface LoadMovementsDeps {
  payments: Pick<PaymentLists, 'listBriefly' | 'listRefundsBriefly'> & Pick<PaymentStore, 'get' | 'getRefund'>;
  disputes: Pick<DisputeStore, 'list' | 'listAdjustments' | 'get'>;
}

/** The list reads two rows more to see whether others follow, so a page is one query. */
const pageSize = 998;
/** A local day begins up to 14 hours before the UTC day. */
const daysAhead = 1;
/** A local day ends up to 12 hours after the UTC day, and a sale has the date of its quote, up to 26 hours before the payment. */
const daysBehind = 2;
/** How many days before its end, or before its money came back, a refund may have been requested. */
const refundDays = 400;

export const startOfDay = (day: string, shiftDays = 0): string =>
  new Date(Date.parse(day) + shiftDays * dayMs).toISOString();
export const endOfDay = (day: string, shiftDays = 0): string =>
  new Date(Date.parse(day) + (shiftDays + 1) * dayMs - 1).toISOString();

const isWithin = (day: string, { from, to }: DayPeriod): boolean => from <= day && day <= to;

/**
 * Everything in a period that changes a tax return, in portions. Sales are sorted by tax date, the rest by the day at
 * the buyer's place.
 * @param known the movements that need not be read again
 */
export async function* movementsOf(
  deps: LoadMovementsDeps,
  period: DayPeriod,
  known: ReadonlySet<string> = new Set(),
): AsyncGenerator<TaxMovement[]> {
  for (const load of [salesOf, refundsOf, adjustmentsOf, disputesOf])
    for await (const movements of load(deps, period, known))
      yield movements.filter((movement) => !known.has(movementKey(movement)));
}

async function* salesOf(
  { payments }: LoadMovementsDeps,
  period: DayPeriod,
  known: ReadonlySet<string>,
): AsyncGenerator<TaxMovement[]> {
  const window = { createdFrom: startOfDay(period.from, -daysAhead), createdTo: endOfDay(period.to, daysBehind) };
  for await (const rows of pagesOf((page) => payments.listBriefly(window, page))) {
    const isNew = (id: string) => !known.has(movementKey({ kind: 'sale', id }));
    const sold = rows.filter(
      ({ id, status, taxDate }) => status === 'succeeded' && isWithin(taxDate, period) && isNew(id),
    );
    const found = await readAll(sold, async ({ id }) => saleMovement(await payments.get(id)));
    yield found.filter(({ date }) => isWithin(date, period));
  }
}

async function* refundsOf(
  { payments }: LoadMovementsDeps,
  period: DayPeriod,
  known: ReadonlySet<string>,
): AsyncGenerator<TaxMovement[]> {
  const window = { createdFrom: startOfDay(period.from, -refundDays), createdTo: endOfDay(period.to, 1) };
  const near = { from: startOfDay(period.from, -daysAhead), to: endOfDay(period.to, 1) };
  for await (const rows of pagesOf((page) => payments.listRefundsBriefly(window, page))) {
    const isNew = ({ id, reverted }: RefundBrief) =>
      !known.has(movementKey({ kind: 'refund', id })) ||
      (reverted !== undefined && !known.has(movementKey({ kind: 'refund_returned', id })));
    const paid = rows.filter(
      ({ updatedAt, ...row }) =>
        hasPaidOut(row) &&
        isNew({ updatedAt, ...row }) &&
        [updatedAt, row.reverted?.succeededAt ?? near.to].some((at) => isWithin(at, near)),
    );
    const found = await readAll(paid, async ({ id, paymentId }) => {
      const refund = await payments.getRefund(id);
      const correcting = await findCorrecting(payments, refund);
      const freedBy = await findFreeing(payments, refund);
      return refundMovements(await payments.get(paymentId), refund, { correction: correcting?.correction, freedBy });
    });
    yield found.flat().filter(({ date }) => isWithin(date, period));
  }
}

/**
 * The movements of a refund. It counts on the day of its success. If its money came back, it counts with the opposite
 * sign on a second day.
 */
export function refundMovements(
  payment: Payment,
  refund: Refund,
  before: { correction: TaxCorrection | undefined; freedBy: FreeingRefund | undefined },
): TaxMovement[] {
  const { updatedAt, reverted } = refund;
  const on = (kind: Exclude<MovementKind, 'sale'>, at: string) => {
    const returned = { kind, date: returnDate(payment, at) };
    return refund.correction
      ? correctionMovement(payment, { id: refund.id, ...refund.correction }, returned)
      : returnMovement(payment, refund, { ...returned, ...before });
  };
  const paid = on('refund', reverted?.succeededAt ?? updatedAt);
  return reverted ? [paid, on('refund_returned', reverted.at)] : [paid];
}

/** Lost disputes with a ground by the day of the loss, and reversed ones by the day on which the money came back. */
async function* adjustmentsOf(
  { payments, disputes }: LoadMovementsDeps,
  period: DayPeriod,
  known: ReadonlySet<string>,
): AsyncGenerator<TaxMovement[]> {
  const window = { createdFrom: startOfDay(period.from, -daysAhead), createdTo: endOfDay(period.to, 1) };
  const isNew = (id: string) => adjustmentKinds.every((kind) => !known.has(movementKey({ kind, id })));
  for await (const rows of pagesOf((page) => disputes.listAdjustments(window, page))) {
    const found = await readAll(
      rows.filter(({ id }) => isNew(id)),
      async ({ id, disputeId }) => {
        const dispute = await disputes.get(disputeId);
        const adjustment = dispute.adjustments?.find((one) => one.id === id);
        if (!adjustment) throw new Error(`The dispute ${disputeId} lacks its adjustment ${id}.`);
        const correcting = await findCorrecting(payments, adjustment);
        const freedBy = await findFreeing(payments, adjustment);
        const before = { correction: correcting?.correction, freedBy };
        return adjustmentMovement(await payments.get(dispute.paymentId), adjustment, before);
      },
    );
    yield found.filter(({ date }) => isWithin(date, period));
  }
}

const adjustmentKinds = ['dispute_lost', 'dispute_won'] as const;

/**
 * The movement of a dispute's adjustment. A lost dispute counts on the day of the loss. If its money came back, it
 * counts with the opposite sign on that later day.
 */
export function adjustmentMovement(
  payment: Payment,
  adjustment: DisputeAdjustment,
  before: { correction: TaxCorrection | undefined; freedBy: FreeingRefund | undefined },
): TaxMovement {
  const { kind, at, ground } = adjustment;
  const returned = { kind: `dispute_${kind}`, date: returnDate(payment, at) } as const;
  const movement = returnMovement(payment, adjustment, { ...returned, ...before });
  return ground === 'uncollectible' ? { ...movement, isUncollectible: true } : movement;
}

/**
 * Disputes without a ground by the day on which they were opened, with the money that the bank holds now. A disputed
 * invoice cannot be corrected. So if the invoice was corrected, the dispute came after the correction.
 */
async function* disputesOf(
  { payments, disputes }: LoadMovementsDeps,
  period: DayPeriod,
): AsyncGenerator<TaxMovement[]> {
  const window = { createdFrom: startOfDay(period.from, -daysAhead), createdTo: endOfDay(period.to, 1) };
  for await (const rows of pagesOf((page) => disputes.list(window, page))) {
    const found = await readAll(rows, async ({ id, paymentId, createdAt }) => {
      const [payment, dispute] = await Promise.all([payments.get(paymentId), disputes.get(id)]);
      const date = returnDate(payment, createdAt);
      if (disputedBy(dispute) === 0 || standingAdjustment(dispute)) return [];
      const correcting = await findCorrecting(payments, { correctedBy: payment.correction?.refundId });
      const freedBy = await findFreeing(payments, { freedBy: payment.taxFreed });
      const correction = correcting?.correction;
      return [returnMovement(payment, dispute, { kind: 'disputed', date, correction, freedBy })];
    });
    yield found.flat().filter(({ date }) => isWithin(date, period));
  }
}

/** All pages of a list. */
export async function* pagesOf<Row>(list: (page: ItemPageRequest) => Promise<ItemPage<Row>>): AsyncGenerator<Row[]> {
  let after: string | undefined;
  let hasMore = true;
  while (hasMore) {
    const page = await list({ size: pageSize, skip: 0, after });
    yield page.items;
    [after, hasMore] = [page.last, page.hasMore];
  }
}
