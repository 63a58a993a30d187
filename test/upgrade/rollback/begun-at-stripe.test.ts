import { afterAll, beforeAll, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { clock } from '../../support/clock.ts';
import { giveUpEarly } from '../../support/give-up-early.ts';
import { describeWith020, open020, type Release } from '../../support/released/version-0-2-0.ts';
import { addProduct, createSession } from '../../support/shop/shop.ts';
import { type StripeShop, startStripeShop } from '../../support/shop/stripe-shop.ts';

describeWith020('A payment that one version has begun at Stripe, whose answer was lost', () => {
  let shop: StripeShop;
  let before: Release;
  beforeAll(async () => {
    clock.stopAt('2031-03-01T12:00:00.000Z');
    shop = await startStripeShop();
    process.env['STRIPE_URL'] = shop.fake.url; // what 0.2.0 calls `PROCESSOR_URL`
    before = await open020(shop.api);
  });
  afterAll(async () => {
    delete process.env['STRIPE_URL'];
    clock.run();
    await shop.stop();
  });
  giveUpEarly();

  const buyer = { customer: { email: 'buyer@example.com', name: 'A Buyer' }, billing_address: { country: 'DE' } };

  /** Begins a payment. Stripe has opened its page, and nobody knows of it. */
  async function begin({ call }: Pick<Release, 'call'>): Promise<string> {
    const id = await createSession(shop.api, [{ product_id: await addProduct(shop.api), quantity: 1 }]);
    shop.fake.fate = ({ method }) => (method === 'POST' ? 'answer-lost' : 'answered');
    await call(`POST /checkout/${id}/pay`, { body: buyer, headers: { 'content-type': 'application/json' }, key: null });
    shop.fake.fate = () => 'answered';
    expect(await shop.paymentOf(id)).toMatchObject({ status: 'processing', reference: null });
    return id;
  }

  const sweepBefore = () => before.invoke('events/sweep-due', {});
  const sweepToday = () => invokeFunction('events/sweep-due', {});
  const opened = () => shop.fake.account.sessions.size;

  it('waits after a step back, because Stripe refuses the other form of 0.2.0, and goes on with the step forward', async () => {
    const id = await begin(shop.api);
    const pages = opened();
    const from = shop.api.log.length;
    for (const minutes of [2, 10]) {
      clock.forward({ minutes });
      await sweepBefore();
    }
    expect(shop.api.log.slice(from).join()).toContain('Stripe answered 400 idempotency_error');
    expect(await shop.paymentOf(id)).toMatchObject({ status: 'processing', reference: null, asksBy: 'lines' });
    clock.forward({ minutes: 30 });
    await sweepToday();
    expect((await shop.paymentOf(id)).reference).not.toBeNull();
    expect(opened()).toBe(pages);
  });

  it('goes on after an upgrade, in the form of 0.2.0', async () => {
    const id = await begin(before);
    const pages = opened();
    clock.forward({ minutes: 2 });
    await sweepToday();
    expect((await shop.paymentOf(id)).reference).not.toBeNull();
    expect(opened()).toBe(pages);
  });
});
