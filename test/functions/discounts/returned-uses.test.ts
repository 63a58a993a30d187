import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { expireSession, sessionById } from '../../../infra/local/stripe/checkout.ts';
import { payments, sessions, table } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { moneyContradictions, scanRows } from '../../support/shop/books.ts';
import { postForm } from '../../support/shop/dashboard.ts';
import { addProduct } from '../../support/shop/shop.ts';
import { type StripeShop, startStripeShop } from '../../support/shop/stripe-shop.ts';

let shop: StripeShop;
let product: string;
beforeAll(async () => {
  shop = await startStripeShop();
  product = await addProduct(shop.api);
});
afterEach(() => clock.run());
afterAll(() => shop.stop());

const usesOf = async (id: string): Promise<number> => (await shop.api.call(`GET /discounts/${id}`)).body.times_used;
const faults = async () => moneyContradictions(await scanRows(table().client, table().name));

interface Held {
  discountId: string;
  sessionId: string;
  paymentId: string;
  reference: string;
  code: string;
}

/** A buyer on the page of Stripe, who holds the only use of a code of 20 %. */
async function held(usage_limit: number | null = 1): Promise<Held> {
  const terms = { type: 'percentage', amount: 2_000, usage_limit };
  const { discount_id: discountId, code } = (await shop.api.call('POST /discounts', { body: terms })).body;
  const begun = await begin(code);
  expect(await usesOf(discountId)).toBe(1);
  return { discountId, code, ...begun };
}

async function begin(code: string) {
  const cart = { product_cart: [{ product_id: product, quantity: 1 }], discount_codes: [code] };
  const { session_id: sessionId } = (await shop.api.call('POST /checkouts', { body: cart })).body;
  const buyer = { customer: { email: 'buyer@example.com', name: 'A Buyer' }, billing_address: { country: 'DE' } };
  const { body } = await shop.api.call(`POST /checkout/${sessionId}/pay`, { key: null, body: buyer });
  expect(body).toMatchObject({ status: 'requires_customer_action', total_amount: 1_599 });
  const { id: paymentId, reference } = await shop.paymentOf(sessionId);
  return { sessionId, paymentId, reference: String(reference) };
}

const expire = ({ reference }: Held): void =>
  expireSession(shop.fake.account, sessionById(shop.fake.account, reference));
const tell = (type: string, { reference }: Held) =>
  shop.notify(
    JSON.stringify(
      shop.fake.notifications.events.findLast(
        (event) => event.type === type && JSON.stringify(event).includes(reference),
      ),
    ),
  );

const ways: { way: string; end: (open: Held) => Promise<unknown> }[] = [
  {
    way: 'the buyer wants to change something',
    end: async ({ sessionId, paymentId }) => {
      const { formToken: token } = await sessions().get(sessionId);
      const { documentSecret } = await payments().get(paymentId);
      return postForm(shop.api, `/checkout/${sessionId}/change`, { token }, [`buyer=${paymentId}.${documentSecret}`]);
    },
  },
  {
    way: 'the buyer comes back after the time',
    end: async (open) => {
      expire(open);
      return shop.api.call(`GET /checkout/${open.sessionId}/return`, { key: null });
    },
  },
  {
    way: 'Stripe tells that the time is over',
    end: async (open) => {
      expire(open);
      return tell('checkout.session.expired', open);
    },
  },
  {
    way: 'the sweep asks',
    end: async (open) => {
      expire(open);
      clock.forward({ hours: 3 });
      await invokeFunction('events/sweep-due', {});
    },
  },
];

describe('a use of a discount code that an open payment reserves', () => {
  it.each(ways)('is freed when $way', async ({ end }) => {
    const open = await held();
    await end(open);
    expect((await payments().get(open.paymentId)).status).toBe('cancelled');
    expect(await usesOf(open.discountId)).toBe(0);
    await begin(open.code);
    expect(await usesOf(open.discountId)).toBe(1);
    expect(await faults()).toEqual([]);
  });

  it.each(ways)('is freed, for a code without a limit, when $way', async ({ end }) => {
    const open = await held(null);
    await end(open);
    expect((await payments().get(open.paymentId)).status).toBe('cancelled');
    expect(await usesOf(open.discountId)).toBe(0);
    expect(await faults()).toEqual([]);
  });

  it('stays counted when the buyer pays', async () => {
    const open = await held();
    shop.payAt(open.reference);
    await tell('checkout.session.completed', open);
    expect((await payments().get(open.paymentId)).status).toBe('succeeded');
    expect(await usesOf(open.discountId)).toBe(1);
  });
});

/** A payment that we have given up, whose use came back, and that is paid after all. */
async function paidLate(meanwhile: (open: Held) => Promise<unknown> = async () => {}): Promise<Held> {
  const open = await held();
  const atStripe = sessionById(shop.fake.account, open.reference);
  const { status } = atStripe;
  expire(open);
  await tell('checkout.session.expired', open);
  expect(await usesOf(open.discountId)).toBe(0);
  await meanwhile(open);
  atStripe.status = status;
  shop.payAt(open.reference);
  return open;
}

describe('a payment that arrives after its use of a discount code was freed', () => {
  it('takes a use again if the limit allows it', async () => {
    const open = await paidLate();
    await tell('checkout.session.completed', open);
    expect((await payments().get(open.paymentId)).status).toBe('succeeded');
    expect(await usesOf(open.discountId)).toBe(1);
    expect(await faults()).toEqual([]);
  });

  it('is refunded in full if another buyer has taken the last use', async () => {
    const open = await paidLate(({ code }) => begin(code));
    await tell('checkout.session.completed', open);
    const payment = await payments().get(open.paymentId);
    expect(payment).toMatchObject({ status: 'succeeded', late: { isReturned: true }, refundable: 0 });
    expect(await usesOf(open.discountId)).toBe(1);
    expect(await faults()).toEqual([]);
  });

  it('also takes a use when the daily comparison with the processor finds the payment', async () => {
    const open = await paidLate();
    clock.forward({ hours: 1 });
    await invokeFunction('processor/reconcile-account', {});
    expect((await payments().get(open.paymentId)).status).toBe('succeeded');
    expect(await usesOf(open.discountId)).toBe(1);
  });
});
