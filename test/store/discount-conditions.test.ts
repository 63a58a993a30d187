import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newCounters } from '../../shared/domain/discounts/use-counter.ts';
import { holdsOf, isShard, recounted, type UseShard } from '../../shared/domain/discounts/use-shard.ts';
import type { Payment } from '../../shared/domain/payments/payment.ts';
import { samplePayment } from '../../shared/domain/webhooks/sample-payment.ts';
import { recordPaymentEvent } from '../../shared/events/catalogue.ts';
import { keys } from '../../shared/store/keys.ts';
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
  const at = (second: number) => new Date(`2026-03-01T12:00:0${second}.000Z`);
  const wanted = (paymentId: string, second = 0) => ({ paymentId, network: null, now: at(second) });

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
    const read = async () => (await runtime.countedPayments().findShard(id, part.shard)) as UseShard;
    return { id, part, read };
  }

  it('assigns a use only while uses are left', async () => {
    const { part, read } = await aPart();
    const hold = (paymentId: string) => runtime.countedPayments().holdUse(part, wanted(paymentId));
    expect(await hold('pay_one')).toMatchObject({ used: 1 });
    expect(await hold('pay_two')).toBeUndefined();
    expect(await read()).toMatchObject({ used: 1, held: { pay_one: { turn: 0 } } });
  });

  it('assigns or keeps a use only if its rules are unchanged since they were read', async () => {
    const { part, read } = await aPart(3);
    const byOthers = { ...part, rules: part.rules + 1 };
    expect(await runtime.countedPayments().holdUse(byOthers, wanted('pay_one'))).toBeUndefined();
    expect(await read()).toMatchObject({ used: 0, held: {} });
    await runtime.countedPayments().holdUse(part, wanted('pay_one'));
    expect(await runtime.countedPayments().holdUse(byOthers, wanted('pay_one'))).toBeUndefined();
    expect((await read()).held['pay_one']?.turn).toBe(0);
  });

  it('assigns one use to a payment, even if the payment requests it several times', async () => {
    const { part, read } = await aPart(3);
    await runtime.countedPayments().holdUse(part, wanted('pay_one'));
    await runtime.countedPayments().holdUse(part, wanted('pay_one', 1));
    expect(await read()).toMatchObject({ used: 1, version: 1, held: { pay_one: { at: at(1).getTime(), turn: 1 } } });
  });

  it('frees a use once, and only if holder and time are unchanged since they were read', async () => {
    const { part, read } = await aPart(3);
    const hold = async (second: number) => {
      await runtime.countedPayments().holdUse(part, wanted('pay_one', second));
      return holdsOf(await read())[0] as never;
    };
    const giveBack = async (held: never) => {
      await runtime.countedPayments().endHold(held, false);
      return (await read()).used;
    };
    const [first, second] = [await hold(1), await hold(2)];
    expect([await giveBack(first), await giveBack(second), await giveBack(second)]).toEqual([1, 0, 0]);
    const anew = await hold(3);
    expect([await giveBack(first), await giveBack(anew)]).toEqual([1, 0]);
  });

  it('changes a held use to a confirmed one, and a confirmation alone creates no counter', async () => {
    const { part, read } = await aPart(3);
    await runtime.countedPayments().holdUse(part, wanted('pay_one'));
    const [hold] = holdsOf(await read());
    if (!hold) return expect.unreachable();
    await runtime.countedPayments().endHold(hold, true);
    await runtime.countedPayments().endHold(hold, true);
    expect(await read()).toMatchObject({ used: 1, held: {} });
    await runtime.countedPayments().endHold({ ...hold, discountId: 'dsc_none' }, true);
    expect(await runtime.countedPayments().findShard('dsc_none', hold.shard)).toBeUndefined();
  });

  it('is checked by the sweep until it holds no unpaid uses', async () => {
    const { id, part, read } = await aPart(3);
    const isWatched = async () => {
      const { client, name } = runtime.table();
      const Key = keys.discountHolds(id, part.shard);
      return (await client.send(new GetCommand({ TableName: name, Key }))).Item?.['dueSk'] !== undefined;
    };
    await runtime.countedPayments().holdUse(part, wanted('pay_one'));
    await runtime.countedPayments().endWatch(id, part.shard);
    expect(await isWatched()).toBe(true);
    for (const hold of holdsOf(await read())) await runtime.countedPayments().endHold(hold, false);
    await runtime.countedPayments().endWatch(id, part.shard);
    expect(await isWatched()).toBe(false);
  });

  it('gets new rules only if it is unchanged since it was read, and no quota below its uses', async () => {
    const { id } = await aPart(2);
    const change = async (parts: readonly UseShard[], usageLimit: number | null) => {
      const discount = { ...(await runtime.discounts().get(id)), usageLimit };
      const counters = recounted(parts, discount);
      await runtime.discounts().save({ discount, counters, isClaimed: false }, []);
    };
    const read = await partsOf(id);
    for (const name of ['pay_one', 'pay_two'])
      await runtime.countedPayments().holdUse(read[3] as UseShard, wanted(name));
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
