import { startTable } from '../../infra/local/aws/table.ts';
import { startReceiver } from '../../infra/local/demo/receiver.ts';
import { startHttpBus } from '../functions/events/http-bus.ts';

/** The table, the bus and a webhook's receiver in a process of their own, so that their work is not counted as a function's. */
const [table, bus, receiver] = await Promise.all([startTable(), startHttpBus(), startReceiver()]);
process.on('message', (secret: string) => receiver.setSecret(secret));
process.send?.({ endpoint: table.endpoint, tableName: table.tableName, busUrl: bus.url, receiverUrl: receiver.url });
process.once('disconnect', async () => {
  await receiver.stop();
  await bus.stop();
  await table.stop();
  process.exit(0);
});
