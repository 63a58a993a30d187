import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Payment } from '../../../shared/domain/payments/payment.ts';
import { collectPayments } from '../../../shared/use-cases/reports/search-payments.ts';
import { paymentLists, payments, sessions } from '../../../shared/wiring/runtime.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { browse } from '../../support/shop/dashboard.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';

let api: Api;
let cookies: string[];
let book: Payment;
let song: Payment;
let refundId: string;

/** Too long for a list view, which then leaves the card out. */
const owls = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`owl_${index}`, 'hoot '.repeat(20)]));

async function sell(name: string, price: object, expectedTotal: number, metadata = {}): Promise<Payment> {
  const id = await addProduct(api, { name, price: { type: 'one_time_price', tax_inclusive: true, ...price } });
  return pay(await createSession(api, [{ product_id: id, quantity: 1 }], { metadata }), { expectedTotal });
}

beforeAll(async () => {
  api = await startApi();
  ({ cookies } = await browse(api, await api.addKey({ access: 'read' })));
  book = await sell('Night Birds', { currency: 'EUR', price: 4_242 }, 4_242, owls);
  song = await sell('Owl Song', { currency: 'USD', price: 1_250 }, 1_250);
  const { body } = await api.call('POST /refunds', { body: { payment_id: book.id, amount: 42 } });
  refundId = body.refund_id;
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
    expect(text).not.toMatch(/id="status"|id="attention"|>JPY</);
    const { text: chosen } = await list({ status: 'failed' });
    expect(chosen).toMatch(/<option value="failed" selected>/);
  });

  it('422: explains what can be searched for when the search text is of no known kind', async () => {
    const { status, text } = await list({ q: 'owls' });
    expect([status, idsIn(text)]).toEqual([422, []]);
    expect(text).toContain('the last four digits of a card.');
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
  const deps = { payments: { ...payments(), ...paymentLists() }, sessions: sessions() };
  const { payments: some, isPartial } = await collectPayments(deps, {}, { most: 1, mostSearches: 4 });
  expect([some.length, isPartial]).toEqual([1, true]);
});
