import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { expireSession, sessionById } from '../../../infra/local/stripe/checkout.ts';
import { isShard, type UseShard } from '../../../shared/domain/discounts/use-shard.ts';
import { settleLatePayment } from '../../../shared/use-cases/payments/settle-late-payment.ts';
import { countedPayments, newId, now, sessions, table } from '../../../shared/wiring/runtime.ts';
import { processor } from '../../../shared/wiring/selling.ts';
import { clock } from '../../support/clock.ts';
import { times } from '../../support/seeded.ts';
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

it('Payments of one network that begin at the same moment reserve no more uses than it may have', async () => {
  const code = await newCode(80);
  const sessions = await Promise.all(times(30).map(() => open(code)));
  const answers = await Promise.all(sessions.map((session) => payIn(session, '192.0.2.1')));
  const begun = answers.filter(({ status }) => status === 200).length;
  expect(begun).toBeLessThanOrEqual(20);
  for (let more = begun; more < 20; more += 1) await begin(code);
  expect((await payIn(await open(code), '192.0.2.1')).body.code).toBe('TOO_MANY_REQUESTS');
  expect((await partsOf(code)).reduce((sum, { used }) => sum + used, 0)).toBe(20);
});

it('A second click that is refused because of its network’s limit does not free the first click’s use', async () => {
  const code = await newCode(20);
  const first = await open(code);
  expect((await payIn(first, '192.0.2.1')).status).toBe(200);
  for (let taken = 0; taken < 9; taken += 1) await begin(code);
  const { id } = await shop.paymentOf(first);
  const before = await countedPayments().findHolds(id, [code.id]);
  await payIn(first, '192.0.2.1');
  expect((await payIn(await open(code), '192.0.2.1')).body.code).toBe('TOO_MANY_REQUESTS');
  expect(before).toMatchObject([{ paymentId: id }]);
  expect(await countedPayments().findHolds(id, [code.id])).toEqual(before);
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
    if (command.constructor.name === 'TransactWriteCommand')
      throw Object.assign(new Error('Too fast.'), { name: 'ThrottlingException' });
    return send(command);
  });
  await settleLatePayment(deps as never, id, '').catch(() => undefined);
  heal();
  expect((await countedPayments().get(id)).status).toBe('cancelled');
  await settleLatePayment(deps as never, id, '');
  expect(await countedPayments().get(id)).toMatchObject({ status: 'succeeded', late: { isReturned: false } });
});
