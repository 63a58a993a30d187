import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newCounters } from '../../shared/domain/discounts/use-counter.ts';
import { type Hold, isShard, newHold, recounted, type UseShard } from '../../shared/domain/discounts/use-shard.ts';
import type { Payment } from '../../shared/domain/payments/payment.ts';
import { samplePayment } from '../../shared/domain/webhooks/sample-payment.ts';
import { recordPaymentEvent } from '../../shared/events/catalogue.ts';
import { duePartitions, keys } from '../../shared/store/keys.ts';
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

describe('a discount code', () => {
  it('belongs to one discount when two discounts take it at the same moment', async () => {
    const named = async () => {
      const { discount_id } = (await api.call('POST /discounts', { body: { type: 'percentage', amount: 1_000 } })).body;
      return { ...(await runtime.discounts().get(discount_id)), code: 'WANTED-BY-TWO' };
    };
    const [one, other] = [await named(), await named()];
    const take = (discount: typeof one) => runtime.discounts().save({ discount, counters: [], isClaimed: true }, []);
    const taken = await Promise.allSettled([take(one), take(other)]);
    expect(taken.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('a counter of a code with a limit', () => {
  async function newCode(usage_limit: number): Promise<string> {
    const body = { type: 'percentage', amount: 1_000, usage_limit };
    return (await api.call('POST /discounts', { body })).body.discount_id;
  }

  async function partsOf(id: string): Promise<UseShard[]> {
    const { counts } = await runtime.countedPayments().findUses([id], '');
    return (counts.get(id) ?? []).filter(isShard);
  }

  /** A part with room for some uses, and how it is now. */
  async function aPart(room = 1) {
    const id = await newCode(8 * room);
    const part = (await partsOf(id))[3] as UseShard;
    const read = async () => (await partsOf(id))[3] as UseShard;
    return { id, part, read };
  }

  /** An open payment that takes a use of a part and reserves it. */
  async function take(shard: UseShard, network: string | null = null): Promise<Hold> {
    const sold = payment();
    const hold = { ...newHold(shard, sold, network), at: now };
    await runtime
      .countedPayments()
      .saveCharge({ session: session(), payment: sold, uses: { takes: [{ shard, hold }] } });
    return hold;
  }
  const holdsOf = ({ paymentId, discountId }: Hold) => runtime.countedPayments().findHolds(paymentId, [discountId]);

  it('assigns a use only while uses are left', async () => {
    const { part, read } = await aPart();
    expect(await holdsOf(await take(part))).toHaveLength(1);
    await expect(take(part)).rejects.toMatchObject(stale);
    expect(await read()).toMatchObject({ used: 1, version: 1 });
  });

  it('assigns a use only if its rules are unchanged since they were read', async () => {
    const { part, read } = await aPart(3);
    await expect(take({ ...part, rules: part.rules + 1 })).rejects.toMatchObject(stale);
    expect(await read()).toMatchObject({ used: 0 });
  });

  it('reserves no more uses for one network than it may have, until one of them ends', async () => {
    const { part } = await aPart(20);
    const holds = [];
    for (let taken = 0; taken < 40; taken += 1) holds.push(await take({ ...part, shard: taken % 8 }, 'one'));
    await expect(take({ ...part, shard: 7 }, 'one')).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    await take({ ...part, shard: 7 }, 'other');
    await runtime.countedPayments().endHold({ hold: holds[0] as Hold, isPaid: true });
    await take({ ...part, shard: 7 }, 'one');
  });

  it('has its reserved uses checked where version 0.2.0 does not look', async () => {
    const { part } = await aPart();
    const { discountId, paymentId } = await take(part);
    const { client, name } = runtime.table();
    const { Item } = await client.send(
      new GetCommand({ TableName: name, Key: keys.discountHold(discountId, paymentId) }),
    );
    expect(Item?.['duePk']).toMatch(/^DUE#/);
    expect(duePartitions).not.toContain(Item?.['duePk']);
  });

  it('keeps no network of an ended use', async () => {
    const { part } = await aPart();
    const hold = await take(part, 'one');
    await runtime.countedPayments().endHold({ hold, isPaid: true });
    const { client, name } = runtime.table();
    const Key = keys.discountHold(hold.discountId, hold.paymentId);
    expect(JSON.stringify((await client.send(new GetCommand({ TableName: name, Key }))).Item)).not.toContain('one');
  });

  it('gives a reserved use back once, or keeps it if it is paid', async () => {
    const { part, read } = await aPart(3);
    const end = (hold: Hold, isPaid: boolean) => runtime.countedPayments().endHold({ hold, isPaid });
    const [given, paid] = [await take(part, 'one'), await take(part, 'one')];
    await end(given, false);
    await expect(end(given, false)).rejects.toMatchObject(stale);
    await end(paid, true);
    await expect(end(paid, false)).rejects.toMatchObject(stale);
    expect([(await read()).used, await holdsOf(given), await holdsOf(paid)]).toEqual([1, [], []]);
    await expect(end({ ...given, discountId: 'dsc_none' }, true)).rejects.toMatchObject(stale);
  });

  it('lists its reserved uses, the oldest first, until they end', async () => {
    const { id, part } = await aPart(3);
    const [first, second] = [await take(part), await take(part)];
    const listed = async () => (await runtime.countedPayments().oldestHolds(id, 9)).map(({ paymentId }) => paymentId);
    expect((await listed()).toSorted()).toEqual([first.paymentId, second.paymentId].toSorted());
    await runtime.countedPayments().endHold({ hold: first, isPaid: true });
    expect(await listed()).toEqual([second.paymentId]);
  });

  it('gets new rules only if it is unchanged since it was read, and no quota below its uses', async () => {
    const { id } = await aPart(2);
    const change = async (parts: readonly UseShard[], usageLimit: number | null) => {
      const discount = { ...(await runtime.discounts().get(id)), usageLimit };
      const counters = recounted(parts, discount);
      await runtime.discounts().save({ discount, counters, isClaimed: false }, []);
    };
    const read = await partsOf(id);
    for (let taken = 0; taken < 2; taken += 1) await take(read[3] as UseShard);
    await expect(change(read, 8), 'used by then').rejects.toMatchObject(stale);
    await change(await partsOf(id), 24);
    await expect(change(read, 40), 'other rules').rejects.toMatchObject(stale);
    const limited = await partsOf(id);
    await change(limited, null);
    await expect(change(limited, null), 'other rules without a limit').rejects.toMatchObject(stale);
  });

  it('counts a use without a reservation only if the counter is unchanged since it was read', async () => {
    const { part } = await aPart(2);
    const count = async () => {
      const { payment: sold, event } = chargeOf(payment());
      const uses = { steps: [{ shard: part, by: 1 as const }] };
      await runtime.countedPayments().saveCharge({ session: session(), payment: sold, event, uses });
    };
    await count();
    await expect(count()).rejects.toMatchObject(stale);
  });

  it('is created once, from earlier counters that are unchanged since they were read', async () => {
    const discount = await runtime.discounts().get(await newCode(5));
    const [counter] = newCounters({ ...discount, id: `${discount.id}0` });
    if (!counter) return expect.unreachable();
    const write = async (version: number) => {
      const { payment: sold, event } = chargeOf(payment());
      const uses = { counters: [{ ...counter, version }] };
      await runtime.countedPayments().saveCharge({ session: session(), payment: sold, event, uses });
    };
    const split = (version: number) => runtime.countedPayments().splitUses([{ ...counter, version }]);
    await write(0);
    await expect(split(0), 'absent').rejects.toMatchObject(stale);
    await expect(split(5), 'of another version').rejects.toMatchObject(stale);
    await split(1);
    await expect(write(1), 'closed').rejects.toMatchObject(stale);
    await expect(split(2), 'again').rejects.toMatchObject(stale);
  });
});
