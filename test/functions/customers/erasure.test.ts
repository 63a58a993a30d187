import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { listenOnLoopback, readBody } from '../../../infra/local-aws/loopback-server.ts';
import { payments, sessions, table, world } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { browse, postForm } from '../../support/shop/dashboard.ts';
import { finishPayment, hearDispute, sweep } from '../../support/shop/settle.ts';
import { addProduct, fieldGuide } from '../../support/shop/shop.ts';
import { dumpRows, keepRows } from '../../support/table/rows.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
let server: Awaited<ReturnType<typeof listenOnLoopback>>;
beforeAll(async () => {
  const address = ['Musterstraße 1', '10115 Berlin'];
  api = await startApi({ ...testMerchant, taxId: 'DE123456788', address, expiredCheckoutEvents: true });
  // an endpoint that answers with what it got: the delivery keeps the first kilobyte
  server = await listenOnLoopback(async (request, response) => {
    response.end(await readBody(request, 1_048_576));
  });
  await api.call('POST /webhooks', { body: { url: `http://127.0.0.1:${server.port}/` } });
});
afterAll(async () => {
  clock.run();
  await server.close();
  await api.stop();
});

/** Texts that nothing else in the table has. */
const buyerOf = (mark: string) => ({
  email: `zebulon.${mark}@marker.example`,
  name: `Zebulon ${mark}`,
  phone: `+49 30 77${mark.replace(/\D/g, '').padEnd(6, '7').slice(0, 6)}`,
  street: `Markerstrasse ${mark}`,
  city: `Markerstadt-${mark}`,
  business: `Markerwerke ${mark} GmbH`,
  order: `order-${mark}`,
  reason: `reason-${mark}`,
  publicReason: `public-${mark}`,
  note: `note-${mark}`,
  returnPath: `return-${mark}`,
  customerNote: `customer-${mark}`,
  device: `laptop-${mark}`,
});
type Marked = ReturnType<typeof buyerOf>;
const taxId = 'DE136695976';

async function insist(request: string, options: Parameters<Api['call']>[1] = {}) {
  const answer = await api.call(request, options);
  expect([request, answer.status, answer.text]).toEqual([request, 200, expect.anything()]);
  return answer.body;
}

/** Sells to a marked buyer by the API, as an integrator does. */
async function sellTo(buyer: Marked, testCard: string = cards.good, currency = 'EUR'): Promise<string> {
  const body = {
    product_cart: [
      {
        product_id: await addProduct(api, { tax_category: 'saas', price: { ...fieldGuide.price, currency } }),
        quantity: 1,
      },
    ],
    customer: { email: buyer.email, name: buyer.name, phone_number: buyer.phone },
    billing_address: { country: 'DE', street: buyer.street, city: buyer.city, zipcode: '10115' },
    tax_id: taxId,
    customer_business_name: buyer.business,
    return_url: `https://shop.example/${buyer.returnPath}`,
    metadata: { order: buyer.order },
  };
  const { session_id: id } = await insist('POST /checkouts', { body });
  const paid = await insist(`POST /checkout/${id}/pay`, { body: { test_card: testCard.slice(-4) }, key: null });
  return paid.payment_id;
}

const delivered = new Set<string>();

/** Delivers every new event, as the bus does. */
async function deliverAll(): Promise<void> {
  const { items } = await insist('GET /webhook-events', { query: 'page_size=20' });
  for (const { event_id } of items.filter((item: { event_id: string }) => !delivered.has(item.event_id))) {
    await invokeFunction('webhooks/dispatch-webhook', { detail: { event_id } });
    delivered.add(event_id);
  }
}

const documentOf = (subject: string) =>
  api.call(`GET /invoices/${subject}`, { headers: { accept: 'application/json' } });

/** A licence key on two devices, of which one was deactivated. */
async function useKey(customer_id: string, { device }: Marked): Promise<void> {
  const key = { customer_id, product_id: await addProduct(api), key: `KEY-${randomUUID()}` };
  await insist('POST /license_keys', { body: key });
  const activate = (name: string) =>
    insist('POST /licenses/activate', { body: { license_key: key.key, name }, key: null });
  await activate(device);
  const { id } = await activate(`Old ${device}`);
  const ended = { license_key: key.key, license_key_instance_id: id };
  await insist('POST /licenses/deactivate', { body: ended, key: null });
}

/** A buyer with a refunded payment, a failed and a disputed one, and everything that follows from them. */
async function marked(mark: string = randomUUID()) {
  const buyer = buyerOf(mark);
  const paymentId = await sellTo(buyer);
  const { customer } = await insist(`GET /payments/${paymentId}`);
  const body = {
    payment_id: paymentId,
    amount: 100,
    reason: buyer.reason,
    public_reason: buyer.publicReason,
    metadata: { note: buyer.note },
  };
  const { refund_id: refundId } = await insist('POST /refunds', { body });
  await sellTo(buyer, cards.declined);
  await hearDispute(await sellTo(buyer, cards.disputeLost));
  clock.forward({ minutes: 10 });
  await sweep();
  const customerId = customer.customer_id as string;
  await insist(`PATCH /customers/${customerId}`, { body: { metadata: { note: buyer.customerNote } } });
  await useKey(customerId, buyer);
  await deliverAll();
  await documentOf(`payments/${paymentId}`);
  return { buyer, paymentId, refundId, customerId };
}

/** What goes by itself: kept answers of requests, within two days. */
const isShortLived = ({ entity, text }: { entity: string; text: string }): boolean => {
  const [{ ttl }] = JSON.parse(text);
  return entity === 'IDEM' && ttl * 1_000 <= world.now().getTime() + 48 * 3_600_000;
};

/** Which kinds of row hold which of the buyer's texts, those aside that go by themselves. */
async function findings(buyer: Marked): Promise<Record<string, string[]>> {
  const found: Record<string, Set<string>> = {};
  const rows = (await dumpRows(api.table)).filter((row) => !isShortLived(row));
  for (const { entity, text } of rows)
    for (const [field, value] of Object.entries(buyer))
      if (text.includes(JSON.stringify(value).slice(1, -1))) {
        found[entity] ??= new Set();
        found[entity].add(field);
      }
  return Object.fromEntries(Object.entries(found).map(([entity, fields]) => [entity, [...fields].sort()]));
}

const erase = (customerId: string) => api.call(`POST /customers/${customerId}/erase`);
const work = () => invokeFunction('customers/erase-customers', {});
const statusOf = async (customerId: string) => (await insist(`GET /customers/${customerId}`)).erasure?.status;

/** What the law makes the merchant keep: the documents, with what is printed on them. */
const kept = { DOCUMENT: ['business', 'city', 'email', 'name', 'publicReason', 'street'] };

describe('the erasure of personal data', () => {
  it('removes a buyer’s data from every place except their documents', async () => {
    const { buyer, customerId } = await marked();
    const before = await findings(buyer);
    expect(Object.keys(before).sort()).toEqual(
      ['CUSTOMER', 'DELIVERY', 'DISPUTE', 'DOCUMENT', 'EVENT', 'LICENSE', 'PAYMENT', 'REFUND', 'SESSION'].sort(),
    );
    const everything = new Set(Object.values(before).flat());
    expect([...everything].sort()).toEqual(Object.keys(buyer).sort());

    const { status, body } = await erase(customerId);
    expect([status, body.erasure.status, body.email, body.name]).toEqual([200, 'erasing', '', '']);
    await work();
    expect(await findings(buyer)).toEqual(kept);
    expect(await statusOf(customerId)).toBe('erased');
    expect(api.log.filter((line) => Object.values(buyer).some((value) => line.includes(value)))).toEqual([]);
  });

  it('also clears an unpaid session that was opened by a recovery link', async () => {
    const buyer = buyerOf(randomUUID());
    const { sessionId, customer } = await payments().get(await sellTo(buyer, cards.declined));
    clock.forward({ hours: 24 });
    await sweep();
    const headers = { 'sec-fetch-site': 'same-origin' };
    const opened = await api.call(`POST /checkout/${sessionId}/recover`, { key: null, headers });
    const [, recovered = ''] = /\/checkout\/(cks_\w+)/.exec(opened.headers['location'] ?? '') ?? [];
    expect((await sessions().get(recovered)).customer.email).toBe(buyer.email);
    await erase(customer.id);
    await work();
    expect(await findings(buyer)).toEqual({});
    expect((await sessions().get(recovered)).customer.email).toBeUndefined();
  });

  it('issues missing documents before it removes the buyer’s data', async () => {
    const buyer = buyerOf(randomUUID());
    // in a currency for which the invoice looks up the rate of the day
    const paymentId = await sellTo(buyer, cards.good, 'USD');
    const { refund_id: refundId } = await insist('POST /refunds', { body: { payment_id: paymentId, amount: 100 } });
    await erase((await insist(`GET /payments/${paymentId}`)).customer.customer_id);
    await work();
    for (const subject of [`payments/${paymentId}`, `refunds/${refundId}`]) {
      const { status, text } = await documentOf(subject);
      expect([status, text.includes(buyer.name), text.includes(buyer.street)]).toEqual([200, true, true]);
    }
  });

  it('keeps amounts, ids, country and tax id, and later refunds still get a document for the same buyer', async () => {
    const { buyer, paymentId, customerId } = await marked();
    const before = await insist(`GET /payments/${paymentId}`);
    const calculation = await insist(`GET /payments/${paymentId}/calculation`);
    await erase(customerId);
    await work();
    const after = await insist(`GET /payments/${paymentId}`);
    const { customer, billing, metadata, refunds, ...books } = after;
    expect(books).toEqual(Object.fromEntries(Object.keys(books).map((name) => [name, before[name]])));
    expect(customer).toEqual({ ...before.customer, email: '', name: '', phone_number: null });
    expect(billing).toEqual({ country: 'DE', city: null, state: null, street: null, zipcode: null });
    expect([metadata, refunds[0].reason, refunds[0].amount]).toEqual([{}, null, 100]);
    expect(await insist(`GET /payments/${paymentId}/calculation`)).toEqual(calculation);
    expect((await payments().get(paymentId)).taxId).toMatchObject({ id: taxId });
    const made = await insist('POST /refunds', { body: { payment_id: paymentId, amount: 50, reason: 'A later one' } });
    expect(made).toMatchObject({ status: 'succeeded', reason: 'A later one' });
    const note = await documentOf(`refunds/${made.refund_id}`);
    expect([note.status, note.text.includes(buyer.name)]).toEqual([200, true]);
    const { items } = await insist('GET /payments', { query: `customer_id=${customerId}` });
    expect(items.map(({ payment_id }: { payment_id: string }) => payment_id)).toContain(paymentId);
  });

  it('continues after a crash at any write, and reaches the same result', async () => {
    const { buyer, customerId } = await marked();
    const restore = await keepRows(api.table);
    let crashes = 0;
    for (let isCrashed = true; isCrashed; crashes += 1) {
      await restore();
      await erase(customerId);
      isCrashed = await crashing(crashes, work);
      await work();
      expect([crashes, await findings(buyer), await statusOf(customerId)]).toEqual([crashes, kept, 'erased']);
    }
    // four rows of three sales, four events with their deliveries, and the end
    expect(crashes).toBeGreaterThan(12);
  }, 120_000);

  it('can be repeated: it continues while it runs, later finds nothing, and logs each outcome once', async () => {
    const { buyer, customerId } = await marked();
    const first = await erase(customerId);
    const second = await erase(customerId);
    expect(second.body.erasure).toEqual(first.body.erasure);
    await work();
    const rows = await dumpRows(api.table);
    await work();
    expect(await dumpRows(api.table)).toEqual(rows);
    expect((await erase(customerId)).body.erasure.status).toBe('erasing');
    await work();
    expect([await statusOf(customerId), await findings(buyer)]).toEqual(['erased', kept]);
    const { items } = await insist('GET /audit-log', { query: 'page_size=100' });
    const entries = items.filter(
      (entry: { command: string; subject_id: string }) =>
        [entry.command, entry.subject_id].join() === `customer.erase,${customerId}`,
    );
    expect(entries.map(({ details }: { details: object }) => details)).toEqual([{}, {}]);
  });

  it('409: is refused while a payment or refund is still pending, and the answer names it', async () => {
    const buyer = buyerOf(randomUUID());
    const slow = await sellTo(buyer, cards.slowSuccess);
    const { customer } = await insist(`GET /payments/${slow}`);
    const refused = await erase(customer.customer_id);
    expectProblem(refused, 409, 'CONFLICT');
    expect(refused.body.message).toContain(slow);
    await finishPayment(slow);
    expect((await erase(customer.customer_id)).status).toBe(200);
    await work();
    expect(Object.keys(await findings(buyer))).toEqual(['DOCUMENT']);
  });

  it('allows a later purchase of the buyer, whose new data is stored with the same customer id', async () => {
    const { buyer, customerId } = await marked();
    await erase(customerId);
    await work();
    const again = await insist(`GET /payments/${await sellTo(buyer)}`);
    expect(again.customer).toMatchObject({ customer_id: customerId, email: buyer.email });
    expect(await insist(`GET /customers/${customerId}`)).toMatchObject({ email: buyer.email, name: buyer.name });
    expect(await erase(customerId)).toMatchObject({ status: 200 });
    await work();
    expect(await findings(buyer)).toEqual(kept);
  });

  it('404, 403: is refused for an unknown customer and for a key with only write access', async () => {
    expectProblem(await erase(`cus_${'x'.repeat(21)}`), 404, 'NOT_FOUND');
    const key = await api.addKey({ access: 'write' });
    expectProblem(await api.call(`POST /customers/cus_${'x'.repeat(21)}/erase`, { key }), 403, 'UNAUTHORIZED');
  });

  it('can be started on the customer’s page, which the payment’s page links to', async () => {
    const { buyer, paymentId, customerId } = await marked();
    const key = await api.addKey({ access: 'admin' });
    const { cookies, token } = await browse(api, key);
    const look = async (path: string, query = '') =>
      (await api.call(`GET ${path}`, { cookies, query, key: null })).text;
    const path = `/dashboard/customers/${customerId}`;
    expect(await look(`/dashboard/payments/${paymentId}`)).toContain(`href="${path}"`);
    const page = await look(path);
    expect([page.includes(buyer.email), page.includes('Erase for good')]).toEqual([true, true]);
    expect(page).toMatch(/Payments that lose them: <strong>3<\/strong> · <strong>€39.98<\/strong> · Latest/);
    const formId =
      /name="form_id" value="([^"]+)"/.exec(page)?.[1] ?? /name="form" value="([^"]+)"/.exec(page)?.[1] ?? '';
    const posted = await postForm(api, path, { token, form_id: formId, form: formId, action: 'erase' }, cookies);
    expect([posted.status, posted.headers['location']]).toEqual([303, `${path}?done=erasing`]);
    expect(await look(path, 'done=erasing')).toContain('Being erased');
    await work();
    const erased = await look(path);
    expect([erased.includes('Erased'), erased.includes(buyer.email)]).toEqual([true, false]);
    expect(await findings(buyer)).toEqual(kept);
    await sweep();
  });
});

/** Lets the function die after this number of writes. Returns whether it made that many. */
async function crashing(afterWrites: number, act: () => Promise<unknown>): Promise<boolean> {
  const { middlewareStack } = table().client;
  let writes = 0;
  middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        if (/^(BatchGet|Query)/.test(commandName)) return next(args);
        writes += 1;
        if (writes <= afterWrites) return next(args);
        throw Object.assign(new Error('The function has died.'), { name: 'Died' });
      },
    { step: 'initialize', name: 'crash' },
  );
  await act();
  middlewareStack.remove('crash');
  return writes > afterWrites;
}
