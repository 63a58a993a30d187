import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localNames } from '../../../infra/local/sandbox-environment.ts';
import { type Bucket, startBucket } from '../../../infra/local-aws/bucket.ts';
import { withNewOrderLink } from '../../../shared/domain/orders/order-link.ts';
import { payments } from '../../../shared/wiring/runtime.ts';
import { orderUrlOf } from '../../../shared/wiring/selling.ts';
import { injectFaults } from '../../support/faults/faults-by-plan.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { browse } from '../../support/shop/dashboard.ts';
import { hearDispute, sweep } from '../../support/shop/settle.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';

let api: Api;
let bucket: Bucket;
beforeAll(async () => {
  api = await startApi();
  bucket = await startBucket({ bucketNames: [localNames.files] });
  process.env['AWS_ENDPOINT_URL_S3'] = bucket.url;
});
afterAll(async () => {
  await bucket.stop();
  await api.stop();
});

const book = Buffer.from('%PDF-1.7 an example of a whole book');
const song = Buffer.from('RIFF an example of a song');

const create = async (body: object): Promise<string> => (await api.call('POST /entitlements', { body })).body.id;

/** Uploads a file as an integrator does. */
async function upload(entitlementId: string, name: string, bytes: Buffer): Promise<void> {
  const checksum_sha256 = createHash('sha256').update(bytes).digest('hex');
  const body = { file_name: name, file_size: bytes.length, checksum_sha256 };
  const { upload: to } = (await api.call(`POST /entitlements/${entitlementId}/files`, { body })).body;
  const { status } = await fetch(to.url, { method: to.method, headers: to.headers, body: new Uint8Array(bytes) });
  expect(status).toBe(200);
}

async function newFiles(): Promise<string> {
  const config = { digital_file_ids: [], external_url: 'https://example.com/errata', instructions: 'Read it slowly.' };
  const id = await create({ name: 'The book', integration_type: 'digital_files', integration_config: config });
  await upload(id, 'Smörgås <1>.pdf', book);
  await upload(id, 'song.wav', song);
  await api.call(`GET /entitlements/${id}`);
  return id;
}

const newKeys = () =>
  create({
    name: 'The program',
    integration_type: 'license_key',
    integration_config: { activations_limit: 2, activation_message: 'Choose Help, then Activate.' },
  });
const newFlag = () =>
  create({ name: 'Supporter', integration_type: 'feature_flag', integration_config: { feature_id: 's' } });

async function buy(entitlementIds: string[], card: string = cards.good): Promise<string> {
  const product = await addProduct(api, { entitlements: entitlementIds.map((entitlement_id) => ({ entitlement_id })) });
  const session = await createSession(api, [{ product_id: product, quantity: 1 }]);
  return (await pay(session, { expectedTotal: 1_999, card })).id;
}

/** Follows the link of an order in a new browser, and shows its page. */
async function open(paymentId: string): Promise<{ status: number; text: string; headers: Record<string, string> }> {
  const url = new URL(await orderUrlOf(await payments().get(paymentId)));
  const anyone = { key: null, headers: { 'accept-language': 'en' } };
  const { cookies } = await api.call(`GET ${url.pathname}`, { ...anyone, query: url.search.slice(1) });
  return api.call(`GET ${url.pathname}`, { ...anyone, cookies: cookies.map((cookie) => cookie.split(';')[0] ?? '') });
}

/** The buttons of a page: where each leads, and what it sends. */
const buttonsOf = (text: string) =>
  [...text.matchAll(/action="([^"]*downloads[^"]*)">\s*<input type="hidden" name="token" value="([^"]+)">/g)].map(
    ([, action = '', token = '']) => ({ path: action.split('?')[0] ?? '', token }),
  );

const press = ({ path, token }: { path: string; token: string }) =>
  api.call(`POST ${path}`, {
    key: null,
    raw: Buffer.from(new URLSearchParams({ token }).toString()),
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://localhost:4000' },
  });

describe('the order page of a product with entitlements', () => {
  it('gives files, text, address, licence key and access at once, before the sweep runs', async () => {
    const paymentId = await buy([await newFiles(), await newKeys(), await newFlag()]);
    const { text, headers } = await open(paymentId);
    expect(text).toContain('Smörgås &lt;1&gt;.pdf');
    expect(text).toContain('song.wav');
    expect(text).toContain('Read it slowly.');
    expect(text).toContain('href="https://example.com/errata"');
    expect(text).toMatch(/<code class="key" dir="ltr">([0-9A-Z]{5}-){4}[0-9A-Z]{5}<\/code>/);
    expect(text).toContain('Choose Help, then Activate.');
    expect(text).toContain('Devices on which it is active: 0 of 2.');
    expect(text).toContain('You have access: Supporter');
    expect(headers['content-security-policy']).toContain(new URL(bucket.url).origin);
  });

  it('gives each file at a button, with all its bytes, and lets a broken download continue', async () => {
    const paymentId = await buy([await newFiles()]);
    const buttons = buttonsOf((await open(paymentId)).text);
    expect(buttons).toHaveLength(2);
    const bytes: Buffer[] = [];
    for (const button of buttons) {
      const { status, headers } = await press(button);
      expect(status).toBe(303);
      const url = headers['location'] ?? '';
      const whole = Buffer.from(await (await fetch(url)).arrayBuffer());
      const rest = await fetch(url, { headers: { range: 'bytes=5-' } });
      expect(rest.status).toBe(206);
      expect(Buffer.from(await rest.arrayBuffer())).toEqual(whole.subarray(5));
      bytes.push(whole);
    }
    expect(bytes).toEqual([book, song]);
  });

  it('creates each grant once, even with two pages and two sweeps at the same time', async () => {
    const keys = await newKeys();
    const paymentId = await buy([keys]);
    const [one, other] = await Promise.all([open(paymentId), open(paymentId), sweep(), sweep()]);
    const keyIn = (text: string) => /<code class="key" dir="ltr">([^<]+)</.exec(text)?.[1];
    expect(keyIn(one.text)).toBe(keyIn(other.text));
    expect((await api.call(`GET /entitlements/${keys}/grants`)).body.items).toHaveLength(1);
  });

  it('gives no access after a refund, even with its old buttons', async () => {
    const paymentId = await buy([await newFiles(), await newKeys()]);
    const [button] = buttonsOf((await open(paymentId)).text);
    await api.call('POST /refunds', { body: { payment_id: paymentId } });
    const { text } = await open(paymentId);
    expect(buttonsOf(text)).toEqual([]);
    expect(text).not.toContain('class="key"');
    expect(text).toMatch(/no longer available/);
    expect((await press(button as { path: string; token: string })).status).toBe(403);
  });

  it('refuses a button of an old link after the link was replaced, and accepts one of the new link', async () => {
    const paymentId = await buy([await newFiles()]);
    const [leaked] = buttonsOf((await open(paymentId)).text);
    await payments().save(withNewOrderLink(await payments().get(paymentId)));
    expect((await press(leaked as { path: string; token: string })).status).toBe(404);
    const [button] = buttonsOf((await open(paymentId)).text);
    expect((await press(button as { path: string; token: string })).status).toBe(303);
  });

  it('gives no access while a chargeback is open', async () => {
    const paymentId = await buy([await newFiles()], cards.disputeLost);
    await hearDispute(paymentId);
    const { text } = await open(paymentId);
    expect(buttonsOf(text)).toEqual([]);
    expect(text).toMatch(/bank/);
  });

  it('still gives access after a refund with which the merchant keeps the access', async () => {
    const paymentId = await buy([await newFiles()]);
    await open(paymentId);
    await api.call('POST /refunds', { body: { payment_id: paymentId, keep_access: true } });
    expect(buttonsOf((await open(paymentId)).text)).toHaveLength(2);
  });

  it('says that a code is being prepared while the pool is empty, and shows the code later', async () => {
    const config = { fulfillment_mode: 'manual', pool: true };
    const id = await create({ name: 'Game', integration_type: 'license_key', integration_config: config });
    const paymentId = await buy([id]);
    expect((await open(paymentId)).text).toContain('This is being prepared.');
    await api.call(`POST /entitlements/${id}/codes`, { body: { codes: ['EXAMPLE-CODE-1'] } });
    const { text } = await open(paymentId);
    expect(text).toContain('EXAMPLE-CODE-1');
    expect(text).not.toContain('Devices');
  });

  it('takes a code from the pool if it is opened before the sweep runs', async () => {
    const config = { fulfillment_mode: 'manual', pool: true };
    const id = await create({ name: 'Game', integration_type: 'license_key', integration_config: config });
    await api.call(`POST /entitlements/${id}/codes`, { body: { codes: ['EXAMPLE-CODE-2'] } });
    expect((await open(await buy([id]))).text).toContain('EXAMPLE-CODE-2');
  });

  it('gives the same after a purchase by the product’s link, and after the product was archived and restored', async () => {
    const flag = await newFlag();
    const product = await addProduct(api, { entitlements: [{ entitlement_id: flag }] });
    const archived = await api.call(`DELETE /products/${product}`);
    const restored = await api.call(`POST /products/${product}/unarchive`);
    expect([archived.status, restored.status]).toEqual([200, 200]);
    const { status, headers } = await api.call(`POST /buy/${product}`, {
      key: null,
      raw: Buffer.from('quantity=1'),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://localhost:4000' },
    });
    expect(status).toBe(303);
    const session = /cks_\w+/.exec(headers['location'] ?? '')?.[0] ?? '';
    const { id } = await pay(session, { expectedTotal: 1_999 });
    expect((await open(id)).text).toContain('You have access: Supporter');
  });
});

describe('the dashboard page of a payment with entitlements', () => {
  it('shows the grants in words, after the payment itself', async () => {
    const paymentId = await buy([await newKeys()]);
    await open(paymentId);
    const { cookies } = await browse(api, await api.addKey({ access: 'read' }));
    const { status, text } = await api.call(`GET /dashboard/payments/${paymentId}`, { cookies, key: null });
    expect(status).toBe(200);
    const titles = [...text.matchAll(/<strong>(Payment|Access|Licence key)<\/strong> <span[^>]*>([^<]+)</g)].map(
      ([, noun, state]) => `${noun} ${state}`,
    );
    expect(titles.filter((title) => title.startsWith('Payment'))).not.toEqual([]);
    expect(titles).toEqual(expect.arrayContaining(['Access announced', 'Licence key announced', 'Access given']));
    expect(titles.findIndex((title) => title.startsWith('Access'))).toBeGreaterThan(
      titles.findIndex((title) => title.startsWith('Payment')),
    );
  });
});

describe('the order page while the table is overloaded', () => {
  it.each([
    {
      fails: 'nothing can be issued',
      operation: 'TransactWriteItems',
      shown: 'This is being prepared. Look here again later.',
    },
    { fails: 'the duty cannot be ended', operation: 'UpdateItem', shown: 'You have access: Supporter' },
  ])('200: shows the documents and the existing grants, if $fails', async ({ operation, shown }) => {
    const paymentId = await buy([await newFlag()]);
    const faults = injectFaults((call) => (call.operation === operation ? 'throttle' : undefined));
    const { status, text } = await open(paymentId);
    faults.heal();
    expect(status).toBe(200);
    expect(text).toContain(`/invoices/payments/${paymentId}`);
    expect(text).toContain(shown);
    expect((await open(paymentId)).text).toContain('You have access: Supporter');
    expect(api.log.join('')).toContain('An order is shown without all that it gives.');
  });
});
