import { startTable } from '../../infra/local/aws/table.ts';
import { startReceiver } from '../../infra/local/demo/receiver.ts';

/** The table and a webhook's receiver in a process of their own, so that their work is not counted as a function's. */
const [table, receiver] = await Promise.all([startTable(), startReceiver()]);
process.on('message', (secret: string) => receiver.setSecret(secret));
process.send?.({ endpoint: table.endpoint, tableName: table.tableName, receiverUrl: receiver.url });
process.once('disconnect', async () => {
  await receiver.stop();
  await table.stop();
  process.exit(0);
});
