import type { AuditEntry } from '../../domain/access/audit.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { quarterOf, type TaxReportRow } from '../../domain/reports/tax-report.ts';
import { percent } from '../../wire/percent.ts';
import { type CsvCell, csvFile } from './csv.ts';

interface Column<Row> {
  name: string;
  cell: (row: Row) => CsvCell;
}

const fileOf = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string =>
  assertSendable(
    csvFile(
      columns.map(({ name }) => name),
      rows.map((row) => columns.map(({ cell }) => cell(row))),
    ),
  );

/** A function answers with 6 MB at most: the text as JSON, or what compression leaves of it in base64. */
const mostBytes = 5_000_000;

function assertSendable(file: string): string {
  if (Buffer.byteLength(JSON.stringify(file)) <= mostBytes) return file;
  throw new DomainError('INVALID_QUERY_PARAMS', 'The file would be larger than 5 MB: choose a shorter period.');
}

const paymentColumns: readonly Column<Payment>[] = [
  { name: 'payment_id', cell: ({ id }) => id },
  { name: 'created_at', cell: ({ createdAt }) => createdAt },
  { name: 'tax_date', cell: ({ calculation }) => calculation.taxDate },
  { name: 'status', cell: ({ status }) => status },
  { name: 'currency', cell: ({ currency }) => currency },
  { name: 'net', cell: ({ net: amount, currency }) => ({ amount, currency }) },
  { name: 'tax', cell: ({ tax: amount, currency }) => ({ amount, currency }) },
  { name: 'total', cell: ({ gross: amount, currency }) => ({ amount, currency }) },
  { name: 'refunded', cell: ({ refunded: amount, currency }) => ({ amount, currency }) },
  { name: 'country', cell: ({ calculation }) => calculation.country },
  { name: 'region', cell: ({ calculation }) => calculation.region },
  { name: 'postal_code', cell: ({ calculation }) => calculation.postalCode },
  { name: 'tax_id', cell: ({ taxId }) => taxId?.id ?? null },
  { name: 'tax_id_status', cell: ({ taxId }) => taxId?.status ?? null },
  { name: 'business_name', cell: ({ businessName }) => businessName },
  { name: 'customer_id', cell: ({ customer }) => customer.id },
  { name: 'customer_email', cell: ({ customer }) => customer.email },
  { name: 'customer_name', cell: ({ customer }) => customer.name },
  { name: 'products', cell: ({ lines }) => lines.map(({ name, quantity }) => `${quantity} × ${name}`).join('; ') },
  { name: 'card_last_four', cell: ({ card }) => card?.lastFour ?? null },
  { name: 'error_code', cell: ({ errorCode }) => errorCode },
  { name: 'brand_id', cell: ({ brandId }) => brandId },
  { name: 'checkout_session_id', cell: ({ sessionId }) => sessionId },
];

export const paymentsCsv = (payments: readonly Payment[]): string => fileOf(paymentColumns, payments);

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

export const taxesCsv = (rows: readonly TaxReportRow[]): string => fileOf(taxColumns, rows);

const auditColumns: readonly Column<AuditEntry>[] = [
  { name: 'at', cell: ({ at }) => at },
  { name: 'key_id', cell: ({ by }) => by.keyId },
  { name: 'key_name', cell: ({ by }) => by.keyName },
  { name: 'via', cell: ({ by }) => by.via },
  { name: 'command', cell: ({ command }) => command },
  { name: 'subject_id', cell: ({ subject }) => subject },
  { name: 'details', cell: ({ details }) => JSON.stringify(details) },
  { name: 'id', cell: ({ id }) => id },
];

export const auditCsv = (entries: readonly AuditEntry[]): string => fileOf(auditColumns, entries);
