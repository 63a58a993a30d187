import { type DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { CheckoutSession } from '../../shared/domain/checkout-session.ts';
import { sum } from '../../shared/domain/money.ts';
import { Payment } from '../../shared/domain/payment.ts';
import { Refund } from '../../shared/domain/refund.ts';
import { parseEvent, type RecordedEvent } from '../../shared/store/event-store.ts';

type Row = Record<string, unknown>;

/** Everything that the table holds of money, parsed. */
export interface Books {
  sessions: CheckoutSession[];
  payments: Payment[];
  refunds: Refund[];
  events: RecordedEvent[];
}

export async function booksOf(rows: Iterable<Row>): Promise<Books> {
  const all = [...rows];
  const of = (entity: string) => all.filter((row) => row['entity'] === entity);
  return {
    sessions: of('SESSION').map(({ data }) => CheckoutSession.parse(data)),
    payments: of('PAYMENT').map(({ data }) => Payment.parse(data)),
    refunds: of('REFUND').map(({ data }) => Refund.parse(data)),
    events: await Promise.all(of('EVENT').map(parseEvent)),
  };
}

export async function scanRows(client: DynamoDBDocumentClient, tableName: string): Promise<Row[]> {
  const rows: Row[] = [];
  let ExclusiveStartKey: Row | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await client.send(
      new ScanCommand({ TableName: tableName, ConsistentRead: true, ...(ExclusiveStartKey && { ExclusiveStartKey }) }),
    );
    rows.push(...Items);
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return rows;
}

/** Every way in which the books contradict themselves; none, if all is well. */
export function contradictions(books: Books): string[] {
  const refunds = Map.groupBy(books.refunds, ({ paymentId }) => paymentId);
  const events = Map.groupBy(books.events, ({ paymentId }) => paymentId ?? '');
  const perPayment = books.payments.flatMap((payment) => [
    ...unbalanced(payment),
    ...unreplayable(payment, refunds.get(payment.id) ?? []),
    ...misreported(payment, refunds.get(payment.id) ?? [], events.get(payment.id) ?? []),
  ]);
  return [...perPayment, ...oversold(books)];
}

const counters = ['refundable', 'pending', 'refunded'] as const;

/** I1: per payment and per line `amount = refundable + pending + refunded`, `net + tax = amount`, and lines sum to the whole. */
function unbalanced(payment: Payment): string[] {
  const faults: string[] = [];
  const expect = (holds: boolean, what: string) => holds || faults.push(`I1 ${payment.id}: ${what}`);
  for (const part of [payment, ...payment.lines]) {
    expect(part.refundable + part.pending + part.refunded === part.gross, 'the counters are not the amount');
    expect(part.net + part.tax === part.gross, 'net and tax are not the amount');
    for (const counter of counters) expect(part[counter] >= 0, `${counter} is negative`);
  }
  for (const field of ['net', 'tax', 'gross', ...counters] as const)
    expect(sum(payment.lines.map((line) => line[field])) === payment[field], `the lines' ${field} is not the whole`);
  for (const line of payment.lines) {
    expect(sum(line.returnedComponents) === line.returnedTax, 'returned components are not the returned tax');
    expect(line.returnedTax <= line.tax, 'more tax is returned than was paid');
    if (line.refundable === 0) expect(line.returnedTax === line.tax, 'a line is returned without all of its tax');
  }
  return faults;
}

/** I2: the refund rows replay to the counters, of the payment, its lines, their tax and their components. */
function unreplayable(payment: Payment, refunds: readonly Refund[]): string[] {
  const amountOf = (status: Refund['status']) =>
    sum(refunds.filter((refund) => refund.status === status).map(({ amount }) => amount));
  const faults: string[] = [];
  if (amountOf('succeeded') !== payment.refunded) faults.push(`I2 ${payment.id}: refunds do not replay to refunded`);
  if (amountOf('pending') !== payment.pending) faults.push(`I2 ${payment.id}: refunds do not replay to pending`);
  const standing = refunds.filter(({ status }) => status !== 'failed').flatMap(({ lines }) => lines);
  for (const line of payment.lines) {
    const parts = standing.filter(({ productId }) => productId === line.productId);
    if (sum(parts.map(({ amount }) => amount)) !== line.pending + line.refunded)
      faults.push(`I2 ${payment.id}: refunds do not replay to the line ${line.productId}`);
    if (sum(parts.map(({ tax }) => tax)) !== line.returnedTax)
      faults.push(`I2 ${payment.id}: refunds do not replay to the tax of ${line.productId}`);
  }
  const known = (list: readonly { id: string; status: string; amount: number }[]) =>
    JSON.stringify(list.map(({ id, status, amount }) => [id, status, amount]).sort());
  if (known(refunds) !== known(payment.refunds)) faults.push(`I2 ${payment.id}: its list of refunds is not the rows`);
  return faults;
}

/** I2, I3: one event for each change of state, numbered in order, with the amounts of the rows. */
function misreported(payment: Payment, refunds: readonly Refund[], events: readonly RecordedEvent[]): string[] {
  const faults: string[] = [];
  const numbers = events.map(({ sequence }) => sequence).sort((a, b) => a - b);
  if (numbers.some((number, index) => number !== index + 1) || numbers.length !== payment.events)
    faults.push(`I3 ${payment.id}: ${payment.events} events were counted, ${numbers.join()} are there`);
  const bodies = events.map(({ type, payload }) => ({ type, data: JSON.parse(payload).data }));
  const ends = bodies.filter(({ type }) => type === 'payment.succeeded' || type === 'payment.failed');
  const isOpen = payment.status === 'processing';
  if (ends.length !== (isOpen ? 0 : 1) || (!isOpen && ends[0]?.type !== `payment.${payment.status}`))
    faults.push(`I3 ${payment.id}: ${payment.status}, and its events say ${ends.map(({ type }) => type)}`);
  if (bodies.some(({ type, data }) => type.startsWith('payment.') && data.total_amount !== payment.gross))
    faults.push(`I2 ${payment.id}: an event tells another amount`);
  for (const { id, status, amount } of refunds) {
    const told = bodies.filter(({ type, data }) => type.startsWith('refund.') && data.refund_id === id);
    if (told.length !== (status === 'pending' ? 0 : 1) || told.some(({ type }) => type !== `refund.${status}`))
      faults.push(`I3 ${id}: ${status}, and its events say ${told.map(({ type }) => type)}`);
    if (told.some(({ data }) => data.amount !== amount)) faults.push(`I2 ${id}: its event tells another amount`);
  }
  return faults;
}

/** I4: a session has one succeeded payment at most, and is completed when it has one. */
function oversold({ sessions, payments }: Books): string[] {
  const succeeded = Map.groupBy(
    payments.filter(({ status }) => status === 'succeeded'),
    ({ sessionId }) => sessionId,
  );
  return sessions.flatMap(({ id, status, paymentId }) => {
    const paid = succeeded.get(id) ?? [];
    const isRight = status === 'completed' ? paid.length === 1 && paid[0]?.id === paymentId : paid.length === 0;
    return isRight ? [] : [`I4 ${id}: ${status} with ${paid.length} succeeded payments`];
  });
}
