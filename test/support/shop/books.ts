import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod';
import { findContradictions } from '../../../infra/commands/books/contradictions.ts';
import { type Row, scanPages } from '../../../infra/commands/books/read-books.ts';
import { CheckoutSession } from '../../../shared/domain/checkout/checkout-session.ts';
import { StoredPayment } from '../../../shared/domain/orders/stored-payment.ts';
import type { Payment } from '../../../shared/domain/payments/payment.ts';
import { Refund } from '../../../shared/domain/payments/refund.ts';
import type { RecordedEvent } from '../../../shared/events/recorded-event.ts';
import { parseEvent } from '../../../shared/store/events/event-store.ts';
import { dataIn } from '../../../shared/store/table/packed.ts';
import { world } from '../../../shared/wiring/runtime.ts';

/** All rows of a small table that concern money, parsed. */
export interface Books {
  sessions: CheckoutSession[];
  payments: Payment[];
  refunds: Refund[];
  events: RecordedEvent[];
}

export function booksOf(rows: readonly Row[]): Books {
  const those = (entity: string) => rows.filter((row) => row['entity'] === entity);
  const read = <T>(entity: string, schema: z.ZodType<T>): T[] => those(entity).map((row) => schema.parse(dataIn(row)));
  return {
    sessions: read('SESSION', CheckoutSession),
    payments: read('PAYMENT', StoredPayment),
    refunds: read('REFUND', Refund),
    events: those('EVENT').map(parseEvent),
  };
}

/** All rows of a table that fits into memory. */
export async function scanRows(client: DynamoDBDocumentClient, tableName: string): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const page of scanPages(client, tableName)) rows.push(...page);
  return rows;
}

/** The faults that `books check` finds in these rows. */
export async function contradictions(rows: Iterable<Row>): Promise<string[]> {
  const faults: string[] = [];
  for await (const { fault } of findContradictions([[...rows]], { now: world.now() })) faults.push(fault);
  return faults;
}

/** Returns the faults without missing documents, for tests in which no worker issues documents. */
export async function moneyContradictions(rows: Iterable<Row>): Promise<string[]> {
  const faults: string[] = [];
  for await (const { fault, undocumented } of findContradictions([[...rows]], { now: world.now() }))
    if (undocumented === undefined) faults.push(fault);
  return faults;
}
