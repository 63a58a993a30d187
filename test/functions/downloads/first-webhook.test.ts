import { afterAll, beforeAll, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { localNames } from '../../../infra/local/sandbox-environment.ts';
import { type Bucket, startBucket } from '../../../infra/local-aws/bucket.ts';
import { listenOnLoopback, readBody } from '../../../infra/local-aws/loopback-server.ts';
import { apiKeys } from '../../../shared/wiring/runtime.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { sweep } from '../../support/shop/settle.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';

let api: Api;
let bucket: Bucket;
let server: Awaited<ReturnType<typeof listenOnLoopback>>;
const received: string[] = [];
beforeAll(async () => {
  api = await startApi();
  bucket = await startBucket({ bucketNames: [localNames.files] });
  process.env['AWS_ENDPOINT_URL_S3'] = bucket.url;
  server = await listenOnLoopback(async (request, response) => {
    received.push(String(await readBody(request, 1_048_576)));
    response.end();
  });
});
afterAll(async () => {
  await server.close();
  await bucket.stop();
  await api.stop();
});

it('a webhook contains links to files even in a new process that has not yet read the secret', async () => {
  await api.call('POST /webhooks', { body: { url: `http://127.0.0.1:${server.port}/` } });
  const body = { name: 'Book', integration_type: 'digital_files', integration_config: { digital_file_ids: [] } };
  const { id } = (await api.call('POST /entitlements', { body })).body;
  const { upload } = (await api.call(`POST /entitlements/${id}/files`, { body: { file_name: 'book.pdf' } })).body;
  await fetch(upload.url, { method: upload.method, headers: upload.headers, body: 'the whole book' });
  await api.call(`GET /entitlements/${id}`);
  const product = await addProduct(api, { entitlements: [{ entitlement_id: id }] });
  const session = await createSession(api, [{ product_id: product, quantity: 1 }]);
  const payment = await pay(session, { expectedTotal: 1_999 });
  await sweep();
  const { items } = (await api.call('GET /webhook-events', { query: `payment_id=${payment.id}&page_size=100` })).body;
  const { event_id } = items.find(({ type }: { type: string }) => type === 'entitlement_grant.delivered');
  await apiKeys().saveSessionSecret('s'.repeat(43));
  await invokeFunction('webhooks/dispatch-webhook', { detail: { event_id } });
  expect(received.join()).toMatch(/\/downloads\/entg_\w+\/fil_\w+\?token=/);
});
