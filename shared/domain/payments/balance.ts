import { sum } from '../money/money.ts';
import { counters } from './counters.ts';
import type { Dispute } from './dispute.ts';
import type { Payment, PaymentLine } from './payment.ts';
import type { Refund, RefundLine } from './refund.ts';

type Claim = readonly [holds: boolean, fault: string];

export const broken = (id: string, claims: readonly Claim[]): string[] =>
  claims.filter(([holds]) => !holds).map(([, fault]) => `${id}: ${fault}`);

/**
 * Checks `amount = refundable + pending + refunded + disputed` and `net + tax = amount` for the payment and each line, and
 * that lines add up.
 */
export function unbalanced(payment: Payment): string[] {
  const parts = [payment, ...payment.lines].flatMap((part): Claim[] => [
    [
      sum(counters.map((counter) => part[counter])) === part.gross,
      'refundable, pending, refunded and disputed do not add up to the amount',
    ],
    [part.net + part.tax === part.gross, 'net and tax do not add up to the amount'],
    ...counters.map((counter): Claim => [part[counter] >= 0, `${counter} is negative`]),
  ]);
  const totals = (['net', 'tax', 'gross', ...counters] as const).map((field): Claim => {
    const total = sum(payment.lines.map((line) => line[field]));
    return [total === payment[field], `the ${field} of the lines does not add up to the total`];
  });
  return broken(payment.id, [...parts, ...totals, ...payment.lines.flatMap(returnedTaxOf)]);
}

const returnedTaxOf = (line: PaymentLine): Claim[] => [
  [sum(line.returnedComponents) === line.returnedTax, 'the returned components do not add up to the returned tax'],
  [line.returnedTax <= line.tax, 'more tax is returned than was paid'],
  [line.refundable > 0 || line.returnedTax === line.tax, 'a line is fully refunded, but not all of its tax'],
];

/** The fields of a payment that are compared with its refunds and events. */
export type PaymentFacts = Pick<
  Payment,
  'id' | 'status' | 'gross' | 'pending' | 'refunded' | 'disputed' | 'events' | 'createdAt'
> & {
  /** Whether the payment succeeded after it had failed or been cancelled. */
  isLate?: boolean;
  lines: Pick<PaymentLine, 'productId' | 'pending' | 'refunded' | 'disputed' | 'returnedTax'>[];
  refunds: Pick<Refund, 'id' | 'status' | 'amount'>[];
  disputes: Pick<Dispute, 'id' | 'status' | 'amount'>[];
};

export type RefundFacts = Pick<Refund, 'id' | 'paymentId' | 'status' | 'amount' | 'updatedAt'> & {
  /** Whether the refund failed after it had succeeded. */
  isReverted?: boolean;
  lines: Pick<RefundLine, 'productId' | 'amount' | 'tax'>[];
};

export type DisputeFacts = Pick<Dispute, 'id' | 'paymentId' | 'status' | 'amount' | 'withdrawn' | 'updatedAt'> & {
  lines: Pick<Dispute['lines'][number], 'productId' | 'amount' | 'tax'>[];
};

/** The refunds and disputes of a payment, which record where its money went. */
interface Returns {
  refunds: readonly RefundFacts[];
  disputes: readonly DisputeFacts[];
}

/**
 * Checks that the refunds and disputes add up to the counters of the payment, of its lines and of their tax. Returns
 * the faults.
 */
export function unreplayable(payment: PaymentFacts, { refunds, disputes }: Returns): string[] {
  const amountOf = (status: Refund['status']) =>
    sum(refunds.filter((refund) => refund.status === status).map(({ amount }) => amount));
  const standing = refunds.filter(({ status }) => status !== 'failed').flatMap(({ lines }) => lines);
  return broken(payment.id, [
    [amountOf('succeeded') === payment.refunded, 'its refunds do not add up to refunded'],
    [amountOf('pending') === payment.pending, 'its refunds do not add up to pending'],
    [sum(disputes.map(heldBy)) === payment.disputed, 'its disputes do not add up to disputed'],
    ...payment.lines.flatMap((line) =>
      replayOf(
        line,
        standing,
        disputes.flatMap(({ lines }) => lines),
      ),
    ),
    [listed(refunds) === listed(payment.refunds), 'its list of refunds differs from the refund rows'],
    [listed(disputes) === listed(payment.disputes), 'its list of disputes differs from the dispute rows'],
    [disputes.every((one) => heldBy(one) <= one.withdrawn), 'a dispute holds more than was withdrawn'],
  ]);
}

const heldBy = ({ lines }: DisputeFacts): number => sum(lines.map(({ amount }) => amount));

type Part = RefundFacts['lines'][number];

function replayOf(line: PaymentFacts['lines'][number], refunded: readonly Part[], disputed: readonly Part[]): Claim[] {
  const { productId } = line;
  const of = (parts: readonly Part[]) => parts.filter((part) => part.productId === productId);
  const amountOf = (parts: readonly Part[]) => sum(of(parts).map(({ amount }) => amount));
  const tax = sum([...of(refunded), ...of(disputed)].map((part) => part.tax));
  return [
    [amountOf(refunded) === line.pending + line.refunded, `its refunds do not add up on the line ${productId}`],
    [amountOf(disputed) === line.disputed, `its disputes do not add up on the line ${productId}`],
    [tax === line.returnedTax, `its refunds and disputes do not add up to the returned tax of ${productId}`],
  ];
}

const listed = (rows: readonly { id: string; status: string; amount: number }[]): string =>
  JSON.stringify(rows.map(({ id, status, amount }) => [id, status, amount]).sort());
