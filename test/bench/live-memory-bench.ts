import { fork } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { seedLocalKey } from '../../infra/local/local-key.ts';
import { setEnvironment } from '../../infra/local/sandbox-environment.ts';
import { secretNames, secretsFolder } from '../../shared/domain/processor.ts';
import { logSink } from '../../shared/log.ts';
import { payments, sessions } from '../../shared/wiring/runtime.ts';
import { call, testMerchant } from '../support/shop/api.ts';
import { postForm } from '../support/shop/dashboard.ts';
import { addProduct } from '../support/shop/shop.ts';
import { report } from './measure.ts';

const [warmUps, rounds] = [100, 200];
const signing = 'whsec_ofthebench';
const folder = secretsFolder(testMerchant.id, 'sandbox', 'stripe');

/** Starts what the functions call in another process, and tells the functions of this one where it is. */
async function startServers() {
  const child = fork(fileURLToPath(new URL('./live-servers.ts', import.meta.url)));
  const [{ endpoint, tableName, parametersUrl, stripeUrl, key }] = await once(child, 'message');
  const nowhere = 'http://127.0.0.1:9';
  const endpoints = { table: endpoint, bucket: nowhere, bus: nowhere, queue: nowhere };
  const processor = { PROCESSOR: 'stripe', PROCESSOR_SECRETS: folder, PROCESSOR_URL: stripeUrl };
  const places = { ...processor, AWS_ENDPOINT_URL_SSM: parametersUrl, TABLE_NAME: tableName };
  setEnvironment({ publicUrl: 'http://localhost:4000', endpoints, merchant: testMerchant }, places);
  const names = secretNames(folder);
  child.send({ name: names.key, value: key });
  child.send({ name: names.signingSecrets, value: signing });
  await seedLocalKey({ endpoint, tableName });
  return () => child.disconnect();
}

type Measured = <Result>(name: string, act: () => Promise<Result>) => Promise<Result>;

/** A notification as Stripe sends it. Each sale causes three. */
function notification(paymentId: string, reference: string) {
  const ids = { client_reference_id: paymentId, metadata: { payment_id: paymentId, merchant_id: testMerchant.id } };
  const data = { object: { id: reference, ...ids } };
  const body = JSON.stringify({ id: 'evt_1', type: 'checkout.session.completed', livemode: false, data });
  const at = Math.floor(Date.now() / 1_000);
  const signature = createHmac('sha256', signing).update(`${at}.${body}`).digest('hex');
  return { raw: Buffer.from(body), headers: { 'stripe-signature': `t=${at},v1=${signature}` }, key: null };
}

async function sale(product: string, measured: Measured): Promise<void> {
  const cart = { product_cart: [{ product_id: product, quantity: 1 }] };
  const { session_id: id } = (await call('POST /checkouts', { body: cart })).body;
  const { formToken: token } = await sessions().get(id);
  const buyer = { token, email: 'buyer@example.com', name: 'A Buyer', country: 'DE', expected_total: '1999' };
  await measured('the payment, at Stripe', () => postForm({ call }, `/checkout/${id}/pay`, buyer, []));
  const begun = await payments().get((await sessions().get(id)).paymentId ?? '');
  const page = begun.payAt?.url ?? '';
  await fetch(page, { method: 'POST', body: new URLSearchParams({ means: '4242424242424242' }), redirect: 'manual' });
  await measured('the return from Stripe', () => call(`GET /checkout/${id}/return`, { key: null }));
  const notified = notification(begun.id, begun.reference ?? '');
  await measured('a notification of Stripe', () => call('POST /processor/stripe', notified));
  await measured('a refund, by Stripe', () => call('POST /refunds', { body: { payment_id: begun.id, amount: 100 } }));
}

/** The processor time of the functions that wait for Stripe, warm, this process alone. */
export async function benchLiveMemory(): Promise<void> {
  logSink.write = () => {};
  const stop = await startServers();
  const product = await addProduct({ call });
  const times = new Map<string, number[]>();
  const measured: Measured = async (name, act) => {
    const before = process.cpuUsage();
    const result = await act();
    const { user, system } = process.cpuUsage(before);
    times.set(name, [...(times.get(name) ?? []), (user + system) / 1_000]);
    return result;
  };
  for (let round = 0; round < warmUps + rounds; round += 1) {
    if (round === warmUps) times.clear();
    await sale(product, measured);
  }
  const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
  report(
    'Functions that wait for Stripe, warm: mean processor time',
    [...times].map(([name, values]) => [name, `${mean(values).toFixed(2)} ms of processor`]),
  );
  stop();
}
