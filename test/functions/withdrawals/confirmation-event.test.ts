import type { Context } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../../../infra/local/demo/receiver.ts';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { localKey } from '../../../infra/local/local-key.ts';
import { mails } from '../../../shared/wiring/books.ts';
import { payments } from '../../../shared/wiring/runtime.ts';
import type { Api } from '../../support/shop/api.ts';
import { browse, postForm } from '../../support/shop/dashboard.ts';
import { sell } from '../../support/shop/shop.ts';
import { openPortal } from '../portal/portal-visitor.ts';

const type = 'confirmation.accepted';
let shop: Awaited<ReturnType<typeof openPortal>>;
let api: Api;
let receiver: Receiver;
let everything: string;
/** The endpoint of a test that names the event. */
let named: string | undefined;
beforeAll(async () => {
  shop = await openPortal();
  ({ api } = shop);
  receiver = await startReceiver();
  everything = await endpointOf({});
});
afterAll(async () => {
  await receiver.stop();
  await shop.close();
});
beforeEach(() => {
  receiver.deliveries.length = 0;
});
afterEach(async () => {
  if (named) await api.call(`DELETE /webhooks/${named}`);
  named = undefined;
});

const endpointOf = async (fields: object): Promise<string> =>
  (await api.call('POST /webhooks', { body: { url: receiver.url, ...fields } })).body.id;

const eventsOf = async (paymentId: string): Promise<{ type: string; event_id: string }[]> =>
  (await api.call('GET /webhook-events', { query: `payment_id=${paymentId}` })).body.items;

const confirmationsOf = async (paymentId: string) => (await eventsOf(paymentId)).filter((one) => one.type === type);

/** Lets the worker mail the document of a payment. */
async function mailed(paymentId: string): Promise<string> {
  const event = (await eventsOf(paymentId)).find((one) => one.type === 'payment.succeeded');
  await invokeFunction('documents/issue-documents', {
    'detail-type': 'payment.succeeded',
    detail: { event_id: event?.event_id, payment_id: paymentId, data: {} },
  });
  return paymentId;
}

async function dispatch(eventId: string | undefined): Promise<void> {
  const { handler } = await import('../../../functions/webhooks/dispatch-webhook.ts');
  const context = { getRemainingTimeInMillis: () => 60_000 } as Context;
  await handler({ source: 'tillstack', detail: { event_id: eventId } } as never, context);
}

/** The first mail comes back. */
async function bounced(paymentId: string): Promise<void> {
  const [{ attempt = '' } = {}] = await mails().notes(paymentId);
  const note = { at: '2026-03-01T12:10:00.000Z', what: 'bounced' as const, isPermanent: false, attempt, orderLink: 0 };
  await mails().noteReport({ tag: { subjectId: paymentId, attempt, orderLink: 0 }, note });
}

const press = async (paymentId: string, fields: Record<string, string>): Promise<number> => {
  const { token, cookies } = await browse(api, localKey);
  const form = `form-${Object.values(fields).join('-')}-${paymentId}`;
  return (await postForm(api, `/dashboard/payments/${paymentId}/order`, { ...fields, token, form }, cookies)).status;
};

describe('the event of an accepted confirmation', () => {
  it('is not written while no endpoint subscribes to its type by name', async () => {
    const paymentId = await mailed((await sell(api)).paymentId);
    expect((await mails().notes(paymentId))[0]?.confirms).toBeDefined();
    expect(await confirmationsOf(paymentId)).toEqual([]);
  });

  it('is delivered to an endpoint that names its type, and not to one that receives all types', async () => {
    named = await endpointOf({ filter_types: [type] });
    receiver.setSecret((await api.call(`GET /webhooks/${named}/secret`)).body.secret);
    const paymentId = await mailed((await sell(api)).paymentId);
    const [event, ...others] = await confirmationsOf(paymentId);
    expect(others).toEqual([]);
    await dispatch(event?.event_id);
    expect(receiver.deliveries).toMatchObject([{ type, verified: true, status: 200 }]);
    const read = (await api.call(`GET /webhook-events/${event?.event_id}`)).body;
    expect(read.deliveries.map((one: { webhook_id: string }) => one.webhook_id)).toEqual([named]);
    const { confirmation } = (await api.call(`GET /payments/${paymentId}`)).body;
    expect(confirmation.accepted_at).toBe((await mails().notes(paymentId))[0]?.at);
    expect(read.body).toMatchObject({
      type,
      sequence: 0,
      data: { payment_id: paymentId, ...confirmation, payload_type: 'Confirmation' },
    });
  });

  it('is written once for an order, even if the mail is sent several times', async () => {
    named = await endpointOf({ filter_types: ['confirmation.*'] });
    const paymentId = await mailed((await sell(api)).paymentId);
    await mailed(paymentId);
    expect(await press(paymentId, { action: 'send' })).toBe(303);
    expect(await confirmationsOf(paymentId)).toHaveLength(1);
  });

  it('is written when a member sends a bounced mail again, and when the address is corrected', async () => {
    const paymentId = await mailed((await sell(api)).paymentId);
    await bounced(paymentId);
    expect(await press(paymentId, { action: 'send' })).toBe(303);
    expect(await confirmationsOf(paymentId)).toHaveLength(1);
    expect(await press(paymentId, { action: 'correct', email: 'moved@example.com' })).toBe(303);
    expect(await confirmationsOf(paymentId)).toHaveLength(2);
  });

  it('is written when a buyer sends a bounced mail again in the portal', async () => {
    const { paymentId } = await sell(api);
    await mailed(paymentId);
    await bounced(paymentId);
    const visitor = shop.visitor();
    await visitor.signIn((await payments().get(paymentId)).customer.email);
    expect((await visitor.post(`/portal/orders/${paymentId}`, { step: 'send' })).status).toBeLessThan(400);
    expect(await confirmationsOf(paymentId)).toHaveLength(1);
  });

  it('can be tested with a test event', async () => {
    const { body } = await api.call(`POST /webhooks/${everything}/test`, { body: { type } });
    await dispatch(body.event_id);
    expect(receiver.deliveries.map((one) => one.type)).toEqual([type]);
  });
});
