import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { invokeFunction } from '../../infra/local/invoke.ts';
import { localKey } from '../../infra/local/local-key.ts';
import { failed, hours, startService } from '../functions/webhooks/service.ts';
import { type Api, startApiThroughSdk, testMerchant } from '../support/shop/api.ts';
import { browse, postForm } from '../support/shop/dashboard.ts';
import { addMember, browseAs } from '../support/shop/members.ts';
import { sell } from '../support/shop/shop.ts';
import { shortenPauses } from '../support/short-pauses.ts';

let api: Api;
let mailServer: Server;
const mails: string[] = [];
let takeRealTime: () => void;

/** Stands for the mail service, as the functions find it in AWS. */
function startMailServer(): Promise<number> {
  mailServer = createServer((request, response) => {
    request.resume().once('end', () => {
      mails.push(request.url ?? '');
      response.setHeader('content-type', 'application/json').end('{"MessageId":"1"}');
    });
  });
  return new Promise((resolve) =>
    mailServer.listen(0, '127.0.0.1', () => resolve((mailServer.address() as AddressInfo).port)),
  );
}

beforeAll(async () => {
  takeRealTime = shortenPauses(50);
  api = await startApiThroughSdk({ ...testMerchant, receipts: { from: 'receipts@example.com' } });
  process.env['AWS_ENDPOINT_URL_SESV2'] = `http://127.0.0.1:${await startMailServer()}`;
});
afterAll(async () => {
  takeRealTime();
  mailServer.close();
  await api.stop();
});

const latestEvent = async (): Promise<string> => (await api.call('GET /webhook-events')).body.items[0].event_id;

it('webhooks that a disabled endpoint missed become pending again when they are recovered', async () => {
  const { world } = await import('../../shared/wiring/runtime.ts');
  const { now } = world;
  const { body: endpoint } = await api.call('POST /webhooks', { body: { url: 'http://127.0.0.1:9/webhooks' } });
  await sell(api);
  const event = await latestEvent();
  await invokeFunction('webhooks/dispatch-webhook', { detail: { event_id: event } });
  await api.call(`PATCH /webhooks/${endpoint.id}`, { body: { disabled: true } });
  world.now = () => new Date(now().getTime() + hours(1));
  await invokeFunction('events/sweep-due', {});
  world.now = now;
  const statuses = async () =>
    (await api.call(`GET /webhook-events/${event}`)).body.deliveries.map(({ status }: { status: string }) => status);
  expect(await statuses()).toEqual(['cancelled']);
  await api.call(`PATCH /webhooks/${endpoint.id}`, { body: { disabled: false } });
  const since = new Date(now().getTime() - hours(1)).toISOString();
  const { body } = await api.call(`POST /webhooks/${endpoint.id}/recover`, { body: { since } });
  expect(body.recovered).toBe(1);
  expect(await statuses()).toEqual(['pending']);
});

it('a delivery that waits for its next attempt is sent at once when its event is sent again', async () => {
  const { body: endpoint } = await api.call('POST /webhooks', { body: { url: 'http://127.0.0.1:9/webhooks' } });
  await sell(api);
  const event = await latestEvent();
  await invokeFunction('webhooks/dispatch-webhook', { detail: { event_id: event } });
  const attempts = async () =>
    (await api.call(`GET /webhooks/${endpoint.id}/deliveries`)).body.items[0].attempts.length;
  await invokeFunction('events/sweep-due', {});
  const before = await attempts();
  await invokeFunction('events/sweep-due', {});
  expect(await attempts()).toBe(before);
  expect((await api.call(`POST /webhook-events/${event}/resend`, { body: {} })).status).toBe(200);
  await invokeFunction('events/sweep-due', {});
  expect(await attempts()).toBe(before + 1);
});

it('a member is invited, signs in with a link that SES mails, and signs out', async () => {
  delete process.env['MAIL_FOLDER'];
  const member = await addMember('owner');
  const { cookies, token } = await browseAs(api, member);
  mails.length = 0;
  const invitation = { action: 'invite', token, form_id: 'form-1', email: 'erika@example.com', role: 'read' };
  expect((await postForm(api, '/dashboard/members', invitation, cookies)).status).toBe(303);
  expect(mails).toHaveLength(1);
  expect((await postForm(api, '/dashboard/sign-in/link', { email: member.email }, [])).status).toBe(200);
  expect(mails).toHaveLength(2);
  const example = { action: 'send_example', mail: 'invite', token, form_id: 'form-2' };
  expect((await postForm(api, '/dashboard/mails', example, cookies)).headers['location']).toContain('said=sent');
  expect(mails).toHaveLength(3);
  expect((await postForm(api, '/dashboard/sign-out', { token }, cookies)).status).toBe(303);
  expect((await api.call('GET /dashboard', { cookies, key: null })).status).toBe(303);
});

it('an endpoint that answers 410 to the sweep is disabled, and its pending deliveries are cancelled', async () => {
  const service = await startService(() => failed(500));
  const endpoint = await service.addEndpoint();
  const events = await service.commitEvents(2);
  for (const event of events) await service.dispatch(event);
  service.service.receiver = () => failed(410);
  service.forward(hours(1));
  await service.sweep();
  expect((await service.deps.webhooks.get(endpoint.id)).disabled?.reason).toBe('gone');
  expect((await service.deliveriesOf(events)).map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
  await service.stop();
});

it('SES mails an invoice, and later a link to it, if the merchant has an address for receipts', async () => {
  delete process.env['MAIL_FOLDER'];
  mails.length = 0;
  const { paymentId } = await sell(api);
  await invokeFunction('documents/issue-documents', {
    'detail-type': 'payment.succeeded',
    detail: { event_id: await latestEvent(), payment_id: paymentId, data: {} },
  });
  expect(mails).toEqual(['/v2/email/outbound-emails']);
  expect((await api.call(`POST /invoices/payments/${paymentId}`, { key: null })).status).toBe(200);
  expect(mails).toHaveLength(2);
  const { cookies, token } = await browse(api, localKey);
  const again = { action: 'send', token, form_id: 'again-1', form: 'again-1' };
  expect((await postForm(api, `/dashboard/payments/${paymentId}/order`, again, cookies)).status).toBe(303);
  expect(mails).toHaveLength(3);
});

it('a session that cannot be read is skipped for a minute, so the sweep handles the next ones', async () => {
  const { dueRows, table, now } = await import('../../shared/wiring/runtime.ts');
  const { keys, sessionsDuePartition, timeKey } = await import('../../shared/store/keys.ts');
  const due = { duePk: sessionsDuePartition, dueSk: timeKey(now().toISOString(), 'cks_damaged') };
  const Item = { ...keys.session('cks_damaged'), entity: 'SESSION', data: {}, ...due };
  await table().client.send(new PutCommand({ TableName: table().name, Item }));
  await invokeFunction('events/sweep-due', {});
  const isDueIn = async (seconds: number) =>
    (await dueRows().list(new Date(now().getTime() + seconds * 1_000).toISOString(), 10)).some(
      ({ id }) => id === 'cks_damaged',
    );
  expect([await isDueIn(30), await isDueIn(61)]).toEqual([false, true]);
});
