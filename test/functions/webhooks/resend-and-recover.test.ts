import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StaleVersion } from '../../../shared/domain/idempotency.ts';
import { type Delivery, reopenDelivery } from '../../../shared/domain/webhooks/delivery.ts';
import { disableWebhook } from '../../../shared/use-cases/webhooks/disable-webhook.ts';
import { dispatchAgain } from '../../../shared/use-cases/webhooks/dispatch-again.ts';
import { recoverWebhook } from '../../../shared/use-cases/webhooks/recover-webhook.ts';
import { testWebhook } from '../../../shared/use-cases/webhooks/test-webhook.ts';
import { updateWebhook } from '../../../shared/use-cases/webhooks/update-webhook.ts';
import { inTurn, times } from '../../support/seeded.ts';
import { failed, hours, type Service, startService, taken } from './service.ts';

let service: Service;

beforeEach(async () => {
  service = await startService();
});

afterEach(() => service.stop());

const noRecords = () => [];
const admin = { access: 'admin', refunds: null, expiresAt: null } as const;

/** The clock goes on to the next minute after the delivery is due, then one sweep. */
async function sweepWhenDue(eventId: string, endpointId: string): Promise<void> {
  const delivery = await service.deps.deliveries.find({ eventId, endpointId });
  const due = Date.parse(delivery?.nextAttemptAt ?? service.clock.at.toISOString());
  service.clock.at = new Date(Math.max(service.clock.at.getTime(), Math.ceil(due / 60_000) * 60_000));
  await service.sweep();
}

describe('a delivery', () => {
  it('is sent again once, with its old id, after all attempts were used up', async () => {
    service.service.receiver = () => failed(500);
    const endpoint = await service.addEndpoint();
    const id = await service.commitEvent();
    await service.dispatch(id);
    for (let tries = 0; tries < 9; tries += 1) await sweepWhenDue(id, endpoint.id);
    service.sent.length = 0;
    service.service.receiver = () => taken;
    await dispatchAgain(service.deps, id, null, noRecords);
    await service.sweep();
    await service.sweep();
    expect(service.sent.map((request) => request.id)).toEqual([id]);
  });

  it('shows its new due time at once when it is resent, and no later time when that is repeated', async () => {
    service.service.receiver = () => failed(404);
    const endpoint = await service.addEndpoint();
    const id = await service.commitEvent();
    await service.dispatch(id);
    await sweepWhenDue(id, endpoint.id);
    const now = service.clock.at.toISOString();
    const shown = async () => (await service.deliveriesOf([id])).map(({ nextAttemptAt }) => nextAttemptAt);
    const resend = async () => {
      const { deliveries } = await dispatchAgain(service.deps, id, endpoint.id, noRecords);
      return deliveries.map(({ nextAttemptAt }) => nextAttemptAt);
    };
    expect((await shown())[0]?.localeCompare(now)).toBe(1);
    expect([await resend(), await shown()]).toEqual([[now], [now]]);
    service.forward(1);
    expect([await resend(), await shown()]).toEqual([[now], [now]]);
    service.sent.length = 0;
    await service.sweep();
    expect(service.sent.map((request) => request.id)).toEqual([id]);
  });

  it('is not disturbed by a resend while its attempt is running', async () => {
    service.service.receiver = () => failed(404);
    const endpoint = await service.addEndpoint();
    const id = await service.commitEvent();
    await service.dispatch(id);
    service.service.receiver = async () => {
      await dispatchAgain(service.deps, id, endpoint.id, noRecords);
      await service.sweep();
      return taken;
    };
    service.sent.length = 0;
    await sweepWhenDue(id, endpoint.id);
    expect(service.sent).toHaveLength(1);
    expect(await service.deliveriesOf([id])).toMatchObject([{ status: 'delivered', tries: 2, nextAttemptAt: null }]);
  });

  it('is not restarted by a caller who has read an old version of it', async () => {
    const endpoint = await service.addEndpoint();
    const id = await service.commitEvent();
    await service.dispatch(id);
    const delivery = await service.deps.deliveries.find({ eventId: id, endpointId: endpoint.id });
    const after = reopenDelivery(delivery as Delivery, service.clock.at.toISOString());
    const { reopen } = service.deps.deliveries;
    await expect(reopen([{ before: undefined, after }], [])).rejects.toThrow(StaleVersion);
    await reopen([{ before: delivery, after }], []);
    await expect(reopen([{ before: delivery, after }], [])).rejects.toThrow(StaleVersion);
  });

  it('is recovered if it failed since the given time, but not if it failed before', async () => {
    service.service.receiver = () => failed(410);
    const endpoint = await service.addEndpoint();
    const early = await service.commitEvent();
    await service.dispatch(early);
    service.forward(hours(1));
    const since = service.clock.at.toISOString();
    const change = { isDisabled: false };
    const deps = { ...service.deps, whyNotUrl: () => undefined };
    for (let index = 0; index < 3; index += 1) {
      await updateWebhook(deps, { id: endpoint.id, change, by: admin }, noRecords);
      await service.dispatch(await service.commitEvent());
    }
    await updateWebhook(deps, { id: endpoint.id, change, by: admin }, noRecords);
    service.sent.length = 0;
    service.service.receiver = () => taken;
    const recovery = await recoverWebhook(service.deps, endpoint.id, since, noRecords);
    await service.sweep();
    expect(recovery).toMatchObject({ recovered: 3, hasMore: false });
    expect(service.sent).toHaveLength(3);
    expect(service.sent.map(({ id }) => id)).not.toContain(early);
  });

  it('is recovered once for a new endpoint, for earlier events of the types that it wants', async () => {
    const early = await service.commitEvent();
    service.forward(hours(1));
    const since = service.clock.at.toISOString();
    const other = await service.addEndpoint();
    const missed = [await service.commitEvent(), await service.commitEvent()];
    const unwanted = await service.commitEvent('payment.failed');
    const deps = { ...service.deps, freeze: () => '{"data":{}}' };
    const { eventId: test } = await testWebhook(deps, other.id, 'payment.succeeded', noRecords);
    await inTurn([early, ...missed, unwanted, test], 1, (id) => service.dispatch(id));
    await disableWebhook(service.deps, other.id, 'gone');
    const endpoint = await service.addEndpoint({ filterTypes: ['payment.succeeded'] });
    service.sent.length = 0;
    const recover = () => recoverWebhook(service.deps, endpoint.id, since, noRecords);
    expect(await recover()).toMatchObject({ recovered: 2, hasMore: false });
    await service.sweep();
    expect(await recover()).toMatchObject({ recovered: 0, hasMore: false });
    await service.sweep();
    expect(service.sent.map(({ id, url }) => [id, url]).sort()).toEqual(missed.map((id) => [id, endpoint.url]).sort());
  });

  it('of a notice is never recovered, even for an endpoint that wants every type', async () => {
    const since = service.clock.at.toISOString();
    await disableWebhook(service.deps, (await service.addEndpoint()).id, 'gone');
    const endpoint = await service.addEndpoint();
    expect(await recoverWebhook(service.deps, endpoint.id, since, noRecords)).toMatchObject({ recovered: 0 });
  });

  it('is recovered if it was missed while the endpoint was disabled, but not if it already arrived', async () => {
    const endpoint = await service.addEndpoint();
    const since = service.clock.at.toISOString();
    const change = (isDisabled: boolean) =>
      updateWebhook(
        { ...service.deps, whyNotUrl: () => undefined },
        { id: endpoint.id, change: { isDisabled }, by: admin },
        noRecords,
      );
    const commitAndDispatch = async () => {
      const id = await service.commitEvent();
      await service.dispatch(id);
      return id;
    };
    const had = await commitAndDispatch();
    await change(true);
    const missed = await commitAndDispatch();
    await change(false);
    await recoverWebhook(service.deps, endpoint.id, since, noRecords);
    await service.sweep();
    expect(service.sent.map(({ id }) => id)).toEqual([had, missed]);
  });

  it('is sent once if a recovery runs while the event is being dispatched', async () => {
    const since = service.clock.at.toISOString();
    const endpoint = await service.addEndpoint();
    const ids = await service.commitEvents(20);
    await Promise.all([
      inTurn(ids, 8, (id) => service.dispatch(id)),
      recoverWebhook(service.deps, endpoint.id, since, noRecords),
      recoverWebhook(service.deps, endpoint.id, since, noRecords),
    ]);
    for (const later of [0, 121_000, 0]) {
      service.forward(later);
      await service.sweep();
    }
    expect(service.sent.map(({ id }) => id).sort()).toEqual(ids.sort());
  });

  it('is sent once and keeps its result if a recovery, a resend and a sweep run during its request', async () => {
    const since = service.clock.at.toISOString();
    const [one, other] = [await service.addEndpoint(), await service.addEndpoint()];
    const [id = ''] = await service.commitEvents(1);
    const meanwhile = async () => {
      await recoverWebhook(service.deps, one.id, since, noRecords);
      await dispatchAgain(service.deps, id, other.id, noRecords);
      await dispatchAgain(service.deps, id, other.id, noRecords);
      service.forward(10_000);
      await service.sweep();
      return taken;
    };
    service.service.receiver = () => {
      const done = meanwhile();
      service.service.receiver = () => done;
      return done;
    };
    await service.dispatch(id);
    service.forward(121_000);
    await service.sweep();
    expect(service.sent.map(({ url }) => url).sort()).toEqual([one.url, other.url].sort());
    const became = await service.deliveriesOf([id]);
    expect(became.map(({ status, attempts }) => [status, attempts.length])).toEqual(
      times(2).map(() => ['delivered', 1]),
    );
  });

  it.each(['a new endpoint', 'an endpoint that was served'])(
    'is resent to %s within ten seconds while the dispatcher waits for another endpoint',
    async (to) => {
      const [slow, served] = [await service.addEndpoint(), await service.addEndpoint()];
      const [id = ''] = await service.commitEvents(1);
      const sentTo = () => service.sent.splice(0).map(({ url }) => url);
      let meanwhile: string[] = [];
      let resentTo = served;
      service.service.receiver = async ({ url }) => {
        if (url !== slow.url) return taken;
        service.service.receiver = () => taken;
        await vi.waitFor(async () => expect(await service.deliveriesOf([id])).toHaveLength(1));
        if (to === 'a new endpoint') resentTo = await service.addEndpoint();
        for (const one of [resentTo, slow]) await dispatchAgain(service.deps, id, one.id, noRecords);
        sentTo();
        service.forward(10_000);
        await service.sweep();
        meanwhile = sentTo();
        return taken;
      };
      await service.dispatch(id);
      expect(meanwhile, 'the slow endpoint has an attempt already').toEqual([resentTo.url]);
      for (const later of [0, 121_000]) {
        service.forward(later);
        await service.sweep();
      }
      expect(sentTo()).toEqual([]);
      expect((await service.deliveriesOf([id])).every(({ status }) => status === 'delivered')).toBe(true);
      expect(service.reports).toEqual([]);
    },
  );

  it('is recovered in calls of 500, each of which says whether there are more', async () => {
    const since = service.clock.at.toISOString();
    const ids = await service.commitEvents(501);
    const endpoint = await service.addEndpoint();
    const recover = () => recoverWebhook(service.deps, endpoint.id, since, noRecords);
    const recoveries = [await recover(), await recover(), await recover()];
    expect(recoveries.map(({ recovered, hasMore }) => [recovered, hasMore])).toEqual([
      [500, true],
      [1, false],
      [0, false],
    ]);
    expect(await service.deliveriesOf(ids)).toHaveLength(501);
  });

  it.each(['events', 'deliveries'] as const)(
    'is not reported as fully recovered when there were more $0 than one call reads',
    async (unread) => {
      const endpoint = await service.addEndpoint();
      const sizes: number[] = [];
      const list = async (_: unknown, { size }: { size: number }) => {
        sizes.push(size);
        return { items: [], hasMore: true, last: undefined };
      };
      const deps = { ...service.deps, [unread]: { ...service.deps[unread], list } };
      const recovery = await recoverWebhook(deps, endpoint.id, service.clock.at.toISOString(), noRecords);
      expect(recovery).toMatchObject({ recovered: 0, hasMore: true });
      expect(sizes).toEqual([20_000]);
    },
  );
});
