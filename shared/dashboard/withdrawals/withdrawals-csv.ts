import { type Column, csvLines } from '../../domain/reports/csv.ts';
import { decisionOf, dueAtOf } from '../../domain/withdrawal/withdrawal-case.ts';
import type { ListedWithdrawal } from '../../use-cases/withdrawal/list-withdrawals.ts';
import { zonedCsv } from '../report-csv.ts';

const columns: readonly Column<ListedWithdrawal>[] = [
  { name: 'withdrawal_id', cell: ({ declaration }) => declaration.id },
  { name: 'declared_at', cell: ({ declaration }) => declaration.receivedAt, isInstant: true },
  { name: 'due_at', cell: ({ current }) => dueAtOf(current), isInstant: true },
  { name: 'source', cell: ({ declaration }) => declaration.source },
  { name: 'proven_by', cell: ({ current }) => current.proof?.by ?? null },
  { name: 'name', cell: ({ declaration }) => declaration.name },
  { name: 'email', cell: ({ declaration }) => declaration.email },
  { name: 'reference', cell: ({ declaration }) => declaration.reference },
  { name: 'payment_id', cell: ({ current }) => current.paymentId },
  { name: 'lines', cell: ({ declaration }) => declaration.lines?.join(' ') ?? null },
  { name: 'acknowledged_at', cell: ({ current }) => current.acknowledgement.at, isInstant: true },
  { name: 'outcome', cell: ({ current }) => decisionOf(current)?.outcome ?? null },
  { name: 'reason', cell: ({ current }) => decisionOf(current)?.reason ?? null },
  { name: 'decided_at', cell: ({ current }) => decisionOf(current)?.at ?? null, isInstant: true },
  { name: 'decided_by', cell: ({ current }) => decisionOf(current)?.by ?? null },
  { name: 'refund_id', cell: ({ current }) => decisionOf(current)?.refundId ?? null },
  { name: 'status', cell: ({ status }) => status },
];

/** The file. If there are more withdrawals than it has, its last line is `next`, which says where they are. */
export const withdrawalsCsv = (withdrawals: readonly ListedWithdrawal[], next: string | undefined): string =>
  zonedCsv(columns, withdrawals) + (next ? csvLines([[next]]) : '');
