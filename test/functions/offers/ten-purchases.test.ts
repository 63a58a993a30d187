import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { localKey } from '../../../infra/local/local-key.ts';
import { formatMoney } from '../../../shared/pages/format.ts';
import { sessions } from '../../../shared/wiring/runtime.ts';
import { between, pickOne, seeded, times } from '../../support/seeded.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { browse, postForm } from '../../support/shop/dashboard.ts';
import { addProduct } from '../../support/shop/shop.ts';

const mails = mkdtempSync(join(tmpdir(), 'purchases-'));
let api: Api;
beforeAll(async () => {
  api = await startApi(testMerchant, { MAIL_FOLDER: mails });
});
afterAll(async () => {
  await api.stop();
  rmSync(mails, { recursive: true });
});

const headers = { 'accept-language': 'en-IE' };
const shown = (page: string) =>
  page
    .replace(/<(head|style|select)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

/** A link of a product for one of several kinds of orders. */
async function anyLink(random: () => number) {
  const kind = pickOne(random, ['inclusive', 'exclusive', 'chosen'] as const);
  const amount = between(random, 900, 9_999);
  const price = { type: 'one_time_price', price: amount, currency: 'EUR', tax_inclusive: kind !== 'exclusive' };
  const open = { ...price, price: 500, pay_what_you_want: true, suggested_price: amount };
  const product = await addProduct(api, { tax_category: 'saas', price: kind === 'chosen' ? open : price });
  const quantity = kind === 'chosen' ? 1 : between(random, 1, 3);
  const percent = { type: 'percentage', amount: between(random, 100, 3_000) };
  const { code } = random() < 0.5 ? { code: '' } : (await api.call('POST /discounts', { body: percent })).body;
  return { kind, amount, product, country: pickOne(random, ['DE', 'FR', 'SE']), quantity, code };
}

/** Buys by the pages. Returns what the product's page, the checkout and the receipt have shown. */
async function buy({ kind, amount, product, country, quantity, code }: Awaited<ReturnType<typeof anyLink>>) {
  const query = String(new URLSearchParams({ quantity: String(quantity), country, ...(code && { discount: code }) }));
  const offer = (await api.call(`GET /buy/${product}`, { key: null, query, headers })).text;
  const chosen = kind === 'chosen' && { typed: (amount / 100).toFixed(2), typed_in: 'EUR' };
  const raw = Buffer.from(String(new URLSearchParams({ country, ...chosen })));
  const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
  const opened = await api.call(`POST /buy/${product}`, { key: null, query, headers: { ...headers, ...form }, raw });
  const id = /cks_\w+/.exec(opened.headers['location'] ?? '')?.[0] ?? '';
  const { text: checkout, cookies } = await api.call(`GET /checkout/${id}`, { key: null, headers });
  const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(checkout)?.[1] ?? '';
  const fields = {
    ...Object.fromEntries(['token', 'expected_total', 'label'].map((name) => [name, hidden(name)])),
    ...{ email: 'ada@example.com', name: 'Ada', country, card: '4242424242424242' },
    ...(chosen && { [`amount.${product}`]: chosen.typed }),
  };
  const paid = await postForm(api, `/checkout/${id}/pay`, fields, cookies);
  expect(paid.status).toBe(303);
  const receipt = (await api.call(`GET /checkout/${id}`, { key: null, headers })).text;
  return { offer, checkout, receipt, paymentId: (await sessions().get(id)).paymentId ?? '' };
}

/** The mail of a purchase, as text. */
async function mailOf(paymentId: string): Promise<string> {
  const { items } = (await api.call('GET /webhook-events', { query: `payment_id=${paymentId}` })).body;
  const event = items.find(({ type }: { type: string }) => type === 'payment.succeeded');
  const detail = { event_id: event.event_id, payment_id: paymentId, data: {} };
  const before = new Set(readdirSync(mails));
  await invokeFunction('documents/issue-documents', { 'detail-type': 'payment.succeeded', detail });
  const [name = ''] = readdirSync(mails).filter((one) => !before.has(one));
  const [, text = ''] = /text\/plain[\s\S]*?\r\n\r\n([\w+/=\r\n]+)/.exec(readFileSync(join(mails, name), 'utf8')) ?? [];
  return Buffer.from(text, 'base64').toString();
}

it('ten purchases agree to the cent on product page, checkout, receipt, mail, document, API and overview', async () => {
  const random = seeded(38);
  let sold = 0;
  for (const _ of times(10)) {
    const link = await anyLink(random);
    const { offer, checkout, receipt, paymentId } = await buy(link);
    const { body: payment } = await api.call(`GET /payments/${paymentId}`);
    const { total_amount: total, tax } = payment;
    sold += total;
    const money = (amount: number) => formatMoney(amount, 'EUR', 'en');
    const displayed = link.kind === 'exclusive' ? total - tax : total;
    const listed = link.amount * link.quantity;
    const page = shown(offer);
    if (link.kind === 'chosen') expect(offer).toContain(`value="${(link.amount / 100).toFixed(2)}"`);
    else if (link.code)
      expect(page).toContain(`${money(displayed)} ${link.kind === 'exclusive' ? 'plus tax' : 'tax included'}`);
    else expect([page.includes(money(link.amount)), displayed]).toEqual([true, listed]);
    expect(payment.discount_amount ?? 0).toBe(listed - displayed);
    expect(checkout).toContain(`<strong id="due">${money(total)}</strong>`);
    const document = await api.call(`GET /invoices/payments/${paymentId}`, {
      headers: { ...headers, accept: 'text/html' },
    });
    for (const [place, text] of Object.entries({ receipt, mail: await mailOf(paymentId), document: document.text }))
      expect([place, text.includes(money(total))]).toEqual([place, true]);
  }
  const { cookies } = await browse(api, localKey);
  const overview = shown((await api.call('GET /dashboard', { cookies, key: null, headers })).text);
  expect(overview).toContain(formatMoney(sold, 'EUR', 'en'));
});
