import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLocalTable } from '../../infra/local/local-table.ts';
import { ApiKey } from '../../shared/domain/access/api-key.ts';
import { afterPayment } from '../../shared/domain/checkout/checkout-session.ts';
import type { IdempotencyRecord } from '../../shared/domain/idempotency.ts';
import type { Dispute } from '../../shared/domain/payments/dispute.ts';
import type { Payment } from '../../shared/domain/payments/payment.ts';
import type { Refund } from '../../shared/domain/payments/refund.ts';
import { createDelivery } from '../../shared/domain/webhooks/delivery.ts';
import { sampleDispute, samplePayment, sampleRefund } from '../../shared/domain/webhooks/sample-payment.ts';
import { recordPaymentEvent } from '../../shared/events/catalogue.ts';
import { admitGuardScript } from '../support/faults/guards.ts';
import { type Api, startApiThroughSdk } from '../support/shop/api.ts';
import { aSession } from '../support/shop/sessions.ts';

const now = '2026-03-01T12:00:00.000Z';
const stale = { name: 'StaleVersion' };

let api: Api;
let runtime: typeof import('../../shared/wiring/runtime.ts');
beforeAll(async () => {
  api = await startApiThroughSdk();
  runtime = await import('../../shared/wiring/runtime.ts');
  admitGuardScript();
});
afterAll(() => api.stop());

const newId = (prefix: 'cks' | 'pay' | 'ref' | 'evt' | 'pdt' | 'whk') => runtime.world.newId(prefix);
const session = () => ({ ...aSession([{ unitAmount: 1_190 }]), id: newId('cks') });
const payment = (): Payment => ({ ...samplePayment('succeeded', now), id: newId('pay') });
const chargeOf = (sold: Payment, eventId: string = newId('evt')) => recordPaymentEvent(sold, { id: eventId, now });

/** A payment as the table has it, with its session. */
async function savedPayment(): Promise<Payment> {
  const { payment: sold, event } = chargeOf(payment());
  await runtime.payments().saveCharge({ session: session(), payment: sold, event });
  return runtime.payments().get(sold.id);
}

const refundOf = (sold: Payment): Refund => ({ ...sampleRefund('pending', now), id: newId('ref'), paymentId: sold.id });
const commitOf = (sold: Payment, refund: Refund, isNew: boolean) => ({
  payment: sold,
  refund,
  isNew,
  events: [],
  records: [],
});

describe('a session', () => {
  it('is created once, and changed only if it is unchanged since it was read', async () => {
    const sessions = runtime.sessions();
    const created = session();
    await sessions.save(created);
    await expect(sessions.save(created)).rejects.toMatchObject(stale);
    const read = await sessions.get(created.id);
    await sessions.save({ ...read, attempts: 1 });
    await expect(sessions.save({ ...read, attempts: 2 })).rejects.toMatchObject(stale);
    expect((await sessions.get(created.id)).attempts).toBe(1);
  });
});

describe('the time to live of a session', () => {
  const ttlOf = async (id: string): Promise<unknown> => {
    const { client, name } = runtime.table();
    const { Item } = await client.send(
      new GetCommand({ TableName: name, Key: { pk: `SESSION#${id}`, sk: 'SESSION' } }),
    );
    return Item?.['ttl'];
  };
  /** Its twenty-four hours, and ninety days. */
  const ninetyDaysOver = (createdAt: string) => Date.parse(createdAt) / 1_000 + 91 * 86_400;

  it('starts with the session, stays after a failed payment, and is removed by a payment that did not fail', async () => {
    const created = session();
    await runtime.sessions().save(created);
    expect(await ttlOf(created.id)).toBe(ninetyDaysOver(created.createdAt));
    const change = async (status: Payment['status']) => {
      const sold = { ...payment(), status };
      const read = await runtime.sessions().get(created.id);
      const paid = afterPayment(read, sold, true);
      await runtime.payments().saveCharge({ session: paid, ...chargeOf(sold) });
      return ttlOf(created.id);
    };
    expect(await change('failed')).toBe(ninetyDaysOver(created.createdAt));
    expect(await change('processing')).toBeUndefined();
    expect(await change('failed')).toBe(ninetyDaysOver(created.createdAt));
    expect(await change('succeeded')).toBeUndefined();
  });
});

describe('a payment', () => {
  it('is created once, even by two sessions', async () => {
    const { payment: sold, event } = chargeOf(payment());
    await runtime.payments().saveCharge({ session: session(), payment: sold, event });
    const again = { session: session(), payment: sold, event: { ...event, id: newId('evt') } };
    await expect(runtime.payments().saveCharge(again)).rejects.toMatchObject(stale);
  });

  it('is changed only if it is unchanged since it was read', async () => {
    const read = await savedPayment();
    await runtime.payments().saveRefund(commitOf(read, refundOf(read), true));
    const second = commitOf(read, refundOf(read), true);
    await expect(runtime.payments().saveRefund(second)).rejects.toMatchObject(stale);
  });
});

describe('a refund', () => {
  it('is created once, even on two payments', async () => {
    const [one, other] = [await savedPayment(), await savedPayment()];
    const refund = refundOf(one);
    await runtime.payments().saveRefund(commitOf(one, refund, true));
    const again = commitOf(other, { ...refund, paymentId: other.id }, true);
    await expect(runtime.payments().saveRefund(again)).rejects.toMatchObject(stale);
  });

  it('uses a daily limit only if the limit is unchanged since it was read, even the first of a day', async () => {
    const first = { hash: 'a'.repeat(64), day: '2026-03-01', spent: 100, version: 0 };
    for (const version of [0, 1]) {
      const [one, other] = [await savedPayment(), await savedPayment()];
      const allowance = { ...first, version };
      await runtime.payments().saveRefund({ ...commitOf(one, refundOf(one), true), allowance });
      const second = { ...commitOf(other, refundOf(other), true), allowance };
      await expect(runtime.payments().saveRefund(second)).rejects.toMatchObject(stale);
    }
  });

  it('gets its final status once', async () => {
    const read = await savedPayment();
    const refund = refundOf(read);
    await runtime.payments().saveRefund(commitOf(read, refund, true));
    const held = await runtime.payments().get(read.id);
    await runtime.payments().saveRefund(commitOf(held, { ...refund, status: 'succeeded' }, false));
    const ended = await runtime.payments().get(read.id);
    const again = commitOf(ended, { ...refund, status: 'failed' }, false);
    await expect(runtime.payments().saveRefund(again)).rejects.toMatchObject(stale);
    expect((await runtime.payments().getRefund(refund.id)).status).toBe('succeeded');
  });
});

describe('a dispute', () => {
  it('is opened once, and changed only if it is unchanged since it was read, even for another payment', async () => {
    const [one, other, third] = [await savedPayment(), await savedPayment(), await savedPayment()];
    const opened = { ...sampleDispute('opened', now), id: 'dp_Conditions', paymentId: one.id, version: 0 };
    const save = (sold: Payment, dispute: Dispute) => runtime.disputes().save({ payment: sold, dispute, events: [] });
    await save(one, opened);
    await expect(save(other, opened)).rejects.toMatchObject(stale);
    const read = await runtime.disputes().get(opened.id);
    await save(other, { ...read, status: 'won' });
    await expect(save(third, { ...read, status: 'lost' })).rejects.toMatchObject(stale);
    expect((await runtime.disputes().get(opened.id)).status).toBe('won');
  });
});

describe('an event', () => {
  it('is never replaced', async () => {
    const { payment: one, event } = chargeOf(payment());
    await runtime.payments().saveCharge({ session: session(), payment: one, event });
    const { payment: other, event: same } = chargeOf(payment(), event.id);
    const again = runtime.payments().saveCharge({ session: session(), payment: other, event: same });
    await expect(again).rejects.toThrow(/exists already/);
    expect((await runtime.events().get(event.id)).paymentId).toBe(one.id);
  });

  /** A committed event, and how its row is to be seen. */
  async function committed(status?: Payment['status']) {
    const { payment: sold, event } = chargeOf({ ...payment(), ...(status && { status }) });
    await runtime.payments().saveCharge({ session: session(), payment: sold, event });
    const read = () => runtime.events().get(event.id);
    const isDue = async () =>
      (await runtime.dueRows().list('2030-01-01T00:00:00.000Z', 4_000)).some(({ id }) => id === event.id);
    return { id: event.id, read, isDue };
  }

  it('is marked as dispatched once, and stores which endpoints received it', async () => {
    const { read } = await committed();
    const event = await read();
    expect(await runtime.events().markDispatched(event, ['whk_1'])).toBe(true);
    expect(await runtime.events().markDispatched(event, ['whk_2'])).toBe(false);
    expect((await read()).dispatchedTo).toEqual(['whk_1']);
  });

  it('is claimed by one of two dispatchers, and again after that claim ends, until it is dispatched', async () => {
    const { id, read } = await committed();
    const [now, until, after] = ['2026-03-01T12:00:00.000Z', '2026-03-01T12:02:00.000Z', '2026-03-01T12:02:00.001Z'];
    const claim = (at: string) => runtime.events().claim(id, { now: at, until, endpointIds: ['whk_1'] });
    expect([await claim(now), await claim(now), await claim(until)]).toEqual([true, false, false]);
    expect(await runtime.events().claim(id, { now: after, until: '2026-03-01T12:04:00.000Z', endpointIds: [] })).toBe(
      true,
    );
    expect(await runtime.events().markDispatched(await read(), [])).toBe(true);
    expect(await claim('2026-03-02T12:00:00.000Z')).toBe(false);
  });

  it('is read together with the endpoints to which it has a delivery', async () => {
    const { id } = await committed();
    const found = () => runtime.events().findWithEndpoints(id);
    expect(await found()).toMatchObject({ event: { id }, endpointIds: new Set() });
    await runtime.deliveries().create(createDelivery({ id, type: 'payment.succeeded' }, 'whk_1', now, now));
    expect((await found()).endpointIds).toEqual(new Set(['whk_1']));
    expect(await runtime.events().findWithEndpoints('evt_none')).toEqual({ event: undefined, endpointIds: new Set() });
  });

  it('is marked as documented once', async () => {
    const { id } = await committed();
    expect(await runtime.events().markDocumented(id)).toBe(true);
    expect(await runtime.events().markDocumented(id)).toBe(false);
  });

  it.each(['dispatch first', 'document first'])(
    'stays due until it is both dispatched and documented: %s',
    async (order) => {
      const { id, read, isDue } = await committed();
      const duties = [
        async () => runtime.events().markDispatched(await read(), []),
        async () => runtime.events().markDocumented(id),
      ];
      const [first, second] = order === 'dispatch first' ? duties : duties.reverse();
      expect([await first?.(), await isDue()]).toEqual([true, true]);
      expect([await second?.(), await isDue()]).toEqual([true, false]);
    },
  );

  it('is no longer due when both workers finish at the same moment', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { id, read, isDue } = await committed();
      const event = await read();
      const ended = await Promise.all([
        runtime.events().markDocumented(id),
        runtime.events().markDispatched(event, []),
      ]);
      expect([...ended, await isDue()]).toEqual([true, true, false]);
    }
  });

  it('that needs no document is due until it is dispatched', async () => {
    const { id, read, isDue } = await committed('failed');
    expect((await read()).open).toEqual({ deliveries: true, document: false });
    expect(await runtime.events().markDocumented(id)).toBe(false);
    expect(await runtime.events().markDispatched(await read(), [])).toBe(true);
    expect(await isDue()).toBe(false);
  });
});

describe('a row that is due', () => {
  it('is postponed by only one of two processes that read it', async () => {
    const { payment: sold, event } = chargeOf(payment());
    await runtime.payments().saveCharge({ session: session(), payment: sold, event });
    const row = (await runtime.dueRows().list('2026-03-01T13:00:00.000Z', 4_000)).find(({ id }) => id === event.id);
    if (!row) return expect.unreachable();
    expect(await runtime.dueRows().postpone(row, '2026-03-01T13:00:00.000Z')).toBe(true);
    expect(await runtime.dueRows().postpone(row, '2026-03-01T14:00:00.000Z')).toBe(false);
  });
});

describe('a stored answer of a request', () => {
  let serial = 0;
  const record = (fields: Partial<IdempotencyRecord> = {}): IdempotencyRecord => ({
    id: `POST /things#${serial}`,
    fingerprint: 'same',
    answer: { status: 200, body: '"first"' },
    started: null,
    createdAt: now,
    expiresAt: '2026-03-03T12:00:00.000Z',
    replacesBefore: null,
    isRetry: false,
    ...fields,
  });
  const done = { name: 'AlreadyDone' };
  const save = (fields: Partial<IdempotencyRecord>) => runtime.idempotencyRecords().save(record(fields));

  it('is not replaced until it expires', async () => {
    serial += 1;
    await save({});
    await expect(save({ answer: { status: 200, body: '"second"' } })).rejects.toMatchObject(done);
    const later = { createdAt: '2026-03-03T12:00:00.000Z', expiresAt: '2026-03-05T12:00:00.000Z' };
    await expect(save({ answer: { status: 200, body: '"third"' }, ...later })).resolves.toBeUndefined();
  });

  it('without a key is replaced by a later request, unless a retry of that request has stored its answer', async () => {
    serial += 1;
    const at = (second: number) => `2026-03-01T12:00:0${second}.000Z`;
    const original = (second: number) => ({ createdAt: at(second), replacesBefore: at(second) });
    await save(original(1));
    await save(original(2));
    serial += 1;
    await save({ createdAt: at(3), isRetry: true });
    await expect(save(original(2))).rejects.toMatchObject(done);
    await expect(save(original(4))).resolves.toBeUndefined();
  });
});

describe('a product', () => {
  it('is created once, and changed only if it is unchanged since it was read', async () => {
    const body = {
      name: 'A',
      description: 'B',
      tax_category: 'saas',
      price: { type: 'one_time_price', currency: 'EUR', price: 100 },
    };
    const { product_id: id } = (await api.call('POST /products', { body })).body;
    const read = await runtime.products().get(id);
    await expect(runtime.products().save({ ...read, version: 0 }, [])).rejects.toMatchObject(stale);
    await runtime.products().save({ ...read, name: 'One' }, []);
    await expect(runtime.products().save({ ...read, name: 'Other' }, [])).rejects.toMatchObject(stale);
  });
});

describe.each<{ what: string; of: () => Versioned }>([
  { what: 'the tax rules', of: () => runtime.taxRules() as unknown as Versioned },
  { what: 'the brands', of: () => runtime.brands() as unknown as Versioned },
])('$what', ({ of }) => {
  it('are created once, and changed only if they are unchanged since they were read', async () => {
    const first = await of().get();
    await of().save(first, []);
    await expect(of().save(first, [])).rejects.toMatchObject(stale);
    const read = await of().get();
    await of().save(read, []);
    await expect(of().save(read, [])).rejects.toMatchObject(stale);
  });
});

interface Versioned {
  get(): Promise<{ version: number }>;
  save(value: { version: number }, records: []): Promise<void>;
}

describe('an API key', () => {
  it('stays in the list of keys when several keys are written at the same time', async () => {
    const { apiKeys } = runtime;
    const before = await apiKeys().list();
    const [one, two] = [await api.addKey({}), await api.addKey({})];
    expect((await apiKeys().list()).keys.length).toBe(before.keys.length + 2);
    expect(one).not.toBe(two);
    const key = (n: number) => ({
      ...(before.keys[0] as object),
      hash: `hash-${n}`,
      name: `Key ${n}`,
      createdAt: now,
      expiresAt: null,
      revokedAt: null,
      access: 'read',
      lastFour: '0000',
    });
    const both = await Promise.allSettled([1, 2].map((n) => apiKeys().save(key(n) as never)));
    const saved = both.filter(({ status }) => status === 'fulfilled').length;
    expect((await apiKeys().list()).keys.length).toBe(before.keys.length + 2 + saved);
  });

  it('is in the list together with another one when both are the first keys of a stack', async () => {
    const { apiKeyStore } = await import('../../shared/store/access/api-key-store.ts');
    await createLocalTable(api.table.call, 'first-keys');
    const store = apiKeyStore({ name: 'first-keys', client: runtime.table().client });
    const key = (n: number) =>
      ApiKey.parse({
        hash: `hash-${n}`,
        name: `Key ${n}`,
        lastFour: '0000',
        access: 'read',
        createdAt: now,
        createdBy: null,
        expiresAt: null,
        refunds: null,
        revokedAt: null,
      });
    const both = await Promise.allSettled([1, 2].map((n) => store.save(key(n))));
    const saved = both.filter(({ status }) => status === 'fulfilled').length;
    expect((await store.list()).keys.length).toBe(saved);
  });

  it('is stored beside a secret for dashboard sessions that is never replaced', async () => {
    await runtime.apiKeys().saveSessionSecret('s'.repeat(32));
    await expect(runtime.apiKeys().saveSessionSecret('t'.repeat(32))).rejects.toMatchObject(stale);
    expect(await runtime.apiKeys().findSessionSecret()).toBe('s'.repeat(32));
  });
});
