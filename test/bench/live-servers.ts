import { startLocalTable } from '../../infra/local/local-table.ts';
import { startFakeStripe } from '../../infra/local/stripe/fake-stripe.ts';
import { startParameters } from '../../infra/local-aws/parameters.ts';

/** Table, parameter store and Stripe, in another process, so that their work is not counted as a function's. */
const [table, parameters, fake] = await Promise.all([startLocalTable(), startParameters(), startFakeStripe()]);
process.on('message', ({ name, value }: { name: string; value: string }) => parameters.values.set(name, value));
process.send?.({
  endpoint: table.endpoint,
  tableName: table.tableName,
  parametersUrl: parameters.url,
  stripeUrl: fake.url,
  key: fake.key,
});
process.once('disconnect', async () => {
  await Promise.all([table.stop(), parameters.stop(), fake.stop()]);
  process.exit(0);
});
