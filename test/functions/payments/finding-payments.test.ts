import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueDocuments } from '../../../shared/use-cases/documents/issue-documents.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { issuing } from '../../support/shop/dependencies.ts';
import { hearDispute } from '../../support/shop/settle.ts';
import { addProduct, createSession, sell } from '../../support/shop/shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
let reader: string;
beforeAll(async () => {
  api = await startApi();
  reader = await api.addKey({ access: 'read' });
});
afterAll(() => api.stop());

const list = async (noun: string, query: Record<string, string>, key?: string) =>
  api.call(`GET /${noun}`, { query: new URLSearchParams(query).toString(), ...(key && { key }) });
const idsOf = async (noun: string, query: Record<string, string>): Promise<string[]> => {
  const { status, body } = await list(noun, query);
  expect([status, body.message]).toEqual([200, undefined]);
  return body.items.map(
    (item: Record<string, string>) => item['refund_id'] ?? item['dispute_id'] ?? item['payment_id'],
  );
};

const pay = async (session: string, email: string, card = '4242'): Promise<string> => {
  const body = { customer: { email, name: 'A Buyer' }, billing_address: { country: 'DE' }, test_card: card };
  return (await api.call(`POST /checkout/${session}/pay`, { key: null, body })).body.payment_id;
};
const unknown = (prefix: string): string => `${prefix}_${'0'.repeat(21)}`;
const newSession = async () => createSession(api, [{ product_id: await addProduct(api), quantity: 1 }]);

describe('GET /payments finds', () => {
  it('the payments of a checkout session, newest first, also those that were declined', async () => {
    const session = await newSession();
    const [declined, paid] = [await pay(session, 'ann@example.com', '0002'), await pay(session, 'ann@example.com')];
    const found = { checkout_session_id: session };
    expect((await idsOf('payments', found)).sort()).toEqual([declined, paid].sort());
    expect(await idsOf('payments', { ...found, status: 'failed' })).toEqual([declined]);
    expect(await idsOf('payments', { ...found, currency: 'USD' })).toEqual([]);
    expect(await idsOf('payments', { ...found, created_at_gte: '2100-01-01T00:00:00Z' })).toEqual([]);
    expect(await idsOf('payments', { checkout_session_id: await newSession() })).toEqual([]);
    expect(await idsOf('payments', { checkout_session_id: unknown('cks') })).toEqual([]);
  });

  it('the payments of a session page by page, by number and by cursor', async () => {
    const session = await newSession();
    for (const card of ['0002', '9995', '4242']) await pay(session, 'bea@example.com', card);
    const found = { checkout_session_id: session, page_size: '2' };
    const all = await idsOf('payments', { checkout_session_id: session });
    expect(all).toHaveLength(3);
    const pages = [await idsOf('payments', found), await idsOf('payments', { ...found, page_number: '2' })];
    expect(pages.flat()).toEqual(all);
    const { body } = await list('payments', { ...found, cursor: 'start' });
    expect(await idsOf('payments', { ...found, cursor: body.next_cursor })).toEqual(all.slice(2));
  });

  it('the payments of an e-mail address in any case, of every customer who pays with it or was given it', async () => {
    const first = await pay(await newSession(), 'Cleo@Example.com');
    const customer = (await api.call(`GET /payments/${await pay(await newSession(), 'old@example.com')}`)).body
      .customer;
    await api.call(`PATCH /customers/${customer.customer_id}`, { body: { email: 'cleo@example.com' } });
    await pay(await newSession(), 'dora@example.com');
    const all = await idsOf('payments', { customer_email: 'cleo@example.com' });
    expect(all).toHaveLength(2);
    expect(all).toContain(first);
    const found = { customer_email: 'CLEO@example.com', page_size: '1' };
    expect([await idsOf('payments', found), await idsOf('payments', { ...found, page_number: '2' })].flat()).toEqual(
      all,
    );
    const { body } = await list('payments', { ...found, cursor: 'start' });
    expect(await idsOf('payments', { ...found, cursor: body.next_cursor })).toEqual(all.slice(1));
    expect(await idsOf('payments', { customer_email: 'cleo@example.com', status: 'failed' })).toEqual([]);
    expect(await idsOf('payments', { customer_email: 'nobody@example.com' })).toEqual([]);
  });

  it('the payment of an invoice number, and none for a number that is not used', async () => {
    const { paymentId } = await sell(api);
    const issued = await issueDocuments(issuing(), [{ paymentId }], () => true);
    const number = issued.get(paymentId)?.document.number ?? '';
    expect(number).toMatch(/^INV-/);
    expect(await idsOf('payments', { invoice_number: number })).toEqual([paymentId]);
    expect(await idsOf('payments', { invoice_number: 'INV-2026-999999' })).toEqual([]);
  });

  it.each(['INV-1', 'CRN-2026-000001', 'x'])('no payment by %s, which is no invoice number', async (invoice_number) =>
    expectProblem(await list('payments', { invoice_number }), 422, 'INVALID_QUERY_PARAMS', 'invoice_number'),
  );

  it('payments by one way at a time', async () => {
    const [customer_id, checkout_session_id] = [unknown('cus'), unknown('cks')];
    const both = await list('payments', { customer_id, checkout_session_id });
    expectProblem(both, 422, 'INVALID_QUERY_PARAMS', 'checkout_session_id');
    const three = await list('payments', { customer_email: 'a@b.example', invoice_number: 'INV-2026-000001' });
    expectProblem(three, 422, 'INVALID_QUERY_PARAMS', 'invoice_number');
  });

  it('the id of the session for keys that write, and not for keys that only read', async () => {
    const session = await newSession();
    const payment_id = await pay(session, 'eve@example.com');
    const rowFor = async (key?: string) =>
      (await list('payments', { page_size: '1' }, key)).body.items.find(
        (item: { payment_id: string }) => item.payment_id === payment_id,
      );
    expect((await rowFor()).checkout_session_id).toBe(session);
    expect(await rowFor(reader)).not.toHaveProperty('checkout_session_id');
    expect((await list('payments', { checkout_session_id: session }, reader)).body.items).toHaveLength(1);
  });
});

describe('the refunds and disputes of a payment are found', () => {
  it('by its id, with other filters, page by page', async () => {
    const { paymentId: payment_id } = await sell(api);
    const { paymentId: other } = await sell(api);
    const refund = async (id: string, amount: number) =>
      (await api.call('POST /refunds', { body: { payment_id: id, amount } })).body.refund_id;
    const refunds = [await refund(payment_id, 100), await refund(payment_id, 200)];
    await refund(other, 300);
    expect((await idsOf('refunds', { payment_id })).sort()).toEqual([...refunds].sort());
    expect(await idsOf('refunds', { payment_id, status: 'failed' })).toEqual([]);
    const pages = [
      await idsOf('refunds', { payment_id, page_size: '1' }),
      await idsOf('refunds', { payment_id, page_size: '1', page_number: '2' }),
    ];
    expect(pages.flat().sort()).toEqual([...refunds].sort());
    const { items } = (await list('refunds', {})).body;
    for (const item of (await list('refunds', { payment_id })).body.items) expect(items).toContainEqual(item);
    expect(await idsOf('refunds', { payment_id: unknown('pay') })).toEqual([]);
    expect(await idsOf('refunds', { payment_id, customer_id: unknown('cus') })).toEqual([]);
  });

  it('by its id, with the state of each dispute', async () => {
    const { paymentId: payment_id } = await sell(api, { card: cards.disputeLost });
    const dispute = await hearDispute(payment_id);
    expect(await idsOf('disputes', { payment_id })).toEqual([dispute]);
    const { items } = (await list('disputes', {})).body;
    expect(items).toContainEqual((await list('disputes', { payment_id })).body.items[0]);
    expect(await idsOf('disputes', { payment_id, dispute_stage: 'pre_arbitration' })).toEqual([]);
    expect(await idsOf('disputes', { payment_id: (await sell(api)).paymentId })).toEqual([]);
  });
});

describe('what has no key and no index is refused by name', () => {
  it.each([
    { noun: 'payments', field: 'metadata' },
    { noun: 'payments', field: 'metadata[order]' },
    { noun: 'payments', field: 'card_last_four' },
    { noun: 'payments', field: 'email' },
    { noun: 'refunds', field: 'checkout_session_id' },
    { noun: 'refunds', field: 'metadata' },
    { noun: 'refunds', field: 'reason' },
    { noun: 'disputes', field: 'checkout_session_id' },
    { noun: 'disputes', field: 'reason' },
  ])('GET /$noun does not search by $field', async ({ noun, field }) =>
    expectProblem(await list(noun, { [field]: '1' }), 422, 'INVALID_QUERY_PARAMS', field),
  );
});
