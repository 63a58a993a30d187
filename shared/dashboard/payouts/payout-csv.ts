import type { Payout } from '../../domain/payouts/payout.ts';
import { netOf, type PayoutLine } from '../../domain/payouts/payout-line.ts';
import type { Column, CsvCell } from '../../domain/reports/csv.ts';
import type { PayoutView } from '../../use-cases/payouts/load-payout.ts';
import { zonedCsv } from '../report-csv.ts';

/** An amount in the payout's currency, or the processor's own number if our unit is not certain. */
const cellOf = ({ hasKnownUnit, currency }: Payout, amount: number): CsvCell =>
  hasKnownUnit ? { amount, currency } : amount;

const columnsOf = (payout: Payout): readonly Column<PayoutLine>[] => [
  { name: 'payout_id', cell: () => payout.id },
  { name: 'arrives_on', cell: () => payout.arrivesOn },
  { name: 'entry_id', cell: ({ id }) => id },
  { name: 'created_at', cell: ({ createdAt }) => createdAt, isInstant: true },
  { name: 'kind', cell: ({ kind }) => kind },
  { name: 'processor_type', cell: ({ type }) => type },
  { name: 'payment_id', cell: ({ paymentId }) => paymentId },
  { name: 'refund_id', cell: ({ refundId }) => refundId },
  { name: 'dispute_id', cell: ({ disputeId }) => disputeId },
  { name: 'processor_reference', cell: ({ reference }) => reference },
  { name: 'currency', cell: () => payout.currency },
  { name: 'amount', cell: ({ amount }) => cellOf(payout, amount) },
  { name: 'fee', cell: ({ fee }) => cellOf(payout, fee) },
  { name: 'net', cell: (line) => cellOf(payout, netOf(line)) },
  { name: 'sale_amount', cell: ({ original }) => original && { amount: original.amount, currency: original.currency } },
  { name: 'sale_currency', cell: ({ original }) => original?.currency ?? null },
  { name: 'exchange_rate', cell: ({ original }) => original?.rate ?? null },
  { name: 'note', cell: ({ note }) => note },
];

/** The lines of a payout as a file. Their nets are the payout. */
export const payoutCsv = ({ payout, lines }: PayoutView): string => zonedCsv(columnsOf(payout), lines);
