import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod';
import { CheckoutSession } from '../../shared/domain/checkout-session.ts';
import { Payment } from '../../shared/domain/payment.ts';
import { Refund } from '../../shared/domain/refund.ts';
import { parseEvent, type RecordedEvent } from '../../shared/store/event-store.ts';

export type Row = Record<string, unknown>;

/** Everything that a table holds of money, parsed. */
export interface Books {
  sessions: CheckoutSession[];
  payments: Payment[];
  refunds: Refund[];
  events: RecordedEvent[];
  /** What is wrong with rows that cannot be parsed. */
  unreadable: string[];
}

export async function booksOf(rows: Iterable<Row>): Promise<Books> {
  const unreadable: string[] = [];
  const byEntity = Map.groupBy(rows, (row) => String(row['entity']));
  const read = async <T>(entity: string, parse: (row: Row) => T | Promise<T>): Promise<T[]> => {
    const parsed: T[] = [];
    for (const row of byEntity.get(entity) ?? [])
      try {
        parsed.push(await parse(row));
      } catch {
        unreadable.push(`${row['pk']}: the row cannot be read`);
      }
    return parsed;
  };
  const dataAs =
    <T>(schema: z.ZodType<T>) =>
    ({ data }: Row): T =>
      schema.parse(data);
  return {
    sessions: await read('SESSION', dataAs(CheckoutSession)),
    payments: await read('PAYMENT', dataAs(Payment)),
    refunds: await read('REFUND', dataAs(Refund)),
    events: await read('EVENT', parseEvent),
    unreadable,
  };
}

/** Every row of a table, as it is now, page by page. */
export async function* scanPages(client: DynamoDBDocumentClient, tableName: string): AsyncGenerator<Row[]> {
  for await (const { Items = [] } of paginateScan({ client }, { TableName: tableName, ConsistentRead: true }))
    yield Items;
}

export async function scanRows(client: DynamoDBDocumentClient, tableName: string): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const page of scanPages(client, tableName)) rows.push(...page);
  return rows;
}
