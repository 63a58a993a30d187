import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { payments, sessions } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { processorPage, remoteProcessor, useProcessor } from '../../support/faults/remote-processor.ts';
import { type Api, type ApiAnswer, startApi, testMerchant } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { finishPayment } from '../../support/shop/settle.ts';
import { addProduct, createSession, support } from '../../support/shop/shop.ts';

let api: Api;
let book: string;
let tip: string;
let restore = () => {};
beforeAll(async () => {
  api = await startApi({ ...testMerchant, returnSchemes: ['com.example.shop'] });
  [book, tip] = [await addProduct(api), await addProduct(api, support)];
  // a function asks the processor once how a buyer can pay, so it does that before a test puts another one in its place
  await browser(await newSession()).get();
});
afterEach(() => {
  restore();
  clock.run();
});
afterAll(() => api.stop());

const stepCard = '4000000000003063';
const leavingCard = '4000000000003097';
const step = (id: string) => `http://localhost:4000/checkout/${id}/step?step=confirm&lang=en`;
const newSession = (fields: object = {}, product = book) =>
  createSession(api, [{ product_id: product, quantity: 1 }], fields);

/** A browser without JavaScript that is on the page of a session. */
function browser(sessionId: string) {
  const jar = new Map<string, string>();
  const keep = (answer: ApiAnswer): ApiAnswer => {
    for (const cookie of answer.cookies) jar.set(cookie.split('=')[0] ?? '', cookie.split(';')[0] ?? '');
    return answer;
  };
  const common = { key: null, headers: { 'accept-language': 'en' } };
  const get = async (path = '', query = '', headers: Record<string, string> = {}) => {
    const options = { ...common, query, headers: { ...common.headers, ...headers }, cookies: [...jar.values()] };
    return keep(await api.call(`GET /checkout/${sessionId}${path}`, options));
  };
  const post = async (path: string, fields: Record<string, string> = {}) => {
    const token = (await sessions().get(sessionId)).formToken;
    const headers = { ...common.headers, 'content-type': 'application/x-www-form-urlencoded' };
    const raw = Buffer.from(new URLSearchParams({ token, ...fields }).toString());
    const options = { ...common, headers: { ...headers, 'sec-fetch-site': 'same-origin' }, raw };
    return keep(await api.call(`POST /checkout/${sessionId}${path}`, { ...options, cookies: [...jar.values()] }));
  };
  const pay = (card: string, fields: Record<string, string> = {}) =>
    post('/pay', {
      email: 'ada@example.com',
      name: 'Ada Lovelace',
      country: 'DE',
      card,
      expected_total: '1999',
      ...fields,
    });
  return { get, post, pay };
}

const leadsTo = ({ status, headers }: ApiAnswer) => [status, headers['location']];
const paymentOf = async (sessionId: string) => payments().get((await sessions().get(sessionId)).paymentId ?? '');
const home = (sessionId: string, rest = '') => `/checkout/${sessionId}${rest}?lang=en`;

describe('a buyer whose card needs a confirmation (3-D Secure)', () => {
  it('is sent to the bank’s page, confirms, and returns to the integrator’s page', async () => {
    const id = await newSession({ return_url: 'https://shop.example/done' });
    const buyer = browser(id);
    expect(leadsTo(await buyer.pay(stepCard))).toEqual([303, step(id)]);
    const asked = await buyer.get('/step', 'lang=en');
    expect(asked.text).toContain('Confirm your payment');
    expect(asked.text).toContain('€19.99');
    const back = await buyer.post('/step', { step: 'confirmed' });
    expect(leadsTo(back)).toEqual([303, `${home(id, '/return')}&step=confirmed`]);
    const { status, headers } = await buyer.get('/return', 'lang=en&step=confirmed');
    const { id: paymentId } = await paymentOf(id);
    const done = `https://shop.example/done?payment_id=${paymentId}&status=succeeded&email=ada%40example.com`;
    expect([status, headers['location']]).toEqual([303, done]);
    expect(await paymentOf(id)).toMatchObject({ status: 'succeeded', method: 'card' });
  });

  it('is sent back to the integrator’s app, because the page’s policy allows the app’s address', async () => {
    const id = await newSession({ return_url: 'com.example.shop:/done?order=7' });
    const buyer = browser(id);
    expect((await buyer.get()).headers['content-security-policy']).toContain("form-action 'self' com.example.shop:;");
    const { status, headers } = await buyer.pay(cards.good);
    const { id: paymentId } = await paymentOf(id);
    const done = `com.example.shop:/done?order=7&payment_id=${paymentId}&status=succeeded&email=ada%40example.com`;
    expect([status, headers['location']]).toEqual([303, done]);
    expect((await buyer.get()).text).toContain(`href="com.example.shop:/done?order=7&amp;payment_id=${paymentId}`);
  });

  it('refuses to confirm, and sees the reason and the filled form', async () => {
    const id = await newSession({}, tip);
    const buyer = browser(id);
    await buyer.pay(stepCard, { [`amount.${tip}`]: '12.34', expected_total: '1234', city: 'Marburg' });
    await buyer.post('/step', { step: 'refused' });
    expect(leadsTo(await buyer.get('/return', 'lang=en&step=refused'))).toEqual([303, home(id)]);
    const { text } = await buyer.get();
    expect(text).toContain('The payment was not confirmed with your bank.');
    for (const entry of ['ada@example.com', 'Ada Lovelace', '12.34', 'Marburg', `value="${stepCard}" checked`])
      expect(text).toContain(entry);
    expect((await browser(id).get()).text).not.toContain('ada@example.com');
  });

  it('returns without confirming, and can continue the payment', async () => {
    const id = await newSession();
    const buyer = browser(id);
    await buyer.pay(stepCard);
    expect(leadsTo(await buyer.get('/return'))).toEqual([303, home(id)]);
    const { status, text } = await buyer.get();
    expect([
      status,
      text.includes('Your payment is not finished'),
      text.includes(`href="${step(id).replace('&', '&amp;')}"`),
    ]).toEqual([200, true, true]);
  });

  it('sees the sandbox’s confirmation page only in a sandbox, not in live mode', async () => {
    const id = await newSession();
    const buyer = browser(id);
    await buyer.pay(stepCard);
    expect((await buyer.get('/step', 'step=confirm')).status).toBe(200);
    process.env['STAGE'] = 'live';
    const { status } = await buyer.get('/step', 'step=confirm').finally(() => {
      process.env['STAGE'] = 'sandbox';
    });
    expect(status).toBe(404);
  });
});

describe('a buyer who goes back in the browser', () => {
  it('can change the order: the open payment is cancelled, the form is still filled, and the buyer pays once', async () => {
    const id = await newSession();
    const buyer = browser(id);
    await buyer.pay(stepCard);
    const first = (await paymentOf(id)).id;
    expect(leadsTo(await buyer.post('/change'))).toEqual([303, home(id)]);
    expect((await payments().get(first)).status).toBe('cancelled');
    const { text } = await buyer.get();
    expect(text).toContain('The payment was not finished, and nothing was charged.');
    expect(text).toContain('ada@example.com');
    expect((await buyer.pay(cards.good)).status).toBe(303);
    expect(await paymentOf(id)).toMatchObject({ status: 'succeeded' });
    expect((await paymentOf(id)).id).not.toBe(first);
  });

  it('submits the form again and is sent to the same payment', async () => {
    const id = await newSession();
    const buyer = browser(id);
    await buyer.pay(stepCard);
    const { id: first } = await paymentOf(id);
    expect(leadsTo(await buyer.pay(cards.good))).toEqual([303, step(id)]);
    expect((await paymentOf(id)).id).toBe(first);
    const other = browser(id);
    expect(leadsTo(await other.pay(cards.good, { email: 'ada@example.com' }))).toEqual([303, step(id)]);
    expect(leadsTo(await other.pay(cards.good, { email: 'eve@example.com' }))).toEqual([303, home(id)]);
    expect(leadsTo(await other.pay(cards.good, { expected_total: '1' }))).toEqual([303, home(id)]);
  });

  it.each([
    ['another total', { expected_total: '1' }],
    ['another address', { street: 'Ketzerbach 2', postal_code: '35037' }],
    ['a tax id', { tax_id: 'DE129273398', business_name: 'Lovelace GmbH' }],
    ['another name', { name: 'Grace Hopper' }],
  ])('submits the form with %s and sees the open payment, but is not sent to pay it', async (_, fields) => {
    const id = await newSession();
    const buyer = browser(id);
    await buyer.pay(stepCard, { street: 'Ketzerbach 1' });
    expect(leadsTo(await buyer.pay(cards.good, { street: ' ketzerbach 1' }))).toEqual([303, step(id)]);
    expect(leadsTo(await buyer.pay(cards.good, fields))).toEqual([303, home(id)]);
    expect((await buyer.get()).text).toContain('€19.99');
  });

  it.each([
    ['another currency with the same number', { shown_currency: 'USD' }],
    ['another currency chosen since', { shown_currency: 'EUR', currency: 'USD' }],
  ])('submits the form with %s and is not sent to pay the open payment', async (_, fields) => {
    const id = await newSession();
    const buyer = browser(id);
    await buyer.pay(stepCard);
    expect(leadsTo(await buyer.pay(cards.good, { shown_currency: 'EUR', currency: 'EUR' }))).toEqual([303, step(id)]);
    expect(leadsTo(await buyer.pay(cards.good, fields))).toEqual([303, home(id)]);
  });

  it('submits the form with the same total divided differently and is not sent to pay the open payment', async () => {
    const other = await addProduct(api, support);
    const id = await createSession(
      api,
      [tip, other].map((product_id) => ({ product_id, quantity: 1 })),
    );
    const buyer = browser(id);
    const split = (one: string, two: string) => ({
      [`amount.${tip}`]: one,
      [`amount.${other}`]: two,
      expected_total: '3000',
    });
    expect(leadsTo(await buyer.pay(stepCard, split('10.00', '20.00')))).toEqual([303, step(id)]);
    expect(leadsTo(await buyer.pay(stepCard, split('10', '20')))).toEqual([303, step(id)]);
    expect(leadsTo(await buyer.pay(stepCard, split('20.00', '10.00')))).toEqual([303, home(id)]);
  });

  it('in another browser sees that a payment is in progress, but no link to it and no buyer data', async () => {
    const id = await newSession();
    await browser(id).pay(stepCard);
    const other = browser(id);
    const { text } = await other.get();
    expect(text).toContain('is being paid in another window');
    expect(text).toContain('A payment is in progress');
    for (const secret of [step(id), 'ada@example.com', 'Ada Lovelace', '€19.99', '/change'])
      expect(text).not.toContain(secret);
  });

  it('can cancel the payment, but a stranger who knows the checkout’s address cannot', async () => {
    const id = await newSession();
    const buyer = browser(id);
    await buyer.pay(stepCard);
    const { id: paymentId, payAt } = await paymentOf(id);
    const forged = [`buyer=${paymentId}`, `buyer=${paymentId}.doc_AAAAAAAAAAAAAAAAAAAAA`];
    for (const cookies of [[], ...forged.map((cookie) => [cookie])]) {
      const token = (await sessions().get(id)).formToken;
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
      const raw = Buffer.from(new URLSearchParams({ token }).toString());
      const answer = await api.call(`POST /checkout/${id}/change`, { key: null, headers, raw, cookies });
      expect(leadsTo(answer)).toEqual([303, home(id)]);
      expect(await paymentOf(id)).toMatchObject({ id: paymentId, status: 'processing', payAt });
    }
    expect(leadsTo(await buyer.pay(cards.good))).toEqual([303, step(id)]);
    await buyer.post('/change');
    expect(await paymentOf(id)).toMatchObject({ id: paymentId, status: 'cancelled' });
  });

  it('is recognized by the secret in the cookie, not by the payment’s id', async () => {
    const id = await newSession();
    await browser(id).pay(stepCard);
    const { id: paymentId } = await paymentOf(id);
    for (const forged of [paymentId, `${paymentId}.`, `${paymentId}.doc_AAAAAAAAAAAAAAAAAAAAA`]) {
      const options = { key: null, cookies: [`buyer=${forged}`], headers: { 'accept-language': 'en' } };
      const { text } = await api.call(`GET /checkout/${id}`, options);
      expect([text.includes('in another window'), text.includes(step(id))]).toEqual([true, false]);
    }
  });

  it('cannot cancel the payment from a form on another site', async () => {
    const id = await newSession();
    const buyer = browser(id);
    await buyer.pay(stepCard);
    expect((await buyer.post('/change', { token: 'another' })).status).toBe(403);
    expect((await buyer.post('/step', { token: 'another', step: 'confirmed' })).status).toBe(403);
    expect((await paymentOf(id)).status).toBe('processing');
  });

  it('cannot cancel a payment that was paid in the meantime', async () => {
    clock.stopAt('2026-03-01T12:00:00.000Z');
    const id = await newSession();
    const buyer = browser(id);
    await buyer.pay(leavingCard);
    clock.forward({ minutes: 1 });
    await buyer.post('/change');
    expect((await buyer.get()).text).toContain('Paid');
  });
});

describe('a buyer who leaves', () => {
  it('is recorded as having paid when the sweep finds the payment', async () => {
    clock.stopAt('2026-03-01T12:00:00.000Z');
    const id = await newSession();
    const buyer = browser(id);
    await buyer.pay(leavingCard);
    expect((await buyer.get('/step', 'step=leave')).text).toContain('arrives in a minute');
    const { id: paymentId } = await paymentOf(id);
    await finishPayment(paymentId);
    expect((await paymentOf(id)).status).toBe('processing');
    clock.forward({ minutes: 2 });
    await finishPayment(paymentId);
    expect((await paymentOf(id)).status).toBe('succeeded');
    expect((await buyer.get()).text).toContain('Paid');
  });

  it('is not charged if the confirmation never comes: the payment is cancelled, and the session accepts another', async () => {
    clock.stopAt('2026-03-01T12:00:00.000Z');
    const id = await newSession();
    const buyer = browser(id);
    await buyer.pay(stepCard);
    clock.forward({ hours: 2 });
    await finishPayment((await paymentOf(id)).id);
    expect((await buyer.get()).text).toContain('The payment was not finished');
    expect((await buyer.pay(cards.good)).status).toBe(303);
    expect((await paymentOf(id)).status).toBe('succeeded');
  });
});

describe('a buyer who returns from the processor', () => {
  /** A processor on another site, and a buyer who has begun to pay there. */
  async function begun(fields: object = {}) {
    const id = await newSession(fields);
    const connected = remoteProcessor({ charge: 'open' });
    restore = useProcessor(connected);
    const buyer = browser(id);
    const answer = await buyer.pay(cards.good);
    const { id: paymentId } = await paymentOf(id);
    expect(leadsTo(answer)).toEqual([303, processorPage(paymentId)]);
    const becomes = (status: 'processing' | 'succeeded' | 'failed' | 'cancelled') => {
      for (const charge of connected.charged.values()) charge.status = status;
    };
    return { id, buyer, connected, becomes };
  }

  it('sees a waiting page that explains that the payment method takes days', async () => {
    const { id, buyer, becomes } = await begun();
    becomes('processing');
    const { status, text } = await buyer.get('/return');
    expect([status, text.includes('take several days')]).toEqual([200, true]);
    expect(text).toContain(`content="120; url=${home(id)}"`);
    expect((await buyer.get()).text).toContain('take several days');
    becomes('succeeded');
    expect((await buyer.get('/return')).status).toBe(303);
    expect((await buyer.get()).text).toContain('Paid');
  });

  it.each([
    { status: 'failed', notice: 'The payment did not succeed' },
    { status: 'cancelled', notice: 'The payment was not finished' },
  ] as const)('gets the filled form with the reason of the failure: $status', async ({ status, notice }) => {
    const { id, buyer, becomes } = await begun();
    becomes(status);
    expect(leadsTo(await buyer.get('/return'))).toEqual([303, home(id)]);
    const { text } = await buyer.get();
    expect([text.includes(notice), text.includes('ada@example.com')]).toEqual([true, true]);
  });

  it('sees a waiting page, not a failure, when the processor does not answer', async () => {
    const id = await newSession();
    const connected = remoteProcessor();
    restore = useProcessor(connected);
    connected.around = () => Promise.reject(new Error('The network is down.'));
    const buyer = browser(id);
    expect(leadsTo(await buyer.pay(cards.good))).toEqual([303, home(id)]);
    const { status, text } = await buyer.get('/return');
    expect([status, text.includes('Your payment is being processed')]).toEqual([200, true]);
    expect(text).toContain(`content="4; url=${home(id, '/return')}"`);
    const byScript = await buyer.get('/return', '', { 'hx-request': 'true' });
    expect(byScript.status).toBe(204);
    connected.around = (call) => call();
    expect((await buyer.get('/return', 'lang=en', { 'hx-request': 'true' })).headers['hx-redirect']).toBe(home(id));
    expect((await buyer.get()).text).toContain('Paid');
  });

  it('sees no buyer data in another browser', async () => {
    const { id, becomes } = await begun({ return_url: 'https://shop.example/done' });
    becomes('succeeded');
    const { headers } = await browser(id).get('/return');
    expect(headers['location']).toContain('status=succeeded');
    expect(headers['location']).not.toContain('email');
  });
});

describe('a browser that knows only the id of a payment', () => {
  /** The id follows from the session's, so others know it. */
  async function guessing(card: string, fields: object = {}) {
    const id = await newSession(fields);
    await browser(id).pay(card);
    const payment = await paymentOf(id);
    return (path: string) => api.call(`GET /checkout/${id}${path}`, { key: null, cookies: [`buyer=${payment.id}`] });
  }

  it('does not learn the buyer’s e-mail on the way back to the integrator', async () => {
    const guess = await guessing(cards.good, { return_url: 'https://shop.example/done' });
    const { headers } = await guess('/return');
    expect(headers['location']).toContain('https://shop.example/done');
    expect(headers['location']).not.toMatch(/email|ada%40/);
  });

  it('does not see the buyer’s entries after a decline', async () => {
    const guess = await guessing(cards.declined);
    expect((await guess('')).text).not.toContain('ada@example.com');
  });
});

it('the page of a waiting session reloads when the state of the session changes', async () => {
  const id = await newSession();
  const buyer = browser(id);
  await buyer.pay(stepCard);
  const byScript = (query: string) => buyer.get('', query, { 'hx-request': 'true' });
  expect((await byScript('at=processor')).status).toBe(204);
  expect((await byScript('')).headers['hx-refresh']).toBe('true');
  await buyer.post('/change');
  expect((await byScript('at=processor')).headers['hx-refresh']).toBe('true');
});
