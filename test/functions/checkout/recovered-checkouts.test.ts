import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sessions, table } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { times } from '../../support/seeded.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { sweep } from '../../support/shop/settle.ts';
import { addProduct, createSession, fieldGuide, pay, support } from '../../support/shop/shop.ts';
import { watchWrites } from '../../support/table/rows.ts';

let api: Api;
let productId: string;
const noon = '2031-03-01T12:00:00.000Z';
const ada = { customer: { email: 'ada@example.com', name: 'Ada' } };

beforeAll(async () => {
  api = await startApi({ ...testMerchant, expiredCheckoutEvents: true });
});
beforeEach(async () => {
  clock.stopAt(noon);
  productId = await addProduct(api);
});
afterAll(async () => {
  clock.run();
  await api.stop();
});

/** A session that has expired unpaid. */
async function expired(
  fields: object = {},
  cart: object[] = [{ product_id: productId, quantity: 2 }],
): Promise<string> {
  const id = await createSession(api, cart, { ...ada, ...fields });
  clock.forward({ hours: 24 });
  await sweep();
  return id;
}

const show = (id: string) => api.call(`GET /checkout/${id}/recover`, { key: null });
const click = (id: string, headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' }) =>
  api.call(`POST /checkout/${id}/recover`, { key: null, headers });
const openedBy = async (id: string) => {
  const { status, headers } = await click(id);
  expect(status).toBe(303);
  return /\/checkout\/(cks_\w+)/.exec(headers['location'] ?? '')?.[1] ?? '';
};

/** The bodies of all events that tell of expired sessions. */
async function bodies(): Promise<{ data: Record<string, unknown> }[]> {
  const { body } = await api.call('GET /webhook-events', { query: 'type=checkout_session.expired&page_size=100' });
  return Promise.all(
    (body.items as { event_id: string }[]).map(
      async ({ event_id: id }) => (await api.call(`GET /webhook-events/${id}`)).body.body,
    ),
  );
}

describe('the recovery link of an expired session', () => {
  it('opens nothing if the API ended the session, and the event does not contain it', async () => {
    const id = await createSession(api, [{ product_id: productId, quantity: 1 }], ada);
    expect((await api.call(`POST /checkouts/${id}/expire`)).status).toBe(200);
    const told = (await bodies()).find(({ data }) => data.checkout_session_id === id);
    expect(told?.data).toMatchObject({ recovery_url: null, recovery_expires_at: null });
    const writes = watchWrites(table().client);
    for (const { status, headers } of [await show(id), await click(id)])
      expect([status, headers['location']]).not.toEqual([303, expect.stringMatching(/checkout\/cks_/)]);
    expect(writes).toEqual([]);
  });

  it('is in the expiry event, and shows the cart without buyer data and without a database write', async () => {
    const id = await expired();
    const told = (await bodies()).find(({ data }) => data.checkout_session_id === id);
    expect(told?.data).toMatchObject({
      recovery_url: `http://localhost:4000/checkout/${id}/recover`,
      recovery_expires_at: '2031-04-01T12:00:00.000Z',
    });
    const writes = watchWrites(table().client);
    const { status, text } = await show(id);
    expect(writes).toEqual([]);
    expect(status).toBe(200);
    expect(text).toContain('Field Guide (e-book)');
    expect(text).toContain('€39.98');
    expect(text).not.toContain('ada@example.com');
    expect(text).not.toContain('Some prices have changed');
  });

  it('opens a new session on the same terms, which sends no expiry event', async () => {
    const pwyw = await addProduct(api, support);
    const code = (await api.call('POST /discounts', { body: { type: 'percentage', amount: 1_000 } })).body.code;
    const cart = [
      { product_id: productId, quantity: 2 },
      { product_id: pwyw, quantity: 1, amount: 777 },
    ];
    const fields = {
      metadata: { order: '7' },
      return_url: 'https://shop.example.com/done',
      cancel_url: 'https://shop.example.com/cart',
      billing_address: { country: 'DE', city: 'Berlin' },
      discount_codes: [code],
      allowed_payment_method_types: ['credit', 'debit'],
    };
    const id = await expired(fields, cart);
    const [before, after] = [await sessions().get(id), await sessions().get(await openedBy(id))];
    const { id: _, createdAt, expiresAt, formToken, version, announcesExpiry, status, recoveredBy, ...same } = before;
    expect({ announcesExpiry, status }).toEqual({ announcesExpiry: true, status: 'expired' });
    expect(after.takesCardsOnly).toBe(true);
    expect(after).toMatchObject({ ...same, status: 'open', id: recoveredBy ?? after.id });
    expect(after.announcesExpiry).toBeUndefined();
    expect([createdAt, expiresAt, formToken].includes(after.formToken)).toBe(false);
    expect(version).toBeGreaterThan(0);
    const payment = await pay(after.id, { expectedTotal: 4_297 });
    expect(payment.status).toBe('succeeded');
  });

  it('gives the product’s entitlements when it is paid after the recovery', async () => {
    const flag = { name: 'Pro', integration_type: 'feature_flag', integration_config: { feature_id: 'pro' } };
    const { id: entitlement_id } = (await api.call('POST /entitlements', { body: flag })).body;
    await api.call(`PATCH /products/${productId}`, { body: { entitlements: [{ entitlement_id }] } });
    const id = await expired();
    const after = await sessions().get(await openedBy(id));
    expect(after.lines).toMatchObject([{ entitlements: [{ id: entitlement_id, name: 'Pro' }] }]);
    await api.call(`PATCH /products/${productId}`, { body: { entitlements: [] } });
  });

  it('opens only one session for fifty simultaneous clicks, and leads to it after it is paid', async () => {
    const id = await expired();
    const opened = await Promise.all(times(50).map(() => openedBy(id)));
    expect(new Set(opened).size).toBe(1);
    const [one = ''] = opened;
    await pay(one, { expectedTotal: 3_998 });
    for (const ask of [show, click]) expect((await ask(id)).headers['location']).toContain(`/checkout/${one}`);
    clock.forward({ hours: 48 });
    expect(await openedBy(id)).toBe(one);
  });

  it('opens another session when the reopened one expired unpaid, without an expiry event', async () => {
    const id = await expired();
    const first = await openedBy(id);
    clock.forward({ hours: 24 });
    await sweep();
    expect((await bodies()).map(({ data }) => data.checkout_session_id)).not.toContain(first);
    expect((await show(id)).status).toBe(200);
    expect(await openedBy(id)).not.toBe(first);
  });

  it('opens the session whose id it had already stored when its process crashed', async () => {
    const id = await expired();
    await sessions().save({ ...(await sessions().get(id)), recoveredBy: 'cks_named' });
    expect((await show(id)).status).toBe(200);
    expect(await openedBy(id)).toBe('cks_named');
    expect((await sessions().get('cks_named')).lines).toMatchObject([{ quantity: 2 }]);
  });

  it('shows that prices have changed, and sells at the current prices', async () => {
    const id = await expired();
    await api.call(`PATCH /products/${productId}`, { body: { price: { ...fieldGuide.price, price: 2_499 } } });
    const { text } = await show(id);
    expect(text).toContain('Some prices have changed since then.');
    expect(text).toContain('€49.98');
    expect((await sessions().get(await openedBy(id))).lines).toMatchObject([{ price: { unitAmount: 2_499 } }]);
  });

  it('leaves out products that are no longer sold, with a notice, and answers 410 when none is left', async () => {
    const other = await addProduct(api, { name: 'Star Atlas' });
    const cart = [productId, other].map((product_id) => ({ product_id, quantity: 1 }));
    const id = await expired({}, cart);
    await api.call(`DELETE /products/${other}`);
    expect((await show(id)).text).toContain('No longer on sale: Star Atlas');
    expect((await sessions().get(await openedBy(id))).lines).toMatchObject([{ productId }]);
    const second = await expired();
    await api.call(`DELETE /products/${productId}`);
    for (const ask of [show, click]) expect((await ask(second)).status).toBe(410);
  });

  it('leaves out an invalid discount code, with a notice', async () => {
    const created = async () =>
      (await api.call('POST /discounts', { body: { type: 'percentage', amount: 1_000 } })).body;
    const [gone, kept] = [await created(), await created()];
    const id = await createSession(api, [{ product_id: productId, quantity: 2 }], {
      ...ada,
      discount_codes: [gone.code],
    });
    const body = { billing_address: { country: 'DE' }, discount_codes: [kept.code] };
    expect((await api.call(`POST /checkout/${id}/quote`, { key: null, body })).status).toBe(200);
    clock.forward({ hours: 24 });
    await sweep();
    await api.call(`DELETE /discounts/${gone.discount_id}`);
    expect((await show(id)).text).toContain(`No longer valid: ${gone.code}`);
    const { discounts } = await sessions().get(await openedBy(id));
    expect(discounts?.map(({ code, by }) => [code, by])).toEqual([[kept.code, 'buyer']]);
  });

  it('asks for the amount again when the product no longer accepts the old one', async () => {
    const pwyw = await addProduct(api, support);
    const id = await expired({}, [{ product_id: pwyw, quantity: 1, amount: 600 }]);
    await api.call(`PATCH /products/${pwyw}`, { body: { price: { ...support.price, price: 900 } } });
    expect((await show(id)).text).toContain('Some prices have changed since then.');
    expect((await sessions().get(await openedBy(id))).lines).toMatchObject([{ amount: null }]);
  });

  it('keeps the currency as long as the products have prices in it', async () => {
    const product_id = await addProduct(api, { pricing_mode: 'by_currency' });
    const dollars = { amount: 2_200, currency: 'USD' };
    const { id: priceId } = (await api.call(`POST /products/${product_id}/localized-prices`, { body: dollars })).body;
    const id = await expired({ billing_currency: 'USD' }, [{ product_id, quantity: 1 }]);
    const { text } = await show(id);
    expect(text).toContain('$22.00');
    expect(text).not.toContain('Some prices have changed');
    await api.call(`DELETE /products/${product_id}/localized-prices/${priceId}`);
    expect((await show(id)).text).toContain('Some prices have changed since then.');
    expect(await sessions().get(await openedBy(id))).toMatchObject({ currency: 'EUR' });
  });

  it('leaves out a code that was used up meanwhile, as a preview and a product’s link do', async () => {
    const terms = { type: 'percentage', amount: 1_000, usage_limit: 1 };
    const { code } = (await api.call('POST /discounts', { body: terms })).body;
    const cart = [{ product_id: productId, quantity: 1 }];
    const id = await expired({ discount_codes: [code] }, cart);
    await pay(await createSession(api, cart, { discount_codes: [code] }), { expectedTotal: 1_799 });
    expect((await sessions().get(await openedBy(id))).discounts ?? []).toEqual([]);
    const preview = { product_cart: cart, discount_codes: [code] };
    const shown = (await api.call('POST /checkouts/preview', { body: preview })).body.current_breakup;
    expect([shown.listed_subtotal, shown.discount]).toEqual([1_999, 0]);
    const link = { key: null, query: `discount=${code}` };
    const { text } = await api.call(`GET /buy/${productId}`, link);
    expect(text).not.toContain('17.99');
    const { headers } = await api.call(`POST /buy/${productId}`, link);
    const opened = /\/checkout\/(cks_\w+)/.exec(headers['location'] ?? '')?.[1] ?? '';
    expect((await sessions().get(opened)).discounts ?? []).toEqual([]);
  });

  it('neither shows nor copies data that the buyer typed', async () => {
    const id = await createSession(api, [{ product_id: productId, quantity: 1 }]);
    await pay(id, { expectedTotal: 1_999, card: cards.declined, email: 'typed@example.com' });
    clock.forward({ hours: 24 });
    await sweep();
    expect((await show(id)).text).not.toContain('typed@example.com');
    const opened = await sessions().get(await openedBy(id));
    expect([opened.customer, opened.payer, opened.attempts]).toEqual([{}, undefined, 0]);
  });

  it('works for thirty days', async () => {
    const id = await expired();
    clock.stopAt('2031-04-01T11:59:59.999Z');
    expect((await show(id)).status).toBe(200);
    clock.forward({ milliseconds: 1 });
    for (const ask of [show, click]) expect((await ask(id)).status).toBe(410);
    expect((await sessions().get(id)).recoveredBy).toBeUndefined();
  });

  it('leads to the session while it is open, and answers 410 when the session sent no expiry event', async () => {
    const id = await createSession(api, [{ product_id: productId, quantity: 1 }], ada);
    for (const ask of [show, click]) expect((await ask(id)).headers['location']).toContain(`/checkout/${id}`);
    const { announcesExpiry: _, ...session } = await sessions().get(id);
    await sessions().save(session);
    clock.forward({ hours: 24 });
    await sweep();
    for (const ask of [show, click]) expect((await ask(id)).status).toBe(410);
    expect((await show('cks_unknown0000000000000')).status).toBe(404);
  });

  it('refuses a click from another site', async () => {
    const id = await expired();
    expect((await click(id, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await sessions().get(id)).recoveredBy).toBeUndefined();
  });
});
