import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { logSink } from '../../shared/log.ts';
import { testCards } from '../../shared/outside/processor/sandbox/sandbox-cards.ts';
import { clock } from '../support/clock.ts';
import { type BrowserShop, euroBook, openBrowserShop, supportPrice } from './shop.ts';

let shop: BrowserShop;
let log: string[];

beforeAll(async () => {
  shop = await openBrowserShop();
});

beforeEach(() => {
  log = [];
  logSink.write = (line) => void log.push(line);
  clock.run();
});

afterAll(() => shop?.stop());

/** Where the pages lead when the session is over. */
const pageOf = (url: string): string => `${new URL(url).pathname}?lang=en`;

const get = (url: string, headers: Record<string, string> = {}) => fetch(url, { headers, redirect: 'manual' });

interface Posted {
  status: number;
  headers: Headers;
  text: string;
}

/** The fields that the page would post, and others. */
async function post(
  url: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Posted> {
  const body = new URLSearchParams({ ...(await hiddenFields(url)), ...buyer, ...fields });
  const response = await fetch(`${url}/pay`, { method: 'POST', body, headers, redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const goodCard = testCards[0]?.number ?? '';
const buyer = { email: 'ada@example.com', name: 'Ada Lovelace', country: 'DE', card: goodCard };

async function hiddenFields(url: string): Promise<Record<string, string>> {
  const page = await (await get(url)).text();
  const fields = [...page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)];
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]));
}

const book = async (fields: object = {}) => shop.checkout([await shop.product(euroBook)], fields);

describe('paying', () => {
  it('redirects to the return address with the payment id, its status and the e-mail', async () => {
    const url = await book({ return_url: 'https://shop.example/thanks?order=7' });
    const { status, headers } = await post(url);
    const target = new URL(headers.get('location') ?? '');
    expect([status, target.origin + target.pathname]).toEqual([303, 'https://shop.example/thanks']);
    expect(Object.fromEntries(target.searchParams)).toEqual({
      order: '7',
      payment_id: expect.stringMatching(/^pay_/),
      status: 'succeeded',
      email: 'ada@example.com',
    });
  });

  it('redirects to the receipt when the session has no return address', async () => {
    const url = await book();
    const { status, headers } = await post(url);
    expect([status, headers.get('location')]).toEqual([303, pageOf(url)]);
    expect(await (await get(url)).text()).toContain('<h1>Paid</h1>');
  });

  it('shows no personal data once the payment is done', async () => {
    const url = await book({
      customer: { email: 'ada@example.com', name: 'Ada Lovelace', phone_number: '+44 20 7946 0000' },
    });
    await post(url);
    expect(await (await get(url)).text()).not.toMatch(/ada@|Lovelace|7946/);
  });

  it('charges once when several requests pay at the same time, and all are redirected to the same address', async () => {
    const product = await shop.product(supportPrice);
    const url = await shop.checkout([product]);
    const token = await hiddenFields(url);
    const attempts = Array.from({ length: 20 }, (_, index) => {
      const amount = 1_000 + index;
      const typed = `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`;
      const fields = {
        ...token,
        ...buyer,
        expected_total: String(amount),
        [`amount.${product}`]: typed,
      };
      return fetch(`${url}/pay`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
    });
    const answers = await Promise.all(attempts);
    expect(answers.map(({ status, headers }) => `${status} ${headers.get('location')}`)).toEqual(
      Array(20).fill(`303 ${pageOf(url)}`),
    );
    const { payment_id: paymentId } = await shop.payment(url);
    const cookies = answers.flatMap(({ headers }) => headers.getSetCookie());
    const rest = 'Max-Age=2592000; HttpOnly; SameSite=Lax';
    const secret = /^buyer=pay_\w{21}\.(doc_\w{21});/.exec(cookies[0] ?? '')?.[1];
    expect(cookies).toEqual([
      `buyer=${paymentId}.${secret}; Path=${new URL(url).pathname}; ${rest}`,
      `buyer_${paymentId}=${secret}; Path=/invoices; ${rest}`,
    ]);
    const cookie = cookies[0]?.split(';')[0] ?? '';
    expect(await (await get(url, { cookie })).text()).toContain(paymentId);
    for (const stranger of ['', `buyer=${paymentId}`, `buyer=${paymentId}.doc_000000000000000000000`])
      expect(await (await get(url, { cookie: stranger })).text()).not.toContain(paymentId);
  });

  it('tries a card once if a press on Pay is sent several times, at the same time and afterwards', async () => {
    const url = await book();
    const card = testCards.find(({ number }) => number.endsWith('0002'))?.number ?? '';
    const press = { 'hx-request': 'true', 'idempotency-key': '1-2-3-4-5-6-7-8-9-10' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(url, { card }, press)));
    const { payment_id: first } = await shop.payment(url);
    for (const { text } of [...answers, await post(url, { card }, press)])
      expect(text).toMatch(/The card was declined|^$/);
    expect((await shop.payment(url)).payment_id).toBe(first);
    const paid = await post(url, {}, { ...press, 'idempotency-key': '2-3-4-5-6-7-8-9-10-11' });
    expect([paid.status, paid.headers.get('hx-redirect')]).toEqual([200, pageOf(url)]);
    expect(first).not.toBe((await shop.payment(url)).payment_id);
  });

  it('shows the form again when the total differs from the one that was shown', async () => {
    const url = await book();
    const { status, text } = await post(url, { expected_total: '1998' });
    expect(status).toBe(422);
    expect(text).toContain('The total is now €19.99. Check it, then pay.');
    expect(await shop.payment(url)).toBeUndefined();
  });

  it('shows the total and asks for a second click when no total was shown before', async () => {
    const url = await shop.checkout([await shop.product({ ...euroBook, tax_inclusive: false })]);
    const first = await post(url, { expected_total: '' });
    // 1999 + round(1999 × 0.07 = 139.93) = 2139
    expect(first.text).toContain('The total is now €21.39. Check it, then pay.');
    expect((await post(url, { expected_total: '2139' })).status).toBe(303);
  });

  it('keeps a locked amount and a known customer even when the post contains others', async () => {
    const product = await shop.product(supportPrice);
    const earlier = await book();
    await post(earlier);
    const { customer } = await shop.payment(earlier);
    const url = await shop.checkout([{ product_id: product, quantity: 1, amount: 700 }], {
      customer: { customer_id: customer.customer_id, email: 'ada@example.com' },
    });
    await post(url, { [`amount.${product}`]: '5.00', preset: `${product}:500`, email: 'eve@example.com' });
    await post(url, { [`amount.${product}`]: '5.00', email: 'eve@example.com' });
    expect(await shop.payment(url)).toMatchObject({ total_amount: 700, customer: { email: 'ada@example.com' } });
  });

  it.each([
    ['4.99', 'The amount must be at least €5.00.'],
    ['100.01', 'The amount can be at most €100.00.'],
    ['', 'Enter the amount that you want to pay.'],
    ['1.234', 'The amount is not clear.'],
    ['5.001', 'The amount is not clear.'],
    ['5.0001', 'Amounts in EUR have at most 2 decimal places'],
    ['-5', 'Enter an amount in digits'],
    ['1e3', 'Enter an amount in digits'],
    ['99999999999', 'This amount is too large'],
  ])('with the amount %j is refused with a message at the field, when 5 to 100 is allowed', async (typed, message) => {
    const product = await shop.product({ ...supportPrice, maximum_price: 10_000 });
    const url = await shop.checkout([product]);
    const { status, text } = await post(url, { [`amount.${product}`]: typed, expected_total: '500' });
    expect([status, text.includes(`id="amount-0-fault">${message}`)]).toEqual([422, true]);
    expect(await shop.payment(url)).toBeUndefined();
  });

  it.each([
    [{ email: 'ada' }, 'email', 'Enter an e-mail address'],
    [{ name: '' }, 'name', 'Enter your name.'],
    [{ country: '' }, 'country', 'Choose your country.'],
    [{ country: 'XX' }, 'country', 'Choose your country.'],
    [{ country: 'US' }, 'region', 'Choose your state or province.'],
    [{ country: 'US', region: 'QC' }, 'region', 'Choose your state or province.'],
    [{ tax_id: 'DE000000000' }, 'tax_id', 'This is not a valid tax ID'],
    [{ card: '' }, 'card', 'Choose one of the test cards.'],
    [{ card: '5555555555554444' }, 'card', 'Choose one of the test cards.'],
    [{ name: '4242 4242 4242 4242' }, 'name', 'Enter a name of at most 250 characters'],
  ])('with %j is refused with a message at the field', async (fields: Record<string, string>, id, message) => {
    const url = await book();
    const { status, text } = await post(url, fields);
    expect([status, text.includes(`id="${id}-fault">${message}`)]).toEqual([422, true]);
    expect(await shop.payment(url)).toBeUndefined();
  });

  it('is refused after ten attempts', async () => {
    const url = await book({ cancel_url: 'https://shop.example/cart' });
    const declined = { card: '4000000000000002' };
    const fields = await hiddenFields(url);
    for (let attempt = 1; attempt < 10; attempt += 1) expect((await post(url, declined)).status).toBe(422);
    expect((await post(url, declined)).headers.get('location')).toBe(pageOf(url));
    const page = await get(url);
    expect([page.status, await page.text()]).toEqual([410, expect.stringContaining('Too many attempts')]);
    const { payment_id: last } = await shop.payment(url);
    const body = new URLSearchParams({ ...fields, ...buyer });
    const eleventh = await fetch(`${url}/pay`, { method: 'POST', body, redirect: 'manual' });
    expect([eleventh.status, eleventh.headers.get('location')]).toEqual([303, pageOf(url)]);
    expect((await shop.payment(url)).payment_id).toBe(last);
  });

  it('is refused after the session has expired', async () => {
    const url = await book();
    const fields = await hiddenFields(url);
    clock.forward({ hours: 25 });
    const body = new URLSearchParams({ ...fields, ...buyer });
    const answer = await fetch(`${url}/pay`, { method: 'POST', body, redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, pageOf(url)]);
    const page = await get(url);
    expect([page.status, await page.text()]).toEqual([410, expect.stringContaining('This checkout has expired')]);
    expect(await shop.payment(url)).toBeUndefined();
  });
});

describe('a post that does not come from the page', () => {
  it.each([
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ origin: 'https://evil.example' }],
  ])('is refused with 403 for %j', async (headers) => {
    const url = await book();
    const { status, text, headers: answered } = await post(url, {}, headers);
    expect([status, answered.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
    expect(text).toContain('This form could not be accepted');
    expect(await shop.payment(url)).toBeUndefined();
  });

  it('is refused with 403 with another session’s token', async () => {
    const [url, other] = [await book(), await book()];
    const { token = '' } = await hiddenFields(other);
    expect((await post(url, { token })).status).toBe(403);
    expect((await post(url, { token: '' })).status).toBe(403);
  });

  it.each([
    ['no form', { 'content-type': 'text/plain' }, '{}', 415],
    ['too large', { 'content-type': 'application/x-www-form-urlencoded' }, `name=${'a'.repeat(65 * 1024)}`, 413],
    ['not UTF-8', { 'content-type': 'application/x-www-form-urlencoded' }, '%ff%fe=%80', 403],
    ['empty', { 'content-type': 'application/x-www-form-urlencoded' }, '', 403],
  ])('is refused when its body is %s', async (_, headers, body, status) => {
    const answer = await fetch(`${await book()}/pay`, { method: 'POST', headers, body });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
    expect(await answer.text()).not.toMatch(/at \w+ \(|node:|\.ts:/);
  });
});

describe('every page', () => {
  const policy =
    /^default-src 'none'; script-src 'self'; style-src 'sha256-[^' ]+'; img-src 'self' data:; connect-src 'self'; form-action 'self'/;

  it('has headers that forbid caching, frames and referrers', async () => {
    const url = await book({ return_url: 'https://shop.example/thanks' });
    const open = await get(url);
    const missing = await get(`${shop.url}/checkout/cks_000000000000000000000`);
    const refused = await fetch(`${url}/pay`, { method: 'POST', body: new URLSearchParams() });
    const again = await fetch(`${url}/quote`, { method: 'POST', body: new URLSearchParams(await hiddenFields(url)) });
    await post(url);
    for (const { headers } of [open, missing, refused, again, await get(url)]) {
      expect(headers.get('content-security-policy')).toMatch(policy);
      expect(headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'$/);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('strict-transport-security')).toContain('max-age=');
    }
    expect(open.headers.get('content-security-policy')).toContain("form-action 'self' https:;");
  });

  it('is in the language of the address, or else in that of the request header', async () => {
    const url = await book();
    const languageOf = async (address: string, header: string) =>
      /<html lang="(\w+)">/.exec(await (await get(address, { 'accept-language': header })).text())?.[1];
    expect(await languageOf(url, 'sv-SE, en;q=0.5')).toBe('sv');
    expect(await languageOf(`${url}?lang=pl`, 'sv-SE')).toBe('pl');
    expect(await languageOf(`${url}?lang=xx`, 'sv-SE')).toBe('sv');
  });

  it('is answered with 404 when the session does not exist', async () => {
    for (const id of ['cks_000000000000000000000', 'x', 'cks_%3Cscript%3E', '__proto__']) {
      const page = await get(`${shop.url}/checkout/${id}`);
      expect([page.status, await page.text()]).toEqual([404, expect.stringContaining('This checkout does not exist')]);
    }
  });

  it.each(['br', 'gzip', 'identity'])('is compressed as %s, with the same content', async (encoding) => {
    const url = await book();
    const page = await get(url, { 'accept-encoding': encoding });
    expect(page.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding);
    expect(await page.text()).toContain('<title>Checkout');
  });

  it('stays small with all its files', async () => {
    const url = await book();
    const page = await get(url);
    const files = [...(await page.text()).matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path]) => `${shop.url}${path}`);
    expect(files).toHaveLength(1);
    const weights = await Promise.all([url, ...files].map(transferredBytes));
    const total = weights.reduce((so, bytes) => so + bytes, 0);
    console.log(`A checkout page weighs ${total} bytes compressed: ${weights.join(' + ')}.`);
    expect(total).toBeLessThan(60_000);
  });

  it('serves its files with one year of caching, and answers 404 for a name that it does not serve', async () => {
    const [path] = /\/assets\/checkout-[0-9a-f]+\.js/.exec(await (await get(await book())).text()) ?? [];
    const { status, headers } = await get(`${shop.url}${path}`);
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    expect((await get(`${shop.url}/assets/checkout.css`)).status).toBe(404);
    expect((await get(`${shop.url}/assets/brand-0b5c58.css`)).headers.get('content-type')).toBe(
      'text/css; charset=utf-8',
    );
  });
});

/** What goes over the wire, which fetch does not tell. */
async function transferredBytes(url: string): Promise<number> {
  const { get: request } = await import('node:http');
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  request(url, { headers: { 'accept-encoding': 'br' } }, (response) => {
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.byteLength;
    });
    response.on('end', () => resolve(bytes));
  }).on('error', reject);
  return promise;
}

it('a card number that is typed into any field is neither stored nor logged', async () => {
  const number = '5105 1051 0510 5100';
  const fields = [
    'email',
    'name',
    'region',
    'postal_code',
    'street',
    'city',
    'tax_id',
    'business_name',
    'card',
    'token',
  ];
  const url = await book();
  for (const field of fields) {
    const { status } = await post(url, { [field]: number });
    expect([403, 422], field).toContain(status);
  }
  expect(log.join('\n')).not.toMatch(/5105\D?1051/); // four digits alone come about in a random id
  expect(log.length).toBeGreaterThan(0);
  expect(await shop.payment(url)).toBeUndefined();
});
