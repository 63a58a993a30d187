import { sum } from '../../shared/domain/money.ts';
import type { Payment, PaymentLine } from '../../shared/domain/payment.ts';
import type { Refund, RefundLine } from '../../shared/domain/refund.ts';
import type { RecordedEvent } from '../../shared/store/event-store.ts';
import type { Books } from './read-books.ts';

/** Every way in which the books contradict themselves; none, if all is well. */
export function contradictions(books: Books): string[] {
  const refunds = Map.groupBy(books.refunds, ({ paymentId }) => paymentId);
  const events = Map.groupBy(books.events, ({ paymentId }) => paymentId ?? '');
  const known = new Set(books.payments.map(({ id }) => id));
  const perPayment = books.payments.flatMap((payment) => {
    const [returned, told] = [refunds.get(payment.id) ?? [], (events.get(payment.id) ?? []).map(toTold)];
    return [
      ...unbalanced(payment),
      ...unreplayable(payment, returned),
      ...misreported(payment, told),
      ...returned.flatMap((refund) => misreportedRefund(refund, told)),
    ];
  });
  const orphans = books.refunds.filter(({ paymentId }) => !known.has(paymentId));
  const lost = orphans.map(({ id, paymentId }) => `${id}: its payment ${paymentId} is missing`);
  return [...books.unreadable, ...perPayment, ...lost, ...oversold(books)];
}

type Claim = readonly [holds: boolean, fault: string];

const broken = (id: string, claims: readonly Claim[]): string[] =>
  claims.filter(([holds]) => !holds).map(([, fault]) => `${id}: ${fault}`);

const counters = ['refundable', 'pending', 'refunded'] as const;

/** Per payment and per line `amount = refundable + pending + refunded` and `net + tax = amount`, and lines sum to the whole. */
function unbalanced(payment: Payment): string[] {
  const parts = [payment, ...payment.lines].flatMap((part): Claim[] => [
    [sum(counters.map((counter) => part[counter])) === part.gross, 'the counters are not the amount'],
    [part.net + part.tax === part.gross, 'net and tax are not the amount'],
    ...counters.map((counter): Claim => [part[counter] >= 0, `${counter} is negative`]),
  ]);
  const totals = (['net', 'tax', 'gross', ...counters] as const).map((field): Claim => {
    const total = sum(payment.lines.map((line) => line[field]));
    return [total === payment[field], `the lines' ${field} is not the whole`];
  });
  return broken(payment.id, [...parts, ...totals, ...payment.lines.flatMap(returnedTaxOf)]);
}

const returnedTaxOf = (line: PaymentLine): Claim[] => [
  [sum(line.returnedComponents) === line.returnedTax, 'returned components are not the returned tax'],
  [line.returnedTax <= line.tax, 'more tax is returned than was paid'],
  [line.refundable > 0 || line.returnedTax === line.tax, 'a line is returned without all of its tax'],
];

/** The refund rows replay to the counters of the payment, of its lines and of their tax. */
function unreplayable(payment: Payment, refunds: readonly Refund[]): string[] {
  const amountOf = (status: Refund['status']) =>
    sum(refunds.filter((refund) => refund.status === status).map(({ amount }) => amount));
  const standing = refunds.filter(({ status }) => status !== 'failed').flatMap(({ lines }) => lines);
  return broken(payment.id, [
    [amountOf('succeeded') === payment.refunded, 'its refunds do not replay to refunded'],
    [amountOf('pending') === payment.pending, 'its refunds do not replay to pending'],
    ...payment.lines.flatMap((line) => replayOf(line, standing)),
    [listed(refunds) === listed(payment.refunds), 'its list of refunds is not the rows'],
  ]);
}

function replayOf(line: PaymentLine, standing: readonly RefundLine[]): Claim[] {
  const parts = standing.filter(({ productId }) => productId === line.productId);
  const [amount, tax] = [sum(parts.map((part) => part.amount)), sum(parts.map((part) => part.tax))];
  return [
    [amount === line.pending + line.refunded, `its refunds do not replay to the line ${line.productId}`],
    [tax === line.returnedTax, `its refunds do not replay to the tax of ${line.productId}`],
  ];
}

const listed = (refunds: readonly Pick<Refund, 'id' | 'status' | 'amount'>[]): string =>
  JSON.stringify(refunds.map(({ id, status, amount }) => [id, status, amount]).sort());

/** What an event told the merchant. */
interface Told {
  type: string;
  sequence: number;
  data: { total_amount?: number; refund_id?: string; amount?: number };
}

const toTold = ({ type, sequence, payload }: RecordedEvent): Told => ({
  type,
  sequence,
  data: JSON.parse(payload).data,
});

/** One event for each change of state, numbered in order, with the amount of the payment. */
function misreported(payment: Payment, told: readonly Told[]): string[] {
  const numbers = told.map(({ sequence }) => sequence).sort((a, b) => a - b);
  const isNumbered = numbers.length === payment.events && numbers.every((number, index) => number === index + 1);
  const own = told.filter(({ type }) => type.startsWith('payment.'));
  const ends = own.map(({ type }) => type).filter((type) => type !== 'payment.processing');
  const expected = payment.status === 'processing' ? [] : [`payment.${payment.status}`];
  return broken(payment.id, [
    [isNumbered, `${payment.events} events were counted, ${numbers.join()} are there`],
    [ends.join() === expected.join(), `it is ${payment.status}, and its events say ${ends.join() || 'nothing'}`],
    [own.every(({ data }) => data.total_amount === payment.gross), 'an event tells another amount'],
  ]);
}

function misreportedRefund({ id, status, amount }: Refund, told: readonly Told[]): string[] {
  const own = told.filter(({ data }) => data.refund_id === id);
  const ends = own.map(({ type }) => type).join();
  return broken(id, [
    [
      ends === (status === 'pending' ? '' : `refund.${status}`),
      `it is ${status}, and its events say ${ends || 'nothing'}`,
    ],
    [own.every(({ data }) => data.amount === amount), 'its event tells another amount'],
  ]);
}

/** A session has one succeeded payment at most, and is completed when it has one. */
function oversold({ sessions, payments }: Books): string[] {
  const succeeded = Map.groupBy(
    payments.filter(({ status }) => status === 'succeeded'),
    ({ sessionId }) => sessionId,
  );
  return sessions.flatMap(({ id, status, paymentId }) => {
    const paid = succeeded.get(id) ?? [];
    const isRight = status === 'completed' ? paid.length === 1 && paid[0]?.id === paymentId : paid.length === 0;
    return broken(id, [[isRight, `it is ${status} with ${paid.length} succeeded payments`]]);
  });
}
