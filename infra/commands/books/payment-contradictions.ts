import { sum } from '../../../shared/domain/money/money.ts';
import type { Payment, PaymentLine } from '../../../shared/domain/payments/payment.ts';
import type { Refund, RefundLine } from '../../../shared/domain/payments/refund.ts';

type Claim = readonly [holds: boolean, fault: string];

export const broken = (id: string, claims: readonly Claim[]): string[] =>
  claims.filter(([holds]) => !holds).map(([, fault]) => `${id}: ${fault}`);

const counters = ['refundable', 'pending', 'refunded'] as const;

/**
 * Checks `amount = refundable + pending + refunded` and `net + tax = amount` for the payment and each line, and
 * that lines add up.
 */
export function unbalanced(payment: Payment): string[] {
  const parts = [payment, ...payment.lines].flatMap((part): Claim[] => [
    [
      sum(counters.map((counter) => part[counter])) === part.gross,
      'refundable, pending and refunded do not add up to the amount',
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

/** Of a payment what its refunds and events are compared with. */
export type PaymentFacts = Pick<
  Payment,
  'id' | 'status' | 'gross' | 'pending' | 'refunded' | 'events' | 'createdAt'
> & {
  lines: Pick<PaymentLine, 'productId' | 'pending' | 'refunded' | 'returnedTax'>[];
  refunds: Pick<Refund, 'id' | 'status' | 'amount'>[];
};

export type RefundFacts = Pick<Refund, 'id' | 'paymentId' | 'status' | 'amount' | 'updatedAt'> & {
  lines: Pick<RefundLine, 'productId' | 'amount' | 'tax'>[];
};

/** What an event reported to the merchant. */
export interface Told {
  type: string;
  sequence: number;
  total: number | undefined;
  refundId: string | undefined;
  amount: number | undefined;
}

/** The refund rows replay to the counters of the payment, of its lines and of their tax. */
export function unreplayable(payment: PaymentFacts, refunds: readonly RefundFacts[]): string[] {
  const amountOf = (status: Refund['status']) =>
    sum(refunds.filter((refund) => refund.status === status).map(({ amount }) => amount));
  const standing = refunds.filter(({ status }) => status !== 'failed').flatMap(({ lines }) => lines);
  return broken(payment.id, [
    [amountOf('succeeded') === payment.refunded, 'its refunds do not add up to refunded'],
    [amountOf('pending') === payment.pending, 'its refunds do not add up to pending'],
    ...payment.lines.flatMap((line) => replayOf(line, standing)),
    [listed(refunds) === listed(payment.refunds), 'its list of refunds differs from the refund rows'],
  ]);
}

function replayOf(line: PaymentFacts['lines'][number], standing: readonly RefundFacts['lines'][number][]): Claim[] {
  const parts = standing.filter(({ productId }) => productId === line.productId);
  const [amount, tax] = [sum(parts.map((part) => part.amount)), sum(parts.map((part) => part.tax))];
  return [
    [amount === line.pending + line.refunded, `its refunds do not add up on the line ${line.productId}`],
    [tax === line.returnedTax, `its refunds do not add up to the returned tax of ${line.productId}`],
  ];
}

const listed = (refunds: readonly Pick<Refund, 'id' | 'status' | 'amount'>[]): string =>
  JSON.stringify(refunds.map(({ id, status, amount }) => [id, status, amount]).sort());

/**
 * Requires one event for each change of state, numbered in order, with the payment's amount. Old events may be
 * removed.
 */
export function misreported(payment: PaymentFacts, told: readonly Told[], eventsKeptSince: string): string[] {
  const numbers = told.map(({ sequence }) => sequence).sort((a, b) => a - b);
  const isNumbered = numbers.length === payment.events && numbers.every((number, index) => number === index + 1);
  const own = told.filter(({ type }) => type.startsWith('payment.'));
  const ends = own.map(({ type }) => type).filter((type) => type !== 'payment.processing');
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
  const { id, status, amount, updatedAt } = refund;
  const own = told.filter(({ refundId }) => refundId === id);
  const ends = own.map(({ type }) => type).join();
  const isTold = ends === (status === 'pending' ? '' : `refund.${status}`);
  return broken(id, [
    [updatedAt < eventsKeptSince || isTold, `it is ${status}, and its events are ${ends || 'missing'}`],
    [own.every((event) => event.amount === amount), 'its event has a different amount'],
  ]);
}
