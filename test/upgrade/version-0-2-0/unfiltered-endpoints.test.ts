import { afterAll, beforeAll, expect, it } from 'vitest';
import { startReceiver } from '../../../infra/local/demo/receiver.ts';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { wrapEvent } from '../../../infra/local-aws/bus/event-envelope.ts';
import { sampleExpiry } from '../../../shared/domain/webhooks/sample-expiry.ts';
import { samplePayment, sampleThreshold } from '../../../shared/domain/webhooks/sample-payment.ts';
import {
  type DomainEvent,
  recordCorrectedInvoice,
  recordExpiryEvent,
  recordPaymentEvent,
  recordThresholdEvent,
} from '../../../shared/events/catalogue.ts';
import { eventWrite } from '../../../shared/store/events/event-store.ts';
import { commit } from '../../../shared/store/table/transaction.ts';
import { freeze, now, table, world } from '../../../shared/wiring/runtime.ts';
import { describeWith020, open020, type Release } from '../../support/released/version-0-2-0.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { browse, postForm } from '../../support/shop/dashboard.ts';

describeWith020('A webhook endpoint without a filter', () => {
  let api: Api;
  let before: Release;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  /** One endpoint of each version. */
  let early: string;
  let fresh: string;
  beforeAll(async () => {
    api = await startApi();
    before = await open020(api);
    receiver = await startReceiver();
    early = await endpointOn(before);
    fresh = await endpointOn(api);
  });
  afterAll(() => Promise.all([api.stop(), receiver.stop()]));

  const endpointOn = async ({ call }: Pick<Api, 'call'>): Promise<string> =>
    (await call('POST /webhooks', { body: { url: receiver.url } })).body.id;

  /** Dispatches an event with today's function. Returns the endpoints that got it. */
  async function recipientsOf(record: (origin: { id: string; now: string }) => DomainEvent): Promise<string[]> {
    const event = record({ id: world.newId('evt'), now: now().toISOString() });
    await commit(table(), [eventWrite(event, freeze()(event))]);
    const detail = { event_id: event.id };
    await invokeFunction(
      'webhooks/dispatch-webhook',
      wrapEvent({ source: 'tillstack', detailType: event.type, detail }),
    );
    const { deliveries } = (await api.call(`GET /webhook-events/${event.id}`)).body;
    return deliveries.map((one: { webhook_id: string }) => one.webhook_id).sort();
  }

  const payment = samplePayment('succeeded', '2026-03-01T12:00:00.000Z');
  const paid = () => recipientsOf((origin) => recordPaymentEvent(payment, origin).event);
  const expired = () => recipientsOf((origin) => recordExpiryEvent(sampleExpiry(origin.now), origin));
  const passed = () => recipientsOf((origin) => recordThresholdEvent(sampleThreshold('passed', origin.now), origin));
  const corrected = () => recipientsOf((origin) => recordCorrectedInvoice(payment, origin).event);

  it('gets the types of the dialect, and those of its own version where 0.2.0 created it', async () => {
    expect(await paid()).toEqual([early, fresh].sort());
    expect([await expired(), await passed(), await corrected()]).toEqual([[early], [early], []]);
  });

  it('of 0.2.0 keeps its types after changes by the API and the dashboard that leave the filter out', async () => {
    await api.call(`PATCH /webhooks/${early}`, { body: { description: 'Books', filter_types: null } });
    const { token, cookies } = await browse(api, await api.addKey({ access: 'admin' }));
    const form = { action: 'save', url: receiver.url, description: 'Shop', enabled: 'true', token, form: 'once' };
    expect((await postForm(api, `/dashboard/webhooks/${early}`, form, cookies)).status).toBe(303);
    expect((await api.call(`GET /webhooks/${early}`)).body).toMatchObject({ description: 'Shop', filter_types: null });
    expect([await expired(), await corrected()]).toEqual([[early], []]);
  });

  it('gets a type that only this service has once it names it', async () => {
    const named = await endpointOn(api);
    await api.call(`PATCH /webhooks/${named}`, { body: { filter_types: ['payment.*', 'invoice.corrected'] } });
    expect(await paid()).toEqual([early, fresh, named].sort());
    expect([await corrected(), await expired()]).toEqual([[named], [early]]);
    await api.call(`DELETE /webhooks/${named}`);
  });
});
