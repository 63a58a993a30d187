import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Endpoint, endpoints } from '../../../infra/endpoints.ts';
import { customerIdOf } from '../../../shared/domain/ids.ts';
import { table } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { describeWith020 } from '../../support/released/version-0-2-0.ts';
import type { Call } from '../../support/shop/api.ts';
import { contradictions, scanRows } from '../../support/shop/books.ts';
import { cards } from '../../support/shop/cards.ts';
import { browse, postForm } from '../../support/shop/dashboard.ts';
import { addProduct, support } from '../../support/shop/shop.ts';
import { type ChangingStack, startChangingStack, type Versions } from './changing-stack.ts';

const all020: Versions = { relay: '0.2.0', dispatcher: '0.2.0', sweep: '0.2.0', issuer: '0.2.0' };
const allToday: Versions = { relay: 'today', dispatcher: 'today', sweep: 'today', issuer: 'today' };

describeWith020('A shop with data of 0.2.0, after its upgrade', () => {
  let stack: ChangingStack;
  let shop: Awaited<ReturnType<typeof fill>>;
  let cookies: string[];
  let token: string;

  beforeAll(async () => {
    clock.stopAt(new Date().toISOString()); // a receiver refuses a signature that is five minutes away from now
    stack = await startChangingStack();
    shop = await fill();
    ({ cookies, token } = await browse(stack.api, shop.adminKey));
  });
  afterAll(async () => {
    clock.run();
    await stack.stop();
  });

  /** What waits goes its way, with the functions of one version. */
  async function work(versions: Versions): Promise<void> {
    await stack.relay(versions.relay);
    await stack.handOver(versions);
    await stack.sweep(versions.sweep);
    await stack.handOver(versions);
  }

  /** Fills the table by the functions of 0.2.0, with objects in every state. */
  async function fill() {
    const { before } = stack;
    const post = async (path: string, body: object, options: Call = {}) => {
      const answer = await before.call(`POST ${path}`, { body, ...options });
      expect(answer.status, `${path}: ${answer.text}`).toBeLessThan(300);
      return answer.body;
    };
    const guide = await addProduct(before);
    const chosen = await addProduct(before, support);
    const archived = await addProduct(before);
    await before.call(`DELETE /products/${archived}`);
    const brand = await post('/brands', { name: 'Maps', statement_descriptor: 'MAPS' });
    const registration = await post('/tax/registrations', { country: 'FR', active_from: '2026-01-01' });
    const override = await post('/tax/overrides', {
      country: 'FR',
      mode: 'replace',
      components: [{ name: 'VAT', rate: '0.055' }],
      reason: 'A test',
      effective_from: '2026-01-01',
    });
    const discount = await post('/discounts', { type: 'percentage', amount: 1_000, code: 'TENOFF' });
    const limited = await post('/discounts', { type: 'percentage', amount: 500, usage_limit: 4 });
    const webhook = await post('/webhooks', { url: 'https://example.com/hook' });
    await before.call(`PATCH /webhooks/${webhook.id}`, { body: { disabled: true } }); // nothing listens there
    const adminKey = (await post('/api-keys', { name: 'Admin', access: 'admin' })).key;
    const readKey = (await post('/api-keys', { name: 'Reader', access: 'read' })).key;
    const revoked = await post('/api-keys', { name: 'Revoked', access: 'write' });
    await before.call(`DELETE /api-keys/${revoked.id}`);
    const open = async (id: string, fields: object = {}, options: Call = {}): Promise<string> =>
      (await post('/checkouts', { product_cart: [{ product_id: id, quantity: 1 }], ...fields }, options)).session_id;
    const pay = async (sessionId: string, card: string = cards.good, fields: object = {}): Promise<string> => {
      const buyer = { customer: { email: 'buyer@example.com', name: 'A Buyer' }, billing_address: { country: 'DE' } };
      const body = { ...buyer, test_card: card.slice(-4), ...fields };
      return (await before.call(`POST /checkout/${sessionId}/pay`, { key: null, body })).body.payment_id;
    };
    const headers = { 'idempotency-key': 'session-kept' };
    const sessions = {
      open: await open(guide),
      openChosen: await open(chosen),
      withCode: await open(guide, { discount_code: 'TENOFF' }),
      kept: await open(guide, {}, { headers }),
      completed: await open(guide),
    };
    const sell = async (card: string, fields: object = {}) => pay(await open(guide, fields), card);
    const payments = {
      first: await pay(sessions.completed),
      partial: await sell(cards.good),
      whole: await sell(cards.good),
      business: await pay(await open(guide), cards.good, {
        billing_address: { country: 'FR', city: 'Paris', street: '1 Rue', zipcode: '75001' },
        tax_id: 'FR40303265045',
        business_name: 'Acme',
      }),
      coded: await sell(cards.good, { discount_code: 'TENOFF' }),
      disputed: await sell(cards.disputeLost),
      slowRefund: await sell(cards.slowRefunds),
      failingRefund: await sell(cards.failingRefunds),
      declined: await sell(cards.declined),
      processing: await sell(cards.slowSuccess),
    };
    const refund = (id: string, fields: object = {}) => post('/refunds', { payment_id: id, ...fields });
    const refunds = {
      partial: (await refund(payments.partial, { amount: 500 })).refund_id,
      whole: (await refund(payments.whole, { public_reason: 'As you asked', reason: 'Kind' })).refund_id,
      slow: (await refund(payments.slowRefund)).refund_id,
      failing: (await refund(payments.failingRefund)).refund_id,
    };
    await work(all020);
    const due = await sell(cards.good); // its event waits for a function of today
    const objects = { guide, chosen, archived, discount, limited, registration, override, webhook, revoked };
    return { ...objects, brand, adminKey, readKey, sessions, payments: { ...payments, due }, refunds };
  }

  const idOf = (object: Record<string, string>, name: string): string => object[name] ?? object['id'] ?? '';

  /** The ids that a path parameter can have, by the first words of the path. */
  const ids = (): Record<string, readonly string[]> => {
    const { sessions, payments, refunds } = shop;
    return {
      '/products': [shop.guide, shop.chosen, shop.archived],
      '/buy': [shop.guide, shop.chosen],
      '/brands': [idOf(shop.brand, 'brand_id')],
      '/checkouts': Object.values(sessions),
      '/checkout': Object.values(sessions),
      '/checkout-sessions': Object.values(sessions),
      '/payments': Object.values(payments),
      '/refunds': Object.values(refunds),
      '/discounts': [idOf(shop.discount, 'discount_id'), idOf(shop.limited, 'discount_id')],
      '/discounts/code': ['TENOFF'],
      '/webhooks': [shop.webhook.id],
      '/tax/registrations': [idOf(shop.registration, 'registration_id')],
      '/tax/overrides': [idOf(shop.override, 'override_id')],
      '/invoices/payments': Object.values(payments),
      '/invoices/refunds': Object.values(refunds),
      '/customers': [customerIdOf('demo', 'buyer@example.com')],
      '/docs': ['products'],
      '/dashboard/products': ['new', shop.guide],
      '/dashboard/payments': Object.values(payments),
      '/dashboard/customers': [customerIdOf('demo', 'buyer@example.com')],
      '/dashboard/webhooks': ['new', shop.webhook.id],
      '/dashboard/discounts': ['new', idOf(shop.discount, 'discount_id')],
      '/dashboard/brands': ['new', idOf(shop.brand, 'brand_id')],
      '/dashboard/exports': ['payments.csv', 'taxes.csv'],
    };
  };

  const pathsOf = (path: string): string[] => {
    const [before = '', after, rest] = path.split(/\/\{\w+\}/);
    if (after === undefined) return [path];
    const below = rest === undefined ? after : `${after}/unknown_1${rest}`;
    return (ids()[before] ?? ['unknown_1']).map((id) => `${before}/${id}${below}`);
  };

  const optionsFor = ({ function: name }: Endpoint): Call =>
    /^(dashboard|members)\//.test(name) && name !== 'dashboard/open-offer'
      ? { key: null, cookies }
      : { key: shop.adminKey };

  /** A route that nothing of this shop is behind, or that asks the processor. */
  const isElsewhere = ({ function: name }: Endpoint): boolean => name === 'checkout/return-checkout';

  const looked = endpoints
    .filter((endpoint) => ['GET', 'ANY'].includes(endpoint.method) && !isElsewhere(endpoint))
    .flatMap((endpoint) => endpoint.paths.map((path) => ({ path, endpoint })))
    .filter(({ path }) => path !== '$default');

  it.each(looked)('can be read with GET $path', async ({ path, endpoint }) => {
    const query = path === '/invoices/audit' ? `series=INV-${new Date().getUTCFullYear()}` : '';
    for (const one of pathsOf(path)) {
      const { status, text } = await stack.api.call(`GET ${one}`, { ...optionsFor(endpoint), query });
      expect(status, `${one}: ${text}`).toBeLessThan(500);
    }
  });

  const lists = ['products', 'payments', 'refunds', 'customers', 'discounts', 'webhook-events'];

  it.each(lists)('lists the same %s as 0.2.0', async (name) => {
    const [then, now] = await Promise.all(
      [stack.before, stack.api].map(({ call }) => call(`GET /${name}`, { query: 'page_size=100' })),
    );
    expect(Object.values<object>(then?.body).some((rows) => Array.isArray(rows) && rows.length > 0)).toBe(true);
    expect([name, now?.status]).toEqual([name, 200]);
    expect(now?.body).toMatchObject(then?.body);
  });

  it('shows the same single payments, refunds and documents as 0.2.0', async () => {
    const { payments, refunds, sessions } = shop;
    const paths = [
      '/brands',
      ...Object.values(payments).map((id) => `/payments/${id}`),
      ...Object.values(refunds).map((id) => `/refunds/${id}`),
      ...Object.values(sessions).map((id) => `/checkouts/${id}`),
      ...Object.values(payments).map((id) => `/payments/${id}/line-items`),
      ...Object.values(payments).map((id) => `/payments/${id}/calculation`),
      ...[payments.first, payments.business, payments.coded].map((id) => `/invoices/payments/${id}`),
      `/invoices/refunds/${refunds.partial}`,
    ];
    for (const path of paths) {
      const headers = { accept: 'application/json' };
      const [then, now] = await Promise.all(
        [stack.before, stack.api].map(({ call }) => call(`GET ${path}`, { headers })),
      );
      expect([path, now?.status]).toEqual([path, then?.status]);
      expect(now?.body, path).toMatchObject(then?.body);
    }
  });

  it('accepts its API keys, and still refuses a revoked one', async () => {
    const statusOf = async (key: string) => (await stack.api.call('GET /payments', { key })).status;
    expect(await Promise.all([shop.adminKey, shop.readKey, shop.revoked.key].map(statusOf))).toEqual([200, 200, 401]);
    const body = { payment_id: shop.payments.first, amount: 1 };
    expect((await stack.api.call('POST /refunds', { key: shop.readKey, body })).status).toBe(403);
  });

  it('continues to work: payments, refunds, disputes, deliveries and documents complete, and the books balance', async () => {
    const { api } = stack;
    const { sessions, payments, refunds } = shop;
    const kept = await api.call('POST /checkouts', {
      body: { product_cart: [{ product_id: shop.guide, quantity: 1 }] },
      headers: { 'idempotency-key': 'session-kept' },
    });
    expect([kept.status, kept.body.session_id]).toEqual([200, sessions.kept]);
    const price = { type: 'one_time_price', currency: 'EUR', price: 9_900, tax_inclusive: true };
    expect((await api.call(`PATCH /products/${shop.guide}`, { body: { price } })).status).toBeLessThan(300);
    const buyer = {
      customer: { email: 'buyer@example.com', name: 'A Buyer' },
      billing_address: { country: 'DE' },
      test_card: '4242',
    };
    const pay = async (sessionId: string, fields: object = {}) =>
      (await api.call(`POST /checkout/${sessionId}/pay`, { key: null, body: { ...buyer, ...fields } })).body;
    expect(await pay(sessions.open)).toMatchObject({ status: 'succeeded', total_amount: 1_999 });
    expect(await pay(sessions.withCode)).toMatchObject({ status: 'succeeded', total_amount: 1_799 }); // 10 % of 1999 are 200
    expect(await pay(sessions.openChosen, { amounts: { [shop.chosen]: 2_500 } })).toMatchObject({
      total_amount: 2_500,
    });
    const rest = await api.call('POST /refunds', { body: { payment_id: payments.partial } });
    expect([rest.status, rest.body.amount]).toEqual([200, 1_499]);

    for (let hours = 0; hours < 72; hours += 24) {
      await work(allToday);
      clock.forward({ hours: 24 });
    }
    for (let minutes = 0; minutes < 10; minutes += 2) {
      clock.forward({ minutes: 2 });
      await work(allToday);
    }
    const of = async (path: string) => (await api.call(`GET ${path}`)).body;
    expect(await of(`/payments/${payments.processing}`)).toMatchObject({ status: 'succeeded' });
    expect(await of(`/payments/${payments.partial}`)).toMatchObject({ refund_status: 'full' });
    expect(await of(`/refunds/${refunds.slow}`)).toMatchObject({ status: 'succeeded' });
    expect(await of(`/refunds/${refunds.failing}`)).toMatchObject({ status: 'failed' });
    expect((await of(`/payments/${payments.disputed}`)).disputes).toMatchObject([{ dispute_status: 'dispute_lost' }]);
    const [receiver] = stack.receivers;
    const notified = receiver?.deliveries.map(({ body }) => JSON.parse(body).data.payment_id);
    expect(notified).toEqual(expect.arrayContaining([payments.due, payments.processing]));
    expect(stack.failed).toEqual([]);
    expect(await contradictions(await scanRows(table().client, table().name))).toEqual([]);
  });

  it('accepts every form of the dashboard', async () => {
    const forms = endpoints.filter(
      ({ method, function: name }) => method === 'ANY' && name.startsWith('dashboard/manage'),
    );
    for (const { paths, commands } of forms)
      for (const action of Object.keys(commands ?? {}))
        for (const path of paths.flatMap(pathsOf).slice(0, 3)) {
          const fields = { token, action, form_id: `form of ${action}` };
          const { status, text } = await postForm(stack.api, path, fields, cookies);
          expect(status, `${path} ${action}: ${text}`).toBeLessThan(500);
        }
  });
});
