import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { replaceOrderLink } from '../../../shared/use-cases/orders/replace-order-link.ts';
import { realPace } from '../../../shared/use-cases/retry.ts';
import { payments, table } from '../../../shared/wiring/runtime.ts';
import { orderUrlOf } from '../../../shared/wiring/selling.ts';
import { clock } from '../../support/clock.ts';
import { describeWith020, open020, type Release } from '../../support/released/version-0-2-0.ts';
import { grantContradictions } from '../../support/schedules/grant-books.ts';
import { settlingGrants } from '../../support/schedules/grant-race.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { scanRows } from '../../support/shop/books.ts';
import { cards } from '../../support/shop/cards.ts';
import { sweep } from '../../support/shop/settle.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';
import { useShortPauses } from '../../support/short-pauses.ts';

describeWith020('What version 0.2.0 does not know of a sale, while it runs beside this one', () => {
  let api: Api;
  let before: Release;
  let entitlementId: string;
  let productId: string;
  beforeAll(async () => {
    api = await startApi();
    before = await open020(api);
    const license = { name: 'Atlas', integration_type: 'license_key', integration_config: {} };
    entitlementId = (await api.call('POST /entitlements', { body: license })).body.id;
    productId = await addProduct(api, { entitlements: [{ entitlement_id: entitlementId }] });
  });
  beforeEach(() => clock.stopAt('2030-03-01T12:00:00.000Z'));
  afterAll(async () => {
    clock.run();
    await api.stop();
  });
  useShortPauses(200);

  /** Who meets a changed row gives up after a few tries. */
  const { elapsedMs } = realPace;
  let passedMs = 0;
  beforeAll(() => void Object.assign(realPace, { elapsedMs: () => (passedMs += 200) }));
  afterAll(() => void Object.assign(realPace, { elapsedMs }));

  const metadata = { invoice: 'A-1' };
  const open = () => createSession(api, [{ product_id: productId, quantity: 1 }], { metadata });
  const sold = async (card?: string) => (await pay(await open(), { expectedTotal: 1_999, ...(card && { card }) })).id;
  const faults = async () => grantContradictions(await scanRows(table().client, table().name));
  const grantOf = async (paymentId: string) => {
    const { items } = (await api.call(`GET /entitlements/${entitlementId}/grants`, { query: 'page_size=100' })).body;
    return items.find((one: { payment_id: string }) => one.payment_id === paymentId);
  };
  const validates = async (license_key: string) =>
    (await api.call('POST /licenses/validate', { key: null, body: { license_key } })).body.valid;
  const opened = async (link: string): Promise<number> => {
    const { pathname, search } = new URL(link);
    return (await api.call(`GET ${pathname}`, { key: null, query: search.slice(1) })).status;
  };

  it('stays stored in a payment that 0.2.0 writes: the ended link, and the purchase', async () => {
    const paymentId = await sold();
    await sweep();
    const old = await orderUrlOf(await payments().get(paymentId));
    const { key: text } = (await grantOf(paymentId)).license_key;
    await replaceOrderLink({ payments: payments() }, paymentId, () => []);
    const link = await orderUrlOf(await payments().get(paymentId));
    await before.call('POST /refunds', { body: { payment_id: paymentId, amount: 500 } });
    expect((await payments().get(paymentId)).refunded).toBe(500);
    expect([await opened(old), await opened(link)]).toEqual([404, 303]);
    expect(await orderUrlOf(await payments().get(paymentId))).toBe(link);
    expect([await validates(text), await faults()]).toEqual([true, []]);
    expect((await api.call(`GET /payments/${paymentId}`)).body.metadata).toEqual(metadata);
    const { items } = (await api.call('GET /payments', { query: 'page_size=100' })).body;
    expect(items.map((one: { metadata: object }) => one.metadata)).toContainEqual(metadata);
  });

  it('allows 0.2.0 a full refund, which ends the access at once', async () => {
    const paymentId = await sold();
    await sweep();
    const { key: text } = (await grantOf(paymentId)).license_key;
    await before.call('POST /refunds', { body: { payment_id: paymentId } });
    expect(await validates(text)).toBe(false);
    await settlingGrants(paymentId)();
    expect([(await grantOf(paymentId)).status, await faults()]).toEqual(['Revoked', []]);
  });

  it('allows 0.2.0 a refund before this version has granted anything, and the rest is still granted', async () => {
    const paymentId = await sold();
    await before.call('POST /refunds', { body: { payment_id: paymentId, amount: 500 } });
    await sweep();
    expect([(await grantOf(paymentId)).status, await faults()]).toEqual(['Delivered', []]);
  });

  it('prevents a sale by 0.2.0, which answers 503 and charges nothing', async () => {
    const session = await open();
    const body = {
      customer: { email: 'buyer@example.com', name: 'A Buyer' },
      billing_address: { country: 'DE' },
      test_card: '4242',
    };
    const { status } = await before.call(`POST /checkout/${session}/pay`, { key: null, body });
    expect(status).toBe(503);
    const { items } = (await api.call('GET /payments', { query: 'page_size=100' })).body;
    expect(items.filter((one: { checkout_session_id?: string }) => one.checkout_session_id === session)).toEqual([]);
    const { id } = await pay(session, { expectedTotal: 1_999 });
    await sweep();
    expect([(await grantOf(id)).status, await faults()]).toEqual(['Delivered', []]);
  });

  it('makes 0.2.0 ignore a slow payment, which this version then finishes and grants', async () => {
    const paymentId = await sold(cards.slowSuccess);
    clock.forward({ minutes: 1 });
    await before.invoke('events/sweep-due', {});
    expect((await payments().get(paymentId)).status).toBe('processing');
    clock.forward({ minutes: 10 });
    await sweep();
    await sweep();
    expect([(await grantOf(paymentId)).status, await faults()]).toEqual(['Delivered', []]);
  });
});
