import { DomainError } from '../domain/errors.ts';
import type { Payment } from '../domain/payment.ts';
import type { RefundRow } from '../domain/refund.ts';
import { type PaidRefund, type TaxReportRow, taxReport } from '../domain/tax-report.ts';
import type { PaymentStore } from '../store/payment-store.ts';
import { localDate } from '../tax/local-date.ts';
import { loadPayments, readAll } from './export-payments.ts';

export interface ReportDeps {
  payments: Pick<PaymentStore, 'list' | 'get' | 'listRefunds' | 'getRefund'>;
}

/** Days, both included. */
export interface ReportPeriod {
  from: string;
  to: string;
}

/** What one report reads at most. */
const most = 3_000;
const dayMs = 86_400_000;
/** A local day begins up to 14 hours before that of UTC. */
const daysAhead = 1;
/** It ends up to 12 hours after it; a sale has the date of its quote, which may be 24 hours older than the payment. */
const daysBehind = 2;
/** How long a refund may have been pending before it was paid. */
const pendingDays = 90;

const startOf = (day: string, shiftDays = 0): string => new Date(Date.parse(day) + shiftDays * dayMs).toISOString();
const endOf = (day: string, shiftDays = 0): string =>
  new Date(Date.parse(day) + (shiftDays + 1) * dayMs - 1).toISOString();

/** Every payment of a period, UTC, whatever became of it; refuses a period with more than fits one file. */
export async function exportPayments(deps: ReportDeps, { from, to }: ReportPeriod): Promise<Payment[]> {
  const { payments, isPartial } = await loadPayments(deps, { createdFrom: startOf(from), createdTo: endOf(to), most });
  if (isPartial) throw tooMany();
  return payments;
}

/** What was sold and given back in a period, by country, tax and rate: dates are those of the places. */
export async function reportTaxes(deps: ReportDeps, period: ReportPeriod): Promise<TaxReportRow[]> {
  const [sold, returned] = await Promise.all([soldIn(deps, period), returnedIn(deps, period)]);
  return taxReport(sold, returned);
}

const isWithin = (day: string, { from, to }: ReportPeriod): boolean => from <= day && day <= to;

async function soldIn(deps: ReportDeps, period: ReportPeriod): Promise<Payment[]> {
  const { payments, isPartial } = await loadPayments(deps, {
    createdFrom: startOf(period.from, -daysAhead),
    createdTo: endOf(period.to, daysBehind),
    matches: ({ status }) => status === 'succeeded',
    most,
  });
  if (isPartial) throw tooMany();
  return payments.filter(({ calculation }) => isWithin(calculation.taxDate, period));
}

async function returnedIn(deps: ReportDeps, period: ReportPeriod): Promise<PaidRefund[]> {
  const filter = {
    createdFrom: startOf(period.from, -pendingDays),
    createdTo: endOf(period.to, 1),
    matches: ({ status }: RefundRow) => status === 'succeeded',
  };
  const page = await deps.payments.listRefunds(filter, { size: most, skip: 0, after: undefined });
  if (page.hasMore) throw tooMany();
  const refunds = await readAll(page.items, ({ id, paymentId }) => paidRefund(deps, id, paymentId));
  return refunds.filter(({ date }) => isWithin(date, period));
}

async function paidRefund(deps: ReportDeps, id: string, paymentId: string): Promise<PaidRefund> {
  const [refund, payment] = await Promise.all([deps.payments.getRefund(id), deps.payments.get(paymentId)]);
  const { country, region, postalCode } = payment.calculation;
  const place = { country, region: region ?? undefined, postalCode: postalCode ?? undefined };
  return { refund, payment, date: localDate(place, refund.updatedAt) };
}

const tooMany = (): DomainError =>
  new DomainError('INVALID_QUERY_PARAMS', `There are more than ${most} payments or refunds: choose a shorter period.`);
