import { setTimeout as pause } from 'node:timers/promises';
import { ScanCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { apiClient } from '../../infra/local/demo/api-client.ts';
import { startReceiver } from '../../infra/local/demo/receiver.ts';
import { registerReceiver } from '../../infra/local/demo/seed.ts';
import { invokeFunction } from '../../infra/local/invoke.ts';
import { localKey, seedLocalKey } from '../../infra/local/local-key.ts';
import { startSandbox } from '../../infra/local/sandbox.ts';
import { dueRows, randomText, table } from '../../shared/wiring/runtime.ts';
import { times } from '../support/seeded.ts';
import { routed } from '../support/shop/api.ts';
import { fieldGuide } from '../support/shop/shop.ts';
import { readable } from '../support/table/change-data.ts';

/** Calls the function of a request without HTTP. */
async function invoke(request: string, body: object): Promise<Record<string, string>> {
  const { function: name, event } = routed(request, { body });
  const answer = (await invokeFunction(name, event)) as { statusCode: number; body: string };
  if (answer.statusCode !== 200) throw new Error(`${request}: ${answer.statusCode} ${answer.body}`);
  return JSON.parse(answer.body) as Record<string, string>;
}

const buyer = {
  customer: { email: 'buyer@example.com', name: 'A Buyer' },
  billing_address: { country: 'DE' },
  test_card: '4242',
};

/** One sale by the handlers, until its event has been dispatched and its document issued. */
async function sell(): Promise<string[]> {
  const { product_id } = await invoke('POST /products', fieldGuide);
  const { session_id = '' } = await invoke('POST /checkouts', { product_cart: [{ product_id, quantity: 1 }] });
  const { payment_id = '' } = await invoke(`POST /checkout/${session_id}/pay`, buyer);
  while ((await dueRows().list('9999', 1)).length > 0) await pause(50);
  return [session_id, payment_id];
}

const rowsAtOnce = 96;

/** Sells once and copies the rows of the session, the payment and its document under new ids: 20,000 sales would take minutes. */
async function fill(payments: number): Promise<void> {
  const ids = await sell();
  const { client, name: TableName } = table();
  const { Items = [] } = await client.send(new ScanCommand({ TableName }));
  const rows = Items.filter(({ pk }) => ids.some((id) => String(pk).endsWith(id)));
  const sold = JSON.stringify(rows.map(readable)); // ids in packed bytes cannot be replaced
  const copy = (): Record<string, unknown>[] =>
    JSON.parse(ids.reduce((text, id) => text.replaceAll(id, `${id.slice(0, 4)}${randomText(21)}`), sold));
  const sales = Math.floor(rowsAtOnce / rows.length);
  for (let filled = 1; filled < payments; filled += sales) {
    const copies = times(Math.min(sales, payments - filled)).flatMap(copy);
    const TransactItems = copies.map((Item) => ({ Put: { TableName, Item } }));
    await client.send(new TransactWriteCommand({ TransactItems }));
  }
  await sell(); // its event is behind all copies in the stream, which has been read to its end when the event is dispatched
}

/** The sandbox of `npm start` with its receiver of webhooks, filled with as many payments as the command line says, until the bench lets go of it. */
const sandbox = await startSandbox({ port: 0, quiet: true, warmsUp: true });
await seedLocalKey({ endpoint: sandbox.endpoints.table, tableName: sandbox.tableName });
const payments = Number(process.argv[2]);
if (payments > 0) await fill(payments);
const receiver = await startReceiver();
receiver.setSecret(await registerReceiver(apiClient(sandbox.url, localKey), receiver.url));
process.send?.({ url: sandbox.url });
process.once('disconnect', async () => {
  await receiver.stop();
  await sandbox.stop();
  process.exit(0);
});
