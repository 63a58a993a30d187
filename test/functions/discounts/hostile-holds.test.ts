import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { expireSession, sessionById } from '../../../infra/local/stripe/checkout.ts';
import { holdsOf, isShard, type UseShard } from '../../../shared/domain/discounts/use-shard.ts';
import { holdUse } from '../../../shared/use-cases/discounts/hold-use.ts';
import { settleLatePayment } from '../../../shared/use-cases/payments/settle-late-payment.ts';
import { countedPayments, newId, now, sessions, table } from '../../../shared/wiring/runtime.ts';
import { processor } from '../../../shared/wiring/selling.ts';
import { clock } from '../../support/clock.ts';
import { addProduct } from '../../support/shop/shop.ts';
import { type StripeShop, startStripeShop } from '../../support/shop/stripe-shop.ts';
import { useShortPauses } from '../../support/short-pauses.ts';
import { sendThrough } from '../../support/table/send-through.ts';

let shop: StripeShop;
let product: string;
let heal = () => {};
beforeAll(async () => {
  shop = await startStripeShop();
  product = await addProduct(shop.api);
});
beforeEach(() => clock.stopAt('2030-03-01T12:00:00.000Z'));
afterEach(() => {
  heal();
  clock.run();
});
afterAll(() => shop.stop());
useShortPauses();

interface Code {
  id: string;
  code: string;
}

async function newCode(usage_limit: number): Promise<Code> {
  const body = { type: 'percentage', amount: 2_000, usage_limit };
  const { discount_id: id, code } = (await shop.api.call('POST /discounts', { body })).body;
  return { id, code };
}

async function partsOf({ id }: Code): Promise<UseShard[]> {
  const { counts } = await countedPayments().findUses([id], '');
  return (counts.get(id) ?? []).filter(isShard);
}

const holdOf = async (code: Code, id: string) =>
  (await partsOf(code)).flatMap(holdsOf).find((hold) => hold.paymentId === id);

async function open(...codes: Code[]): Promise<string> {
  const body = { product_cart: [{ product_id: product, quantity: 1 }], discount_codes: codes.map(({ code }) => code) };
  return (await shop.api.call('POST /checkouts', { body })).body.session_id;
}

const payIn = (sessionId: string, source: string) => {
  const body = { customer: { email: 'buyer@example.com', name: 'A Buyer' }, billing_address: { country: 'DE' } };
  return shop.api.call(`POST /checkout/${sessionId}/pay`, { key: null, body, source });
};

async function begin(code: Code, network = 1) {
  const sessionId = await open(code);
  expect((await payIn(sessionId, `192.0.2.${network}`)).status).toBe(200);
  return shop.paymentOf(sessionId);
}

const hold = (shards: readonly UseShard[], paymentId: string) =>
  holdUse({ payments: countedPayments(), now }, { shards, taker: { paymentId, network: 'one' }, passOn: undefined });

it('A second click that is refused because of its network’s limit does not free the first click’s use', async () => {
  const code = await newCode(20);
  for (let taken = 0; taken < 9; taken += 1) await hold(await partsOf(code), newId('pay'));
  const read = await partsOf(code);
  const [own, other] = [newId('pay'), newId('pay')];
  const held = await hold(read, own);
  if (typeof held === 'string') return expect.unreachable();
  await countedPayments().holdUse(held, { paymentId: other, network: 'one', now: now() });
  await hold(read, own).catch(() => undefined);
  expect(await holdOf(code, own)).toBeDefined();
});

it('A click that is refused because of its network’s limit does not prolong the session’s old use', async () => {
  const code = await newCode(40);
  const own = newId('pay');
  await hold(await partsOf(code), own);
  for (let taken = 0; taken < 10; taken += 1)
    await countedPayments().holdUse((await partsOf(code)).find(({ used, quota }) => used < (quota ?? 0)) as UseShard, {
      ...{ paymentId: newId('pay'), network: 'one', now: now() },
    });
  clock.forward({ minutes: 1 });
  const before = await holdOf(code, own);
  await expect(hold(await partsOf(code), own)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
  expect(await holdOf(code, own)).toEqual(before);
});

it('A process with outdated data does not free a use that was freed and taken again', async () => {
  const code = await newCode(1);
  const paymentId = newId('pay');
  await hold(await partsOf(code), paymentId);
  const earlier = await holdOf(code, paymentId);
  if (!earlier) return expect.unreachable();
  await countedPayments().endHold(earlier, false);
  clock.forward({ milliseconds: 1 });
  await hold(await partsOf(code), paymentId);
  await countedPayments().endHold(earlier, false);
  expect(await holdOf(code, paymentId)).toBeDefined();
});

it('When one code is refused, the payment frees the uses that it has taken of other codes', async () => {
  const [full, free] = [await newCode(1), await newCode(1)];
  const sessionId = await open(free, full);
  await begin(full, 2);
  expect((await payIn(sessionId, '192.0.2.1')).body.code).toBe('DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED');
  await begin(free, 3);
});

it('A code at its limit frees an old use, even if banks still process many older payments', async () => {
  const code = await newCode(12);
  for (let taken = 0; taken < 11; taken += 1) {
    const { payAt: _, ...payment } = await countedPayments().get((await begin(code, taken)).id);
    await countedPayments().save(payment);
  }
  clock.forward({ milliseconds: 1 });
  const slow = await begin(code, 20);
  clock.forward({ minutes: 16 });
  await begin(code, 21);
  expect((await countedPayments().get(slow.id)).status).toBe('cancelled');
});

it('A late payment is not refunded if only the table is too busy to count its code', async () => {
  const code = await newCode(5);
  const { id, reference } = await begin(code);
  expireSession(shop.fake.account, sessionById(shop.fake.account, String(reference)));
  const event = shop.fake.notifications.events.findLast(({ type }) => type === 'checkout.session.expired');
  await shop.notify(JSON.stringify(event));
  expect((await countedPayments().get(id)).status).toBe('cancelled');
  const paidBy = { method: 'card', lastFour: '4242', network: 'visa', country: 'DE' };
  const money = { status: 'succeeded', reference, transaction: 'ch_late', paidBy, isDisputed: false, fee: null };
  const find = async () => money;
  const deps = {
    ...{ payments: countedPayments(), sessions: sessions(), now, newId, alert: () => {} },
    processor: { ...(await processor()), find },
  };
  heal = sendThrough(table().client, (send) => async (command) => {
    if (command.constructor.name === 'UpdateCommand')
      throw Object.assign(new Error('Too fast.'), { name: 'ThrottlingException' });
    return send(command);
  });
  await settleLatePayment(deps as never, id, '').catch(() => undefined);
  heal();
  expect((await countedPayments().get(id)).status).toBe('cancelled');
  await settleLatePayment(deps as never, id, '');
  expect(await countedPayments().get(id)).toMatchObject({ status: 'succeeded', late: { isReturned: false } });
});
