import { dayMs } from '../../domain/duration.ts';
import { DomainError } from '../../domain/errors.ts';
import type { ItemPage, ItemPageRequest } from '../../domain/list-page.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { hasPaidOut, type Refund } from '../../domain/payments/refund.ts';
import { type PaidRefund, type TaxReportRow, taxReport } from '../../domain/reports/tax-report.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { brokenRule } from '../../domain/rules/rules.ts';
import type { DisputeStore } from '../../store/payments/dispute-store.ts';
import type { PaymentLists } from '../../store/payments/payment-list.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import { returnDate } from '../../tax/places/local-date.ts';
import { findCorrecting, findFreeing } from '../documents/find-correcting.ts';
import { loadPayments, readAll, withoutNotes } from './export-payments.ts';

export interface ReportDeps {
  payments: Pick<PaymentLists, 'listBriefly' | 'listRefundsBriefly'> & Pick<PaymentStore, 'get' | 'getRefund'>;
  disputes: Pick<DisputeStore, 'listAdjustments' | 'get'>;
}

/** The first and the last day of a report, both included. */
export interface ReportPeriod {
  from: string;
  to: string;
}

/** The most payments or refunds in one file. */
const most = 3_000;
/**
 * The most rows that are read for a file. For some rows, only the full object shows their period, so some are read for
 * nothing.
 */
const mostRead = 2 * most;
/** The most searches of a list. */
const mostSearches = 60;
/** The most rows that are searched within the seconds of one request. */
const mostSearched = 50_000;
/** The list reads two rows more to see whether others follow, so a page is one query. */
const pageSize = 998;
/** A local day begins up to 14 hours before the UTC day. */
const daysAhead = 1;
/**
 * A local day ends up to 12 hours after the UTC day. A sale has the date of its quote, which can be 24 hours before
 * the payment.
 */
const daysBehind = 2;
/** How long a refund may have been pending before it was paid. */
const pendingDays = 90;

const startOf = (day: string, shiftDays = 0): string => new Date(Date.parse(day) + shiftDays * dayMs).toISOString();
const endOf = (day: string, shiftDays = 0): string =>
  new Date(Date.parse(day) + (shiftDays + 1) * dayMs - 1).toISOString();

/** Every payment of a UTC period, in any status. Refuses a period with more than one file can hold. */
export async function exportPayments(deps: ReportDeps, { from, to }: ReportPeriod): Promise<Payment[]> {
  const { payments, isPartial } = await loadPayments(deps, {
    createdFrom: startOf(from),
    createdTo: endOf(to),
    most,
    mostSearches,
  });
  if (isPartial) throw tooMany(most);
  return payments;
}

/** Sales and refunds of a period by country, tax and rate. Dates are the local dates at each place. */
export async function reportTaxes(deps: ReportDeps, period: ReportPeriod): Promise<TaxReportRow[]> {
  const get = readingOnce(async (id) => withoutNotes(await deps.payments.get(id)));
  const payments = { ...deps.payments, get };
  const reading = { payments, disputes: deps.disputes };
  const [sold, returned, lost] = await Promise.all([
    soldIn(reading, period),
    returnedIn(reading, period),
    lostIn(reading, period),
  ]);
  return taxReport(sold, [...returned, ...lost]);
}

/** Lost disputes with a ground, and disputes whose money came back later. They count like refunds. */
async function lostIn({ payments, disputes }: ReportDeps, period: ReportPeriod): Promise<PaidRefund[]> {
  const window = { createdFrom: startOf(period.from, -daysAhead), createdTo: endOf(period.to, 1) };
  const rows = await search(
    (page) => disputes.listAdjustments(window, page),
    () => true,
  );
  const lost = await readAll(rows, async ({ id, disputeId }): Promise<PaidRefund[]> => {
    const { paymentId, adjustments = [] } = await disputes.get(disputeId);
    const payment = await payments.get(paymentId);
    const own = adjustments.filter((one) => one.id === id);
    return readAll(own, async (one) => ({
      refund: one,
      payment,
      date: returnDate(payment, one.at),
      isReverted: one.kind === 'won',
      correction: (await findCorrecting(payments, one))?.correction,
      freedBy: await findFreeing(payments, one),
    }));
  });
  return atMost(lost.flat().filter(({ date }) => isWithin(date, period)));
}

/** Reads each payment only once, even if several of its refunds need it. */
function readingOnce(read: (id: string) => Promise<Payment>): (id: string) => Promise<Payment> {
  const readings = new Map<string, Promise<Payment>>();
  return (id) => {
    const payment = readings.get(id) ?? read(id);
    readings.set(id, payment);
    return payment;
  };
}

const isWithin = (day: string, { from, to }: ReportPeriod): boolean => from <= day && day <= to;

async function soldIn({ payments }: ReportDeps, period: ReportPeriod): Promise<Payment[]> {
  const window = { createdFrom: startOf(period.from, -daysAhead), createdTo: endOf(period.to, daysBehind) };
  const rows = await search(
    (page) => payments.listBriefly(window, page),
    ({ status, taxDate }) => status === 'succeeded' && isWithin(taxDate, period),
  );
  const sold = await readAll(rows, ({ id }) => payments.get(id));
  return atMost(sold.filter(({ calculation }) => isWithin(calculation.taxDate, period)));
}

async function returnedIn({ payments }: ReportDeps, period: ReportPeriod): Promise<PaidRefund[]> {
  const paid = { from: startOf(period.from, -daysAhead), to: endOf(period.to, 1) };
  const rows = await search(
    (page) =>
      payments.listRefundsBriefly({ createdFrom: startOf(period.from, -pendingDays), createdTo: paid.to }, page),
    ({ updatedAt, ...row }) =>
      hasPaidOut(row) && [updatedAt, row.reverted?.succeededAt ?? updatedAt].some((at) => isWithin(at, paid)),
  );
  const refunds = await readAll(rows, async ({ id }) => ({
    ...(await payments.getRefund(id)),
    reason: null,
    metadata: {},
  }));
  const near = refunds.filter(({ updatedAt, reverted }) =>
    [updatedAt, reverted?.succeededAt ?? updatedAt].some((at) => isWithin(at, paid)),
  );
  const returned = await readAll(near, async (refund) => {
    const correcting = await findCorrecting(payments, refund);
    const freedBy = await findFreeing(payments, refund);
    return paidRefunds(refund, await payments.get(refund.paymentId)).map((paid) => ({
      ...paid,
      correction: correcting?.correction,
      freedBy,
    }));
  });
  return atMost(returned.flat().filter(({ date }) => isWithin(date, period)));
}

/**
 * The entries of a refund. It counts on the day of its success. If its money came back, it counts with the opposite
 * sign on a second day.
 */
function paidRefunds(refund: Refund, payment: Payment): PaidRefund[] {
  const { updatedAt, reverted } = refund;
  const paid = { refund, payment, date: returnDate(payment, reverted?.succeededAt ?? updatedAt) };
  return reverted ? [paid, { ...paid, date: returnDate(payment, reverted.at), isReverted: true }] : [paid];
}

/**
 * The rows of a list that may belong to a period, page by page. It includes rows whose period is only in the full
 * object.
 */
async function search<Row>(
  list: (page: ItemPageRequest) => Promise<ItemPage<Row>>,
  mayBelong: (row: Row) => boolean,
): Promise<Row[]> {
  const found: Row[] = [];
  let after: string | undefined;
  let searched = 0;
  let hasMore = true;
  for (let searches = 0; hasMore; searches += 1) {
    if (searches === mostSearches) throw tooMany(searched);
    const page = await list({ size: pageSize, skip: 0, after });
    found.push(...page.items.filter(mayBelong));
    searched += page.items.length;
    if (searched > mostSearched) throw tooMany(mostSearched);
    if (found.length > mostRead) throw tooMany(mostRead);
    [after, hasMore] = [page.last, page.hasMore];
  }
  return found;
}

function atMost<Item>(items: Item[]): Item[] {
  if (items.length > most) throw tooMany(most);
  return items;
}

const tooMany = (count: number): DomainError =>
  new DomainError('INVALID_QUERY_PARAMS', brokenRule(sentences.export_payments, { most: count }));
