import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { localNames } from '../../../infra/local/sandbox-environment.ts';
import { type Bucket, startBucket } from '../../../infra/local-aws/bucket.ts';
import { listenOnLoopback, readBody } from '../../../infra/local-aws/loopback-server.ts';
import { withNewOrderLink } from '../../../shared/domain/orders/order-link.ts';
import { logSink } from '../../../shared/log.ts';
import { grants, payments } from '../../../shared/wiring/runtime.ts';
import { orderUrlOf } from '../../../shared/wiring/selling.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { sweep } from '../../support/shop/settle.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';
import { dumpRows } from '../../support/table/rows.ts';

let api: Api;
let bucket: Bucket;
let server: Awaited<ReturnType<typeof listenOnLoopback>>;
let readKey: string;
let webhook: string;
const received: string[] = [];
beforeAll(async () => {
  api = await startApi();
  bucket = await startBucket({ bucketNames: [localNames.files] });
  process.env['AWS_ENDPOINT_URL_S3'] = bucket.url;
  server = await listenOnLoopback(async (request, response) => {
    received.push(String(await readBody(request, 1_048_576)));
    response.end();
  });
  readKey = await api.addKey({ access: 'read' });
  const { body } = await api.call('POST /webhooks', { body: { url: `http://127.0.0.1:${server.port}/` } });
  webhook = body.id;
});
afterAll(async () => {
  clock.run();
  await server.close();
  await bucket.stop();
  await api.stop();
});

/** A sale of one file, issued. */
async function sold() {
  const body = { name: 'Book', integration_type: 'digital_files', integration_config: { digital_file_ids: [] } };
  const { id } = (await api.call('POST /entitlements', { body })).body;
  const added = (await api.call(`POST /entitlements/${id}/files`, { body: { file_name: 'book.pdf' } })).body;
  const { url, method, headers } = added.upload;
  expect((await fetch(url, { method, headers, body: 'the whole book' })).status).toBe(200);
  await api.call(`GET /entitlements/${id}`);
  const product = await addProduct(api, { entitlements: [{ entitlement_id: id }] });
  const session = await createSession(api, [{ product_id: product, quantity: 1 }]);
  const payment = await pay(session, { expectedTotal: 1_999 });
  await orderUrlOf(await payments().get(payment.id)); // as the mail of the purchase, which makes the stack's secret
  await sweep();
  return { id, paymentId: payment.id, fileId: added.file_id as string };
}

const grantsOf = async (id: string, key?: string) =>
  (await api.call(`GET /entitlements/${id}/grants`, key ? { key } : {})).body.items;
const fileOf = (grant: { digital_product_delivery: { files: { download_url: string; expires_in: number }[] } }) => {
  const [file] = grant.digital_product_delivery.files;
  if (!file) throw new Error('The grant has no file.');
  return file;
};

/** Opens a link as a browser does. */
const anyone = { key: null, headers: { 'accept-language': 'en' } };
const open = (link: string) => {
  const { pathname, search } = new URL(link);
  return api.call(`GET ${pathname}`, { ...anyone, query: search.slice(1) });
};
const press = (link: string) => {
  const { pathname, search, origin } = new URL(link);
  const headers = { ...anyone.headers, 'content-type': 'application/x-www-form-urlencoded', origin };
  return api.call(`POST ${pathname}`, { ...anyone, headers, raw: Buffer.from(search.slice(1)) });
};

/** The event that the grant is delivered. */
async function deliveredEvent(paymentId: string): Promise<string> {
  const query = `payment_id=${paymentId}&page_size=100`;
  const { items } = (await api.call('GET /webhook-events', { query })).body;
  return items.find(({ type }: { type: string }) => type === 'entitlement_grant.delivered').event_id;
}

describe('the download link of a file', () => {
  it('is shown to keys with write access, and read-only keys see an address that needs a key', async () => {
    const { id, fileId } = await sold();
    const [grant] = await grantsOf(id);
    const { download_url: link, expires_in: seconds } = fileOf(grant);
    expect([link, seconds]).toEqual([expect.stringContaining(`/downloads/${grant.id}/${fileId}?token=`), 86_400]);
    const [seen] = await grantsOf(id, readKey);
    expect(new URL(fileOf(seen).download_url).pathname).toBe(`/entitlements/${id}/files/${fileId}`);
    expect(fileOf(seen).download_url).not.toContain('token');
    const query = 'page_size=100';
    const path = `GET /customers/${grant.customer_id}/entitlement-grants`;
    const [ofCustomer, seenOfCustomer] = [
      (await api.call(path, { query })).text,
      (await api.call(path, { query, key: readKey })).text,
    ];
    expect(ofCustomer).toContain(`/downloads/${grant.id}/${fileId}?token=`);
    expect(seenOfCustomer).not.toContain('token=');
  });

  it('opens a page with a button for one day, until the order’s link is replaced', async () => {
    const { id, paymentId } = await sold();
    const [grant] = await grantsOf(id);
    const { download_url: link } = fileOf(grant);
    const page = await open(link);
    expect([page.status, page.headers['x-robots-tag']]).toEqual([200, 'noindex, nofollow']);
    expect(page.text).toContain('book.pdf');
    expect((await grants().find(grant.id))?.downloads).toBeUndefined();
    const pressed = await press(link);
    expect([pressed.status, pressed.headers['location']]).toEqual([303, expect.stringContaining(bucket.url)]);
    clock.forward({ hours: 25 });
    expect((await press(link)).status).not.toBe(303);
    clock.run();
    await payments().save(withNewOrderLink(await payments().get(paymentId)));
    expect((await press(link)).status).not.toBe(303);
    const [again] = await grantsOf(id);
    expect((await press(fileOf(again).download_url)).status).toBe(303);
  });

  it('is created for each webhook attempt, and is in no stored event and no log', async () => {
    const lines: string[] = [];
    const write = logSink.write;
    logSink.write = (line) => void lines.push(line);
    const { paymentId } = await sold();
    const eventId = await deliveredEvent(paymentId);
    received.length = 0;
    await invokeFunction('webhooks/dispatch-webhook', { detail: { event_id: eventId } });
    clock.forward({ days: 2 });
    const resent = await api.call(`POST /webhook-events/${eventId}/resend`, { body: { webhook_id: webhook } });
    expect([resent.status, resent.text]).toEqual([200, expect.anything()]);
    await invokeFunction('events/sweep-due', {});
    const bodies = received.map((body) => JSON.parse(body)).filter(({ data }) => data.payment_id === paymentId);
    const links = bodies
      .filter(({ type }) => type === 'entitlement_grant.delivered')
      .map(({ data }) => fileOf(data).download_url);
    expect(links).toHaveLength(2);
    const [first = '', second = ''] = links;
    expect((await press(first)).status).not.toBe(303);
    expect((await press(second)).status).toBe(303);
    clock.run();
    logSink.write = write;
    const token = new URL(second).searchParams.get('token') ?? '';
    expect(token.length).toBeGreaterThan(40);
    for (const key of [undefined, readKey]) {
      const { text } = await api.call(`GET /webhook-events/${eventId}`, key ? { key } : {});
      expect(text).toContain('download_url');
      expect(text).not.toContain('token=');
    }
    expect((await dumpRows(api.table)).filter(({ text }) => text.includes('?token='))).toEqual([]);
    expect(lines.join('\n')).not.toContain(token);
  });

  it('is not created for a buyer whose data was erased', async () => {
    const { paymentId } = await sold();
    const eventId = await deliveredEvent(paymentId);
    const { customer } = await payments().get(paymentId);
    expect((await api.call(`POST /customers/${customer.id}/erase`)).status).toBe(200);
    await invokeFunction('customers/erase-customers', {});
    received.length = 0;
    await invokeFunction('webhooks/dispatch-webhook', { detail: { event_id: eventId } });
    expect(received.join()).toContain('"download_url"');
    expect(received.join()).not.toContain('token=');
  });
});
