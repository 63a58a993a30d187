import { startReceiver } from '../../infra/local/demo/receiver.ts';
import { startLocalTable } from '../../infra/local/local-table.ts';
import { startHttpBus } from '../functions/events/http-bus.ts';
import { startHttpQueue } from '../functions/events/http-queue.ts';

/** The table, the bus, the queue and a webhook's receiver in a process of their own, so that their work is not counted as a function's. */
const [table, bus, queue, receiver] = await Promise.all([
  startLocalTable(),
  startHttpBus(),
  startHttpQueue(),
  startReceiver(),
]);
process.on('message', (secret: string) => receiver.setSecret(secret));
process.send?.({
  ...{ endpoint: table.endpoint, tableName: table.tableName },
  ...{ busUrl: bus.url, queueUrl: queue.url, receiverUrl: receiver.url },
});
process.once('disconnect', async () => {
  await receiver.stop();
  await Promise.all([bus.stop(), queue.stop()]);
  await table.stop();
  process.exit(0);
});
