import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { world } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { createSession, pay, sell } from '../../support/shop/shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterEach(() => clock.run());
afterAll(() => api.stop());

const complete = [
  'customer_id',
  'business_id',
  'created_at',
  'email',
  'name',
  'phone_number',
  'metadata',
  'blocked_at',
  'blocklist_entry_id',
  'erasure',
];
const unknown = `cus_${'x'.repeat(21)}`;

let serial = 0;
const newEmail = (): string => {
  serial += 1;
  return `buyer-${serial}@example.com`;
};

/** Sells to a buyer; returns the payment as the API shows it. */
async function soldTo(email: string, name = 'A Buyer') {
  const { paymentId } = await sell(api, { email, name });
  return (await api.call(`GET /payments/${paymentId}`)).body;
}
const customerOf = async (email: string, name?: string): Promise<string> =>
  (await soldTo(email, name)).customer.customer_id;
const get = (id: string) => api.call(`GET /customers/${id}`);
const create = (body: object) => api.call('POST /customers', { body });
const change = (id: string, body: object) => api.call(`PATCH /customers/${id}`, { body });
const list = async (query: string) => (await api.call('GET /customers', { query })).body;
const idsOf = async (query: string): Promise<string[]> =>
  (await list(query)).items.map(({ customer_id }: { customer_id: string }) => customer_id);

describe('GET /customers/{customer_id}', () => {
  it('200: answers the first payment’s time as the creation time, and the buyer’s data of the latest payment', async () => {
    const email = newEmail();
    const first = await soldTo(email, 'First Name');
    clock.forward({ minutes: 1 });
    const latest = await soldTo(email.toUpperCase(), 'Latest Name');
    const { status, body } = await get(first.customer.customer_id);
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual([...complete].sort());
    expect(body).toMatchObject({
      customer_id: latest.customer.customer_id,
      business_id: 'demo',
      created_at: first.created_at,
      email: email.toUpperCase(),
      name: 'Latest Name',
      phone_number: null,
      metadata: {},
      erasure: null,
    });
  });

  it('200: answers a buyer whose payment is shortened in lists because of long metadata', async () => {
    const email = newEmail();
    const { productId } = await sell(api);
    const metadata = { note: 'x'.repeat(500), more: 'y'.repeat(500) };
    const sessionId = await createSession(api, [{ product_id: productId, quantity: 1 }], { metadata });
    const { customer } = await pay(sessionId, { expectedTotal: 1_999, email, name: 'Long Note' });
    expect((await get(customer.id)).body).toMatchObject({ email, name: 'Long Note' });
    expect(await idsOf('name=long note')).toEqual([customer.id]);
    expect((await create({ email, name: 'Other' })).body.name).toBe('Long Note');
    expect((await change(customer.id, { metadata: { a: 1 } })).body.name).toBe('Long Note');
    expect((await api.call(`POST /customers/${customer.id}/erase`)).status).toBe(200);
  });

  it('404: refuses an unknown id', async () => expectProblem(await get(unknown), 404, 'NOT_FOUND'));
});

describe('POST /customers', () => {
  it('200: creates a customer, and a checkout can name them before their first payment', async () => {
    const email = newEmail();
    const { status, body } = await create({ email, name: 'Erika', phone_number: '+49 30 1234567', metadata: { a: 1 } });
    expect(status).toBe(200);
    expect(body).toMatchObject({ email, name: 'Erika', phone_number: '+49 30 1234567', metadata: { a: 1 } });
    const { productId } = await sell(api);
    const cart = [{ product_id: productId, quantity: 1 }];
    const sessionId = await createSession(api, cart, { customer: { customer_id: body.customer_id } });
    expect((await api.call(`GET /checkouts/${sessionId}`)).body).toMatchObject({
      customer_email: email,
      customer_name: 'Erika',
    });
    const payment = await pay(sessionId, { expectedTotal: 1_999, email });
    expect(payment.customer).toMatchObject({ id: body.customer_id, phone: '+49 30 1234567' });
    expect(await idsOf(`email=${email}`)).toEqual([body.customer_id]);
  });

  it('200: returns an existing customer unchanged, so each e-mail address has one id', async () => {
    const email = newEmail();
    const id = await customerOf(email, 'A Buyer');
    const { body } = await create({ email, name: 'Another Name' });
    expect(body).toMatchObject({ customer_id: id, name: 'A Buyer' });
    expect((await create({ email, name: 'A third' })).body).toMatchObject({ customer_id: id, name: 'A Buyer' });
  });

  it('409: refuses an e-mail address that another customer had before', async () => {
    const email = newEmail();
    const id = await customerOf(email);
    await change(id, { email: newEmail() });
    expectProblem(await create({ email, name: 'Erika' }), 409, 'CONFLICT');
  });

  it.each([
    [{ name: 'Erika' }, 'email'],
    [{ email: 'nobody', name: 'Erika' }, 'email'],
    [{ email: 'a@example.com' }, 'name'],
    [{ email: 'a@example.com', name: 'Erika', colour: 'red' }, 'colour'],
    [{ email: 'a@example.com', name: '4242 4242 4242 4242' }, 'name'],
  ])('422: refuses %j', async (body, param) => {
    expectProblem(await create(body), 422, 'INVALID_REQUEST_BODY', param);
  });
});

describe('PATCH /customers/{customer_id}', () => {
  it('200: changes the named fields, but neither the id nor earlier payments', async () => {
    const email = newEmail();
    const payment = await soldTo(email, 'A Buyer');
    const id = payment.customer.customer_id;
    const moved = newEmail();
    const { body } = await change(id, { email: moved, phone_number: '030 1234567', metadata: { vip: true } });
    expect(body).toMatchObject({ customer_id: id, email: moved, name: 'A Buyer', metadata: { vip: true } });
    expect((await change(id, { name: 'New Name', email: null, metadata: null })).body).toMatchObject({
      email: moved,
      name: 'New Name',
      phone_number: '030 1234567',
      metadata: {},
    });
    expect((await change(id, { phone_number: null })).body.phone_number).toBeNull();
    expect((await get(id)).body).toMatchObject({ customer_id: id, email: moved, created_at: payment.created_at });
    expect((await api.call(`GET /payments/${payment.payment_id}`)).body.customer).toMatchObject({ email });
    expect(await idsOf(`email=${moved}`)).toEqual([id]);
    expect(await idsOf(`email=${email}`)).toEqual([]);
  });

  it('lets a checkout that names the customer by id pay with the new address', async () => {
    const id = await customerOf(newEmail());
    const moved = newEmail();
    await change(id, { email: moved });
    const { productId } = await sell(api);
    const cart = [{ product_id: productId, quantity: 1 }];
    const sessionId = await createSession(api, cart, { customer: { customer_id: id } });
    const payment = await pay(sessionId, { expectedTotal: 1_999, email: moved });
    expect(payment.customer).toMatchObject({ id, email: moved });
    const { body } = await api.call('GET /payments', { query: `customer_id=${id}` });
    expect(body.items).toHaveLength(2);
  });

  it('404, 422: refuses an unknown id and an invalid e-mail address', async () => {
    expectProblem(await change(unknown, { name: 'x' }), 404, 'NOT_FOUND');
    expectProblem(await change(await customerOf(newEmail()), { email: 'x' }), 422, 'INVALID_REQUEST_BODY', 'email');
  });
});

describe('GET /customers', () => {
  it('200: lists every customer once, newest first, including those that the merchant created or changed', async () => {
    const earlier = newEmail();
    await customerOf(earlier);
    clock.forward({ hours: 1 });
    const bought: string[] = [];
    for (const position of [1, 2, 3, 4, 5, 6]) {
      clock.forward({ minutes: 1 });
      bought.unshift(await customerOf(newEmail(), `Lister ${position}`));
    }
    clock.forward({ minutes: 1 });
    await customerOf(earlier, 'Again');
    clock.forward({ minutes: 1 });
    const made = (await create({ email: newEmail(), name: 'Lister 7' })).body.customer_id;
    await change(bought[2] as string, { name: 'Lister changed' });
    await change(bought[4] as string, { metadata: { a: 1 } });
    const expected = [made, ...bought];
    expect(await idsOf('name=lister&page_size=100')).toEqual(expected);
    const everyone = await idsOf('page_size=100');
    expect(everyone.slice(0, 7)).toEqual(expected);
    expect(new Set(everyone).size).toBe(everyone.length);
    const numbered = [await idsOf('page_size=3'), await idsOf('page_size=3&page_number=2')].flat();
    expect(numbered).toEqual(everyone.slice(0, 6));
    const walked: string[] = [];
    for (let cursor = 'start'; cursor; ) {
      const page = await list(`page_size=2&cursor=${cursor}`);
      walked.push(...page.items.map(({ customer_id }: { customer_id: string }) => customer_id));
      cursor = page.next_cursor;
    }
    expect(walked).toEqual(everyone);
  });

  it('200: filters by time, e-mail and name', async () => {
    clock.forward({ minutes: 1 });
    const from = world.now().toISOString();
    const email = newEmail();
    const id = await customerOf(email, 'Zoë Ünique');
    const to = world.now().toISOString();
    clock.forward({ minutes: 1 });
    await customerOf(newEmail());
    expect(await idsOf(`created_at_gte=${from}&created_at_lte=${to}`)).toEqual([id]);
    expect(await idsOf(`email=${email.toUpperCase()}`)).toEqual([id]);
    expect(await idsOf(`name=${encodeURIComponent('ünIQ')}`)).toEqual([id]);
    expect(await idsOf('email=nobody@example.com')).toEqual([]);
    expectProblem(await api.call('GET /customers', { query: 'limit=3' }), 422, 'INVALID_QUERY_PARAMS', 'limit');
  });
});
