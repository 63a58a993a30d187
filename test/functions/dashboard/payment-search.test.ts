import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Payment } from '../../../shared/domain/payments/payment.ts';
import { unpacked } from '../../../shared/store/table/packed.ts';
import { collectPayments } from '../../../shared/use-cases/reports/search-payments.ts';
import { documents } from '../../../shared/wiring/books.ts';
import { discounts, paymentLists, payments, products, sessions, table } from '../../../shared/wiring/runtime.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { browse } from '../../support/shop/dashboard.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';
import { sendThrough } from '../../support/table/send-through.ts';

let api: Api;
let cookies: string[];
let book: Payment;
let song: Payment;
let refundId: string;
let invoice: string;

/** Too long for a list view, which then leaves the card out. */
const owls = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`owl_${index}`, 'hoot '.repeat(20)]));

async function sell(name: string, price: object, expectedTotal: number, more = {}): Promise<Payment> {
  const id = await addProduct(api, { name, price: { type: 'one_time_price', tax_inclusive: true, ...price } });
  return pay(await createSession(api, [{ product_id: id, quantity: 1 }], more), { expectedTotal });
}

beforeAll(async () => {
  api = await startApi();
  ({ cookies } = await browse(api, await api.addKey({ access: 'read' })));
  book = await sell('Night Birds', { currency: 'EUR', price: 4_242 }, 4_242, { metadata: owls });
  const code = { type: 'percentage', amount: 1_000, code: 'HOOT10' };
  await api.call('POST /discounts', { body: code });
  // 1,389 − 10 % = 1,250.1
  song = await sell('Öwl Söng', { currency: 'USD', price: 1_389 }, 1_250, { discount_codes: ['HOOT10'] });
  const { body } = await api.call('POST /refunds', { body: { payment_id: book.id, amount: 42 } });
  refundId = body.refund_id;
  await api.call(`GET /invoices/payments/${book.id}`, { headers: { accept: 'application/json' } });
  invoice = (await documents().find(book.id)).document?.number ?? 'none';
});
afterAll(() => api.stop());

const list = (query: Record<string, string>) =>
  api.call('GET /dashboard/payments', { cookies, key: null, query: new URLSearchParams(query).toString() });

const idsIn = (text: string): string[] =>
  [...text.matchAll(/class="leads" href="[^"]*\/(pay_\w+)"/g)].map(([, id = '']) => id);

describe('GET /dashboard/payments', () => {
  it.each<[string, () => string, () => Payment[]]>([
    ['the id of a payment', () => book.id, () => [book]],
    ['the id of a refund', () => refundId, () => [book]],
    ['the id of a checkout session', () => song.sessionId, () => [song]],
    ['the id of a customer', () => book.customer.id, () => [song, book]],
    ['an id that is none', () => 'ref_nothing', () => []],
    ['an e-mail address in capitals', () => book.customer.email.toUpperCase(), () => [song, book]],
    ['an amount', () => '12.50', () => [song]],
    ['an amount with its currency', () => '€42.42', () => [book]],
    ['the last four digits of the card, of a shortened row as well', () => '4242', () => [song, book]],
    ['the card as the list shows it', () => '•••• 4242', () => [song, book]],
    ['other last four digits', () => '0341', () => []],
    ['a part of the buyer’s name, without capitals', () => 'buyer', () => [song, book]],
    ['a part of an address', () => 'BUYER@exam', () => [song, book]],
    ['the name of a product', () => 'night b', () => [book]],
    ['the name of a product without its accents', () => 'owl song', () => [song]],
    ['a code that was redeemed', () => 'hoot10', () => [song]],
    ['the number of its invoice', () => invoice, () => [book]],
    ['a number that no invoice has', () => 'INV-2026-999999', () => []],
    ['words that occur nowhere', () => 'moonlight', () => []],
  ])('200: finds a payment by %s', async (_, typed, found) => {
    const { status, text } = await list({ q: typed() });
    expect([status, idsIn(text)]).toEqual([200, found().map(({ id }) => id)]);
  });

  it('200: names the products, and the whole row links to the payment', async () => {
    const { text } = await list({});
    expect(text).toContain('Night Birds');
    expect(idsIn(text)).toEqual([song.id, book.id]);
  });

  it('200: offers only filters that this shop needs, and always the chosen filter', async () => {
    const { text } = await list({});
    expect(text).toContain('id="currency"');
    expect(text).toMatch(/id="product".*id="status"/s);
    expect(text).not.toMatch(/id="country"|id="attention"|>JPY<|>failed</);
    const { text: chosen } = await list({ status: 'failed' });
    expect(chosen).toMatch(/<option value="failed" selected>/);
  });

  it('200: says how far it looked, and sums what it found by currency', async () => {
    const { text } = await list({ q: 'a buyer' });
    expect(text).toContain('2 found. Looked through all payments (2).');
    expect(text).toMatch(/Sum of all found, USD<.*?\$12\.50/s);
    expect(text).toMatch(/Sum of all found, EUR<.*?€42\.42.*?€0\.42 refunded/s);
    expect((await list({})).text).toMatch(/Sum of this page, USD</);
  });

  it.each<[Record<string, string>, () => Payment[]]>([
    [{ country: 'DE' }, () => [song, book]],
    [{ country: 'FR' }, () => []],
    [{ status: 'partly_refunded' }, () => [book]],
    [{ status: 'succeeded' }, () => [song]],
  ])('200: filters by %j', async (query, found) => {
    expect(idsIn((await list(query)).text)).toEqual(found().map(({ id }) => id));
  });

  it('200: filters by product', async () => {
    expect(idsIn((await list({ product: song.lines[0]?.productId ?? '' })).text)).toEqual([song.id]);
  });

  it('200: finds a country also in rows of earlier versions, which do not name it', async () => {
    const restore = sendThrough(table().client, (send) => async (command) => {
      const answer = await send(command);
      const { Items = [] } = answer as { Items?: { row?: unknown }[] };
      const withoutCountry = (row: unknown) => ({ ...(unpacked(row) as object), country: undefined });
      return { ...answer, Items: Items.map((item) => (item.row ? { ...item, row: withoutCountry(item.row) } : item)) };
    });
    const found = [await list({ country: 'DE' }), await list({ country: 'FR' })].map(({ text }) => idsIn(text));
    restore();
    expect(found).toEqual([[song.id, book.id], []]);
  });

  it('422: refuses a state that does not exist', async () => {
    const { status, text } = await list({ status: 'moonlit' });
    expect([status, idsIn(text)]).toEqual([422, []]);
  });

  it('200: exports a file of the payments that the filters find', async () => {
    const { status, headers, text } = await list({ currency: 'USD', format: 'csv' });
    expect([status, headers['content-disposition']]).toEqual([200, 'attachment; filename="payments.csv"']);
    expect(text.trim().split('\r\n')).toHaveLength(2);
    expect(text).toContain(song.id);
    const { text: one } = await list({ q: '4242', currency: 'EUR', format: 'csv' });
    expect(one.trim().split('\r\n')).toHaveLength(2);
  });
});

it('an exported file says when there are more payments than it may contain', async () => {
  const lists = { payments: { ...payments(), ...paymentLists() }, sessions: sessions() };
  const deps = { ...lists, documents: documents(), products: products(), discounts: discounts() };
  const { payments: some, isPartial } = await collectPayments(deps, {}, { most: 1, mostSteps: 4 });
  expect([some.length, isPartial]).toEqual([1, true]);
});

it.each([
  { rows: 'rows of 0.2.0, which have no country', country: undefined, most: 5 },
  { rows: 'rows with a country', country: 'DE', most: 50 },
])('an exported file of a country looks through at most $most steps of $rows', async ({ country, most }) => {
  const { items } = await paymentLists().listBriefly({}, { size: 1, skip: 0, after: undefined });
  const rows = items.map((item) => ({ ...item, country }));
  let steps = 0;
  const listBriefly = async () => {
    steps += 1;
    return { items: rows, sortKeys: ['a'], hasMore: true, last: 'a' };
  };
  const lists = { ...payments(), ...paymentLists(), listBriefly, complete: async () => [undefined] };
  const deps = {
    payments: lists,
    sessions: sessions(),
    documents: documents(),
    products: products(),
    discounts: discounts(),
  };
  const { isPartial } = await collectPayments(deps, { country: 'XX' }, { most: 1, mostSteps: 50 });
  expect([steps, isPartial]).toEqual([most, true]);
});

describe('GET /dashboard/products/{id}', () => {
  it('200: names the buyers of a product, how many orders have it, and how much was paid for these', async () => {
    const id = song.lines[0]?.productId ?? '';
    const { text } = await api.call(`GET /dashboard/products/${id}`, { cookies, key: null });
    const [, card = ''] = /id="buyers-title">(.*?)<\/section>/s.exec(text) ?? [];
    expect(card).toMatch(/Orders with it<\/dt><dd>1 \(USD\).*Paid for these orders<\/dt><dd>\$12\.50/s);
    expect(card).toContain('Among all payments (2).');
    expect(idsIn(card)).toEqual([song.id]);
    expect(card).toContain(`/dashboard/payments?product=${id}`);
  });

  it('200: names the buyer of a payment whose list row is shortened', async () => {
    const { items } = await paymentLists().listBriefly({}, { size: 10, skip: 0, after: undefined });
    expect(items.find(({ id }) => id === book.id)).toMatchObject({ more: true });
    const path = `/dashboard/products/${book.lines[0]?.productId}`;
    const { text } = await api.call(`GET ${path}`, { cookies, key: null });
    const [, card = ''] = /id="buyers-title">(.*?)<\/section>/s.exec(text) ?? [];
    expect(idsIn(card)).toEqual([book.id]);
  });

  it('200: says that nobody has bought a new product', async () => {
    const { text } = await api.call(`GET /dashboard/products/${await addProduct(api)}`, { cookies, key: null });
    expect(text).toContain('Nobody has bought it yet.');
  });
});
