import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { webhookDisabled } from '../../../shared/events/notices.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { sell } from '../../support/shop/shop.ts';
import { countRows } from '../../support/table/rows.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
let webhookId: string;
let paymentId: string;
beforeAll(async () => {
  api = await startApi();
  webhookId = (await api.call('POST /webhooks', { body: { url: 'https://hook.example.com/' } })).body.id;
  ({ paymentId } = await sell(api));
  await api.call('POST /refunds', { body: { payment_id: paymentId, amount: 500 } });
});
afterEach(() => clock.run());
afterAll(() => api.stop());

const unknown = `evt_${'x'.repeat(21)}`;
const list = async (query = '') => (await api.call('GET /webhook-events', { query })).body;

/** What is recorded when an endpoint says that it is gone. */
async function notice(endpointId: string): Promise<string> {
  const { newId, now, webhooks } = await import('../../../shared/wiring/runtime.ts');
  const endpoint = await webhooks().get(endpointId);
  const at = now().toISOString();
  const disabled = { ...endpoint, disabled: { reason: 'gone' as const, at }, updatedAt: at };
  const recorded = webhookDisabled(disabled, newId('evt'));
  await webhooks().disable(disabled, recorded);
  return recorded.id;
}

describe('GET /webhook-events', () => {
  it('200: lists events newest first, with every documented field and the position in the payment’s history', async () => {
    const { items, has_more, next_cursor } = await list();
    expect(items).toEqual([
      {
        event_id: expect.stringMatching(/^evt_/),
        type: 'refund.succeeded',
        timestamp: expect.any(String),
        payment_id: paymentId,
        sequence: 2,
      },
      {
        event_id: expect.stringMatching(/^evt_/),
        type: 'payment.succeeded',
        timestamp: expect.any(String),
        payment_id: paymentId,
        sequence: 1,
      },
    ]);
    expect({ has_more, next_cursor }).toEqual({ has_more: false, next_cursor: null });
  });

  it('200: filters by type and by payment, page by page', async () => {
    expect((await list('type=payment.succeeded')).items).toHaveLength(1);
    expect((await list('type=payment.failed')).items).toEqual([]);
    expect((await list(`payment_id=${paymentId}`)).items).toHaveLength(2);
    const first = await list('page_size=1');
    const second = await list(`page_size=1&cursor=${first.next_cursor}`);
    expect([...first.items, ...second.items]).toEqual((await list()).items);
  });

  it('422: refuses an unknown event type', async () => {
    expectProblem(
      await api.call('GET /webhook-events', { query: 'type=order.paid' }),
      422,
      'INVALID_QUERY_PARAMS',
      'type',
    );
  });
});

describe('GET /webhook-events/{id}', () => {
  it('200: answers the body that endpoints get, with the id and sequence number that receivers need', async () => {
    const [refunded, paid] = (await list()).items;
    const { body: event } = await api.call(`GET /webhook-events/${paid.event_id}`);
    expect(event.body).toMatchObject({
      business_id: 'demo',
      type: 'payment.succeeded',
      sequence: 1,
      timestamp: paid.timestamp,
    });
    expect(event.body.data).toMatchObject({ payload_type: 'Payment', payment_id: paymentId, status: 'succeeded' });
    const { body: other } = await api.call(`GET /webhook-events/${refunded.event_id}`);
    expect(other.body.data).toMatchObject({ payload_type: 'Refund', amount: 500, status: 'succeeded' });
  });

  it('200: answers the event unchanged after its payment has changed', async () => {
    const { event_id: id } = (await list('type=payment.succeeded')).items[0];
    const before = (await api.call(`GET /webhook-events/${id}`)).text;
    await api.call('POST /refunds', { body: { payment_id: paymentId, amount: 100 } });
    expect((await api.call(`GET /webhook-events/${id}`)).text).toBe(before);
    expect(JSON.parse(before).body.data.refundable_amount).toBe(1_999);
  });

  it.each([
    { card: cards.declined, type: 'payment.failed' },
    { card: cards.slowSuccess, type: 'payment.processing' },
  ])('200: answers an event $type with every key of a payment', async ({ card, type }) => {
    const { paymentId: id } = await sell(api, { card });
    const { items } = await list(`payment_id=${id}`);
    expect(items).toMatchObject([{ type }]);
    const { body: event } = await api.call(`GET /webhook-events/${items[0].event_id}`);
    // how the right of withdrawal and its mail stand depends on the moment, so no event freezes it
    const { withdrawal: _, confirmation: _mail, ...payment } = (await api.call(`GET /payments/${id}`)).body;
    expect(event.body.data).toEqual({ ...payment, payload_type: 'Payment' });
  });

  it('404: refuses an unknown event id', async () =>
    expectProblem(await api.call(`GET /webhook-events/${unknown}`), 404, 'NOT_FOUND'));
});

describe('POST /webhook-events/{id}/resend', () => {
  it('200: makes the event due within five seconds for subscribed endpoints, once per Idempotency-Key', async () => {
    const { event_id: id } = (await list('type=payment.succeeded')).items[0];
    const resend = () =>
      api.call(`POST /webhook-events/${id}/resend`, { body: {}, headers: { 'idempotency-key': 'again' } });
    const { status, body, text } = await resend();
    expect(status).toBe(200);
    expect(body.deliveries).toMatchObject([{ webhook_id: webhookId, status: 'pending', attempts: 0 }]);
    const rows = await countRows(api);
    expect((await resend()).text).toBe(text);
    expect(await countRows(api)).toEqual(rows);
    const { dueRows, now } = await import('../../../shared/wiring/runtime.ts');
    const soon = new Date(now().getTime() + 5_001).toISOString();
    const due = await dueRows().list(soon, 100, [webhookId]);
    expect(due.filter(({ kind, id: eventId }) => kind === 'delivery' && eventId === id)).toHaveLength(1);
  });

  it('200: makes one delivery from twenty requests at once', async () => {
    const { event_id: id } = (await list('type=refund.succeeded')).items[0];
    const body = { webhook_id: webhookId };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => api.call(`POST /webhook-events/${id}/resend`, { body })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await api.call(`GET /webhook-events/${id}`)).body.deliveries).toHaveLength(1);
  });

  it('200: resends a test event only to the endpoint that it was made for', async () => {
    const { body: production } = await api.call('POST /webhooks', { body: { url: 'https://shop.example.com/' } });
    const { body: test } = await api.call(`POST /webhooks/${webhookId}/test`, { body: {} });
    const { body } = await api.call(`POST /webhook-events/${test.event_id}/resend`, { body: {} });
    expect(body.deliveries).toMatchObject([{ webhook_id: webhookId, status: 'pending' }]);
    await api.call(`DELETE /webhooks/${production.id}`);
  });

  it('422: refuses a test event for another endpoint, and a notice that goes to no endpoint', async () => {
    const { body: production } = await api.call('POST /webhooks', { body: { url: 'https://shop.example.com/' } });
    const { body: test } = await api.call(`POST /webhooks/${webhookId}/test`, { body: {} });
    const asked = { webhook_id: production.id };
    const answers = [await api.call(`POST /webhook-events/${test.event_id}/resend`, { body: asked })];
    const noticed = await notice(production.id);
    for (const body of [{}, { webhook_id: webhookId }])
      answers.push(await api.call(`POST /webhook-events/${noticed}/resend`, { body }));
    for (const answer of answers) expectProblem(answer, 422, 'INVALID_REQUEST_PARAMETERS');
    for (const id of [test.event_id, noticed])
      expect((await api.call(`GET /webhook-events/${id}`)).body.deliveries).toEqual([]);
    await api.call(`DELETE /webhooks/${production.id}`);
  });

  it('404, 409, 422: refuses an unknown event or endpoint, a disabled endpoint and an invalid id', async () => {
    const { event_id: id } = (await list('type=payment.succeeded')).items[0];
    expectProblem(await api.call(`POST /webhook-events/${unknown}/resend`, { body: {} }), 404, 'NOT_FOUND');
    expectProblem(
      await api.call(`POST /webhook-events/${id}/resend`, { body: { webhook_id: `whk_${'x'.repeat(21)}` } }),
      404,
      'NOT_FOUND',
    );
    expectProblem(
      await api.call(`POST /webhook-events/${id}/resend`, { body: { webhook_id: 'x' } }),
      422,
      'INVALID_REQUEST_BODY',
      'webhook_id',
    );
    const { body: off } = await api.call('POST /webhooks', {
      body: { url: 'https://off.example.com/', disabled: true },
    });
    expectProblem(
      await api.call(`POST /webhook-events/${id}/resend`, { body: { webhook_id: off.id } }),
      409,
      'CONFLICT',
    );
    await api.call(`DELETE /webhooks/${off.id}`);
  });
});

describe('POST /webhooks/{id}/test', () => {
  it.each(['payment.processing', 'payment.succeeded', 'payment.failed', 'refund.succeeded', 'refund.failed'])(
    '200: sends a test of %s to this endpoint only, and no list shows it',
    async (type) => {
      const { status, body } = await api.call(`POST /webhooks/${webhookId}/test`, { body: { type } });
      expect(status).toBe(200);
      expect(body).toEqual({ event_id: expect.stringMatching(/^evt_/), type });
      const { body: event } = await api.call(`GET /webhook-events/${body.event_id}`);
      expect(event.body.data).toMatchObject({ status: type.split('.')[1], metadata: { test: true } });
      expect((await list('page_size=100')).items.map(({ event_id }: { event_id: string }) => event_id)).not.toContain(
        body.event_id,
      );
      const { events } = await import('../../../shared/wiring/runtime.ts');
      expect(await events().find(body.event_id)).toMatchObject({
        endpointId: webhookId,
        open: { deliveries: true, document: false },
      });
    },
  );

  it('404, 409, 422: refuses an unknown endpoint, a disabled endpoint and an unknown event type', async () => {
    const { body: off } = await api.call('POST /webhooks', {
      body: { url: 'https://off.example.com/', disabled: true },
    });
    expectProblem(await api.call(`POST /webhooks/${off.id}/test`, { body: {} }), 409, 'CONFLICT');
    expectProblem(
      await api.call(`POST /webhooks/${webhookId}/test`, { body: { type: 'payout.success' } }),
      422,
      'INVALID_REQUEST_BODY',
      'type',
    );
    expectProblem(await api.call(`POST /webhooks/whk_${'x'.repeat(21)}/test`, { body: {} }), 404, 'NOT_FOUND');
    await api.call(`DELETE /webhooks/${off.id}`);
  });
});

describe('POST /webhooks/{id}/recover', () => {
  it('200: answers how many events are sent again, even events from before the endpoint was created', async () => {
    const { body: fresh } = await api.call('POST /webhooks', { body: { url: 'https://fresh.example.com/' } });
    const happened = (await list('page_size=100')).items.filter(
      ({ type }: { type: string }) => type !== 'webhook.disabled',
    );
    const recover = () => api.call(`POST /webhooks/${fresh.id}/recover`, { body: { since: '2026-01-01T00:00:00Z' } });
    expect((await recover()).body).toEqual({ webhook_id: fresh.id, recovered: happened.length, has_more: false });
    expect((await recover()).body).toEqual({ webhook_id: fresh.id, recovered: 0, has_more: false });
    const { body: log } = await api.call(`GET /webhooks/${fresh.id}/deliveries`, { query: 'page_size=100' });
    expect(log.items).toHaveLength(happened.length);
    await api.call(`DELETE /webhooks/${fresh.id}`);
  });

  it('422, 404: refuses a missing start time and an unknown endpoint', async () => {
    expectProblem(
      await api.call(`POST /webhooks/${webhookId}/recover`, { body: {} }),
      422,
      'INVALID_REQUEST_BODY',
      'since',
    );
    const body = { since: '2026-01-01T00:00:00Z' };
    expectProblem(await api.call(`POST /webhooks/whk_${'x'.repeat(21)}/recover`, { body }), 404, 'NOT_FOUND');
  });
});
