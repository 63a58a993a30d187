import { setTimeout as pause } from 'node:timers/promises';
import { marshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import { dataIn } from '../../../shared/store/table/packed.ts';
import type { DrillScene } from './drill.ts';

/** Decodes the bytes of a row, which `call.py` prints as base64. */
const Bytes = z.object({ B: z.string() }).transform(({ B }) => Buffer.from(B, 'base64'));
const StoredPayment = z.object({ Item: z.object({ data: Bytes, row: Bytes }) });

const counted = { gross: z.int(), refunded: z.int() };
const PaidAmounts = z.looseObject({
  ...counted,
  lines: z.array(z.looseObject({ ...counted, components: z.array(z.unknown()) })),
});

const keyOf = (payment: string) => ({ pk: { S: `PAYMENT#${payment}` }, sk: { S: 'PAYMENT' } });

/** Changes a refunded payment as if nothing had been refunded. So it could be refunded twice. */
export async function forgetRefund({ emulator, shop }: DrillScene): Promise<string> {
  const place = { TableName: shop.TableName, Key: keyOf(shop.payment) };
  const { Item } = StoredPayment.parse(await emulator.call('dynamodb', 'get_item', { ...place, ConsistentRead: true }));
  const payment = PaidAmounts.parse(dataIn(Item));
  if (payment.refunded === 0) throw new Error(`${shop.payment} was not refunded.`);
  const lines = payment.lines.map((line) => ({
    ...unreturned(line),
    ...{ returnedTax: 0, returnedComponents: line.components.map(() => 0) },
  }));
  await emulator.call('dynamodb', 'update_item', {
    ...place,
    UpdateExpression: 'SET #data = :data',
    ExpressionAttributeNames: { '#data': 'data' },
    ExpressionAttributeValues: marshall({ ':data': { ...unreturned(payment), lines } }),
  });
  return `PAYMENT#${shop.payment}`;
}

const unreturned = <Part extends { gross: number }>(part: Part) => ({ ...part, refundable: part.gross, refunded: 0 });

const [minuteMs, hourMs] = [60_000, 3_600_000];

/** The longest duration of a drill on a busy machine. */
const drillMs = 3 * minuteMs;

/**
 * Moves the list entry of a payment one hour back, in the table and in its copy. The hourly check begins with the
 * previous hour.
 */
export async function listAnHourEarlier({ emulator, shop, copy }: DrillScene): Promise<void> {
  const leftMs = hourMs - (Date.now() % hourMs);
  if (leftMs < drillMs) await pause(leftMs);
  const listSk = `${new Date(Date.now() - hourMs).toISOString()}#${shop.payment}`;
  for (const TableName of [shop.TableName, copy])
    await emulator.call('dynamodb', 'update_item', {
      ...{ TableName, Key: keyOf(shop.payment), UpdateExpression: 'SET listSk = :sk' },
      ExpressionAttributeValues: { ':sk': { S: listSk } },
    });
}
