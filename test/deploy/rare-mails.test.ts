import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { invokeFunction } from '../../infra/local/invoke.ts';
import { hourMs } from '../../shared/domain/duration.ts';
import { withdrawals } from '../../shared/wiring/runtime.ts';
import { orderUrlOf } from '../../shared/wiring/selling.ts';
import { type Api, startApiThroughSdk, testMerchant } from '../support/shop/api.ts';
import { type Browsing, browse, postForm } from '../support/shop/dashboard.ts';
import { sweep } from '../support/shop/settle.ts';
import { addProduct, createSession, pay } from '../support/shop/shop.ts';
import { declareByForm, declareByLink } from '../support/shop/withdrawals.ts';

/** A stack that mails by SES, as it is deployed. */
let api: Api;
let mailServer: Server;
let admin: Browsing;
/** The requests that reached the mail service. */
const mails: string[] = [];
/** Whether the mail service says that its rate is used up. */
let isBusy = false;

beforeAll(async () => {
  mailServer = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part) => void parts.push(part));
    request.once('end', () => {
      response.setHeader('content-type', 'application/json');
      if (request.url?.endsWith('/account'))
        return response.end('{"SendQuota":{"MaxSendRate":14,"Max24HourSend":50000}}');
      if (isBusy) return response.writeHead(429, { 'x-amzn-errortype': 'TooManyRequestsException' }).end('{}');
      mails.push(Buffer.concat(parts).toString());
      return response.end('{"MessageId":"1"}');
    });
  });
  await new Promise<void>((resolve) => mailServer.listen(0, '127.0.0.1', resolve));
  api = await startApiThroughSdk({ ...testMerchant, receipts: { from: 'receipts@example.com' } });
  process.env['AWS_ENDPOINT_URL_SESV2'] = `http://127.0.0.1:${(mailServer.address() as AddressInfo).port}`;
  delete process.env['MAIL_FOLDER'];
  admin = await browse(api, await api.addKey({ access: 'admin', refunds: { perDay: null } }));
});
beforeEach(() => void mails.splice(0));
afterAll(async () => {
  mailServer.close();
  await api.stop();
});

/** The mails to an address since the test began. */
const mailsTo = (email: string) => mails.filter((body) => body.includes(email));

/** A sale with its invoice, of a product that gives licence keys. */
async function sold(email: string): Promise<{ paymentId: string; entitlementId: string; eventId: string }> {
  const licence = { name: 'Atlas', integration_type: 'license_key', integration_config: { activations_limit: 3 } };
  const { id: entitlementId } = (await api.call('POST /entitlements', { body: licence })).body;
  const productId = await addProduct(api, { entitlements: [{ entitlement_id: entitlementId }] });
  const session = await createSession(api, [{ product_id: productId, quantity: 1 }]);
  const payment = await pay(session, { expectedTotal: 1_999, email });
  await orderUrlOf(payment);
  await sweep();
  const { items } = (await api.call('GET /webhook-events', { query: `payment_id=${payment.id}&page_size=100` })).body;
  const { event_id } = items.find(({ type }: { type: string }) => type === 'payment.succeeded');
  await invokeFunction('webhooks/dispatch-webhook', { detail: { event_id } });
  await issue(event_id, payment.id);
  mails.splice(0);
  return { paymentId: payment.id, entitlementId, eventId: event_id };
}

const issue = (event_id: string, paymentId: string) =>
  invokeFunction('documents/issue-documents', {
    'detail-type': 'payment.succeeded',
    detail: { event_id, payment_id: paymentId, data: {} },
  });

const grantOf = async (entitlementId: string) =>
  (await api.call(`GET /entitlements/${entitlementId}/grants`)).body.items[0];

let forms = 0;
async function press(path: string, fields: Record<string, string>) {
  forms += 1;
  const { status } = await postForm(
    api,
    path,
    { token: admin.token, form_id: `form-${forms}`, ...fields },
    admin.cookies,
  );
  expect(status).toBe(303);
}

it('a new licence key is mailed to its buyer, made by the API or in the dashboard', async () => {
  const { entitlementId } = await sold('reissue@buyer.example');
  const { id, license_key } = await grantOf(entitlementId);
  const { status, body } = await api.call(`POST /license_keys/${license_key.id}/reissue`);
  expect([status, mailsTo('reissue@buyer.example').length]).toEqual([200, 1]);
  await press(`/dashboard/grants/${id}`, { action: 'reissue', key_id: body.id });
  expect(mailsTo('reissue@buyer.example')).toHaveLength(2);
});

it('a link to the portal is mailed to the address of an order', async () => {
  await sold('portal@buyer.example');
  const { status } = await api.call('POST /portal', {
    key: null,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    source: '198.51.100.200',
    raw: Buffer.from('step=link&email=portal%40buyer.example'),
  });
  expect(status).toBe(200);
  expect(mailsTo('portal@buyer.example')).toHaveLength(1);
});

it('a portal link that the merchant requests is mailed to the customer', async () => {
  const { paymentId } = await sold('session@buyer.example');
  const { customer } = (await api.call(`GET /payments/${paymentId}`)).body;
  const request = `POST /customers/${customer.customer_id}/customer-portal/session`;
  const { status } = await api.call(request, { query: 'send_email=true' });
  expect([status, mailsTo('session@buyer.example').length]).toEqual([200, 1]);
});

it('a withdrawal declaration is acknowledged by mail, and so is the decision about it', async () => {
  const [one, other] = [await sold('one@buyer.example'), await sold('other@buyer.example')];
  const [ofOne, ofOther] = [await declareByLink(api, one.paymentId), await declareByLink(api, other.paymentId)];
  expect([mailsTo('one@buyer.example').length, mailsTo('other@buyer.example').length]).toEqual([1, 1]);
  const { proposal } = (await api.call(`GET /withdrawals/${ofOne}`)).body;
  expect(proposal.outcome).toBe('full_refund');
  expect((await api.call(`POST /withdrawals/${ofOne}/decide`, { body: { outcome: 'refund' } })).status).toBe(200);
  const { text } = await api.call(`GET /dashboard/withdrawals/${ofOther}`, { cookies: admin.cookies, key: null });
  const [, proposed = ''] = /name="proposed" value="([^"]*)"/.exec(text) ?? [];
  await press(`/dashboard/withdrawals/${ofOther}`, { action: 'confirm', proposed });
  expect([mailsTo('one@buyer.example').length, mailsTo('other@buyer.example').length]).toEqual([2, 2]);
});

it('the sweep later mails the acknowledgement that the hourly limit of mails held back', async () => {
  const email = 'often@buyer.example';
  for (let count = 0; count < 6; count += 1) await declareByForm(api, { email });
  expect(mailsTo(email)).toHaveLength(5);
  const { world } = await import('../../shared/wiring/runtime.ts');
  const { now } = world;
  world.now = () => new Date(now().getTime() + 2 * hourMs);
  await invokeFunction('events/sweep-due', {});
  world.now = now;
  expect(mailsTo(email)).toHaveLength(6);
  const { items } = await withdrawals().list({ size: 100, skip: 0, after: undefined });
  expect(items.filter(({ acknowledgement }) => acknowledgement.status === 'due')).toEqual([]);
});

it('an invoice whose mail the mail service did not accept is mailed two minutes later, after the sweep has found it', async () => {
  isBusy = true;
  const { paymentId, eventId } = await sold('busy@buyer.example');
  isBusy = false;
  expect(mailsTo('busy@buyer.example')).toEqual([]);
  const { world, dueRows } = await import('../../shared/wiring/runtime.ts');
  const { now } = world;
  const later = new Date(now().getTime() + 121_000);
  expect((await dueRows().mails(later.toISOString(), 9)).map(({ id }) => id)).toEqual([eventId]);
  world.now = () => later;
  await invokeFunction('events/sweep-due', {});
  await issue(eventId, paymentId);
  world.now = now;
  expect(mailsTo('busy@buyer.example')).toHaveLength(1);
  expect(await dueRows().mails('2100-01-01', 9)).toEqual([]);
});
