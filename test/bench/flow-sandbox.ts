import { setTimeout as pause } from 'node:timers/promises';
import { apiClient } from '../../infra/local/api-client.ts';
import { invokeFunction } from '../../infra/local/invoke.ts';
import { localKey, seedLocalKey } from '../../infra/local/local-key.ts';
import { startReceiver } from '../../infra/local/receiver.ts';
import { startSandbox } from '../../infra/local/sandbox.ts';
import { registerReceiver } from '../../infra/local/seed.ts';
import { dueRows } from '../../shared/runtime.ts';
import { routed } from '../support/api.ts';
import { inTurn, times } from '../support/seeded.ts';
import { fieldGuide } from '../support/shop.ts';

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

/** Sells through the handlers, and waits until every event has been dispatched and every document issued. */
async function fill(payments: number): Promise<void> {
  const { product_id } = await invoke('POST /products', fieldGuide);
  await inTurn(times(payments), 8, async () => {
    const { session_id } = await invoke('POST /checkouts', { product_cart: [{ product_id, quantity: 1 }] });
    await invoke(`POST /checkout/${session_id}/pay`, buyer);
  });
  while ((await dueRows().list('9999', 1)).length > 0) await pause(200);
}

/** The sandbox of `npm start` with its receiver of webhooks, filled with as many payments as the command line says, until the bench lets go of it. */
const sandbox = await startSandbox({ port: 0, quiet: true });
await seedLocalKey({ endpoint: sandbox.endpoints.table, tableName: sandbox.tableName });
await fill(Number(process.argv[2]));
const receiver = await startReceiver();
receiver.setSecret(await registerReceiver(apiClient(sandbox.url, localKey), receiver.url));
process.send?.({ url: sandbox.url });
process.once('disconnect', async () => {
  await receiver.stop();
  await sandbox.stop();
  process.exit(0);
});
