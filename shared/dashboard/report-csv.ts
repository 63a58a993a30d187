import type { AuditEntry } from '../domain/access/audit.ts';
import { DomainError } from '../domain/errors.ts';
import type { Payment } from '../domain/payments/payment.ts';
import { type Column, csvOf } from '../domain/reports/csv.ts';
import { withLocalTimes } from '../domain/reports/local-times.ts';
import { exportedPaymentColumns } from '../domain/reports/payment-columns.ts';
import { quarterOf, type TaxReportRow } from '../domain/reports/tax-report.ts';
import * as sentences from '../domain/rules/rule-sentences.ts';
import { brokenRule } from '../domain/rules/rules.ts';
import { env } from '../env.ts';
import type { Page } from '../http/page.ts';
import { pageHeaders } from '../pages/headers.ts';
import { percent } from '../wire/percent.ts';

/** A file with the time of each instant in the merchant's zone too. */
export const zonedCsv = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string =>
  assertSendable(csvOf(withLocalTimes(columns, env.merchant().timeZone), rows));

/** The most bytes of a file. A function can return at most 6 MB: the text as JSON, or its compressed form in base64. */
const mostBytes = 5_000_000;

function assertSendable(file: string): string {
  if (Buffer.byteLength(JSON.stringify(file)) <= mostBytes) return file;
  throw new DomainError('INVALID_QUERY_PARAMS', brokenRule(sentences.export_bytes));
}

export const paymentsCsv = (payments: readonly Payment[]): string => zonedCsv(exportedPaymentColumns, payments);

const taxColumns: readonly Column<TaxReportRow>[] = [
  { name: 'month', cell: ({ month }) => month },
  { name: 'quarter', cell: ({ month }) => quarterOf(month) },
  { name: 'country', cell: ({ country }) => country },
  { name: 'region', cell: ({ region }) => region },
  { name: 'jurisdiction', cell: ({ jurisdiction }) => jurisdiction },
  { name: 'tax_name', cell: ({ tax }) => tax },
  { name: 'rate_percent', cell: ({ rate }) => percent(rate) },
  { name: 'reason', cell: ({ reason }) => reason },
  { name: 'currency', cell: ({ currency }) => currency },
  { name: 'sales', cell: ({ sales }) => sales },
  { name: 'net', cell: ({ soldNet: amount, currency }) => ({ amount, currency }) },
  { name: 'tax', cell: ({ soldTax: amount, currency }) => ({ amount, currency }) },
  { name: 'refunds', cell: ({ refunds }) => refunds },
  { name: 'refunded_net', cell: ({ refundedNet: amount, currency }) => ({ amount, currency }) },
  { name: 'refunded_tax', cell: ({ refundedTax: amount, currency }) => ({ amount, currency }) },
  {
    name: 'net_after_refunds',
    cell: ({ soldNet, refundedNet, currency }) => ({ amount: soldNet - refundedNet, currency }),
  },
  {
    name: 'tax_after_refunds',
    cell: ({ soldTax, refundedTax, currency }) => ({ amount: soldTax - refundedTax, currency }),
  },
];

export const taxesCsv = (rows: readonly TaxReportRow[]): string => assertSendable(csvOf(taxColumns, rows));

const auditColumns: readonly Column<AuditEntry>[] = [
  { name: 'at', cell: ({ at }) => at, isInstant: true },
  { name: 'key_id', cell: ({ by }) => by.keyId },
  { name: 'key_name', cell: ({ by }) => by.keyName },
  { name: 'via', cell: ({ by }) => by.via },
  { name: 'command', cell: ({ command }) => command },
  { name: 'subject_id', cell: ({ subject }) => subject },
  { name: 'details', cell: ({ details }) => JSON.stringify(details) },
  { name: 'id', cell: ({ id }) => id },
];

export const auditCsv = (entries: readonly AuditEntry[]): string => zonedCsv(auditColumns, entries);

/** A file for the browser to download. */
export const csvPage = (name: string, body: string): Page => ({
  statusCode: 200,
  headers: {
    ...pageHeaders(),
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${name}"`,
  },
  body,
});
