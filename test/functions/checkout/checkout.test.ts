import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clock } from '../../support/clock.ts';
import { type Api, type ApiAnswer, type Call, startApi } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { addProduct, createSession, support } from '../../support/shop/shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
let book: string;
let tip: string;

beforeAll(async () => {
  api = await startApi();
  book = await addProduct(api);
  tip = await addProduct(api, support);
});
beforeEach(() => clock.run());
afterAll(() => api.stop());

const sessionOf = (product: string, fields: object = {}) =>
  createSession(api, [{ product_id: product, quantity: 1 }], fields);

const asked = {
  customer: { email: 'buyer@example.com', name: 'A Buyer' },
  billing_address: { country: 'DE' },
  test_card: '4242',
};

/** What an integrator's test sends: no key, no form token. */
const send = (action: 'quote' | 'pay', id: string, body: object = {}, options: Call = {}): Promise<ApiAnswer> =>
  api.call(`POST /checkout/${id}/${action}`, { body: { ...asked, ...body }, key: null, ...options });

const stateOf = async (id: string) => (await api.call(`GET /checkouts/${id}`)).body;

describe('POST /checkout/{id}/quote', () => {
  it('200: shows the price of the session line by line, and sells nothing', async () => {
    const cart = [book, tip].map((product_id) => ({ product_id, quantity: product_id === tip ? 2 : 1 }));
    const id = await createSession(api, cart);
    const { status, headers, body } = await send('quote', id, { amounts: { [tip]: 1_190 } });
    expect({ status, type: headers['content-type'], cache: headers['cache-control'] }).toEqual({
      status: 200,
      type: 'application/json',
      cache: 'no-store',
    });
    // 1999 × 7 / 107 = 130.8, 2380 × 19 / 119 = 380
    const common = { tax_inclusive: true };
    expect(body).toEqual({
      currency: 'EUR',
      net_amount: 3_868,
      tax: 511,
      total_amount: 4_379,
      lines: [
        {
          ...{
            product_id: book,
            quantity: 1,
            unit_amount: 1_999,
            net_amount: 1_868,
            tax: 131,
            amount: 1_999,
            ...common,
          },
          tax_components: [{ name: 'VAT', rate: 7, amount: 131, reason: null }],
        },
        {
          ...{
            product_id: tip,
            quantity: 2,
            unit_amount: 1_190,
            net_amount: 2_000,
            tax: 380,
            amount: 2_380,
            ...common,
          },
          tax_components: [{ name: 'VAT', rate: 19, amount: 380, reason: null }],
        },
      ],
    });
    expect(body.lines.reduce((so: number, line: { amount: number }) => so + line.amount, 0)).toBe(body.total_amount);
    expect(await stateOf(id)).toMatchObject({ status: 'open', payment_id: null });
  });

  it('200: needs neither a buyer nor a card', async () => {
    const body = { billing_address: { country: 'DE' } };
    const answer = await api.call(`POST /checkout/${await sessionOf(book)}/quote`, { body, key: null });
    expect([answer.status, answer.body.total_amount]).toEqual([200, 1_999]);
  });

  it('200: adds no tax for a business in another country', async () => {
    const business = { billing_address: { country: 'AT' }, tax_id: 'ATU33864707' };
    const { body } = await send('quote', await sessionOf(book), business);
    expect(body).toMatchObject({ tax: 0, net_amount: 1_999, total_amount: 1_999 });
    expect(body.lines[0].tax_components).toMatchObject([{ reason: 'reverse_charge', amount: 0 }]);
  });

  it('409, 410: refuses a session that is paid or expired', async () => {
    const paid = await sessionOf(book);
    await send('pay', paid);
    expectProblem(await send('quote', paid), 409, 'CHECKOUT_SESSION_CONSUMED');
    const late = await sessionOf(book);
    clock.forward({ hours: 24 });
    expectProblem(await send('quote', late), 410, 'CHECKOUT_SESSION_EXPIRED');
  });
});

describe('POST /checkout/{id}/pay', () => {
  it('200: pays the amount that the buyer chose, and returns it', async () => {
    const id = await sessionOf(tip);
    const { status, body } = await send('pay', id, { amounts: { [tip]: 1_500 } });
    // 1500 × 19 / 119 = 239.5
    expect([status, body]).toEqual([
      200,
      {
        payment_id: expect.stringMatching(/^pay_/),
        status: 'succeeded',
        total_amount: 1_500,
        tax: 239,
        currency: 'EUR',
        error_code: null,
        error_message: null,
        checkout_session_id: id,
        withdrawal: { right: 'kept', period_ends_on: expect.stringMatching(/^20/), consents: [] },
      },
    ]);
    const payment = (await api.call(`GET /payments/${body.payment_id}`)).body;
    expect(payment).toMatchObject({ total_amount: 1_500, tax: 239, customer: asked.customer, card_last_four: '4242' });
    expect(await stateOf(id)).toMatchObject({ payment_id: body.payment_id, payment_status: 'succeeded' });
  });

  it('200: pays the quoted total, with the whole address', async () => {
    const id = await sessionOf(book);
    const address = { country: 'DE', state: 'BE', city: 'Berlin', street: 'Allee 1', zipcode: '10115' };
    const body = { billing_address: address, tax_id: 'DE136695976', customer_business_name: 'Beispiel GmbH' };
    const quoted = await send('quote', id, body);
    const paid = await send('pay', id, { ...body, expected_total: quoted.body.total_amount });
    expect(paid.body).toMatchObject({ status: 'succeeded', total_amount: quoted.body.total_amount, tax: 131 });
    expect((await api.call(`GET /payments/${paid.body.payment_id}`)).body.billing).toMatchObject(address);
  });

  it.each([
    ['0002', 'failed', 'GENERIC_DECLINE'],
    ['9995', 'failed', 'INSUFFICIENT_FUNDS'],
    ['0119', 'failed', 'PROCESSING_ERROR'],
    ['3220', 'processing', null],
    ['0341', 'succeeded', null],
  ])('200: returns the result for the test card %s: %s', async (test_card, outcome, error_code) => {
    const { status, body } = await send('pay', await sessionOf(book), { test_card });
    expect([status, body]).toMatchObject([200, { status: outcome, error_code, total_amount: 1_999 }]);
    expect(body.error_message === null).toBe(error_code === null);
  });

  it('200: accepts a new attempt after a declined card', async () => {
    const id = await sessionOf(book);
    const declined = await send('pay', id, { test_card: '0002' });
    const paid = await send('pay', id);
    expect([declined.body.status, paid.body.status]).toEqual(['failed', 'succeeded']);
    expect(paid.body.payment_id).not.toBe(declined.body.payment_id);
  });

  it('200: keeps the address of a customer that the integrator has set', async () => {
    const { body: first } = await send('pay', await sessionOf(book));
    const { customer } = (await api.call(`GET /payments/${first.payment_id}`)).body;
    const known = { customer_id: customer.customer_id, email: 'known@example.com' };
    const { body } = await send('pay', await sessionOf(book, { customer: known }));
    const payment = (await api.call(`GET /payments/${body.payment_id}`)).body;
    expect(payment.customer.email).toBe('known@example.com');
  });

  it('200: of twenty simultaneous requests one pays, and the others get 409', async () => {
    const id = await sessionOf(book);
    const answers = await Promise.all(Array.from({ length: 20 }, () => send('pay', id)));
    const [paid, ...more] = answers.filter(({ status }) => status === 200);
    expect(more).toEqual([]);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expectProblem(answer, 409, 'CHECKOUT_SESSION_CONSUMED');
      expect(answer.text).not.toContain(paid?.body.payment_id);
    }
  });

  it('400: refuses a body that is not JSON', async () => {
    const id = await sessionOf(book);
    const raw = (text: string) => ({
      raw: Buffer.from(text, 'latin1'),
      headers: { 'content-type': 'application/json' },
    });
    for (const text of ['', '{', '{"customer": "\xff"}', '{"amounts": {}, "amounts": {}}'])
      expectProblem(await send('pay', id, {}, raw(text)), 400, 'INVALID_REQUEST_BODY');
  });

  it('404: refuses an unknown session', async () => {
    for (const action of ['quote', 'pay'] as const)
      for (const id of ['cks_000000000000000000000', 'x', '__proto__'])
        expectProblem(await send(action, id), 404, 'NOT_FOUND');
  });

  it('409: refuses a wrong expected total, and returns the right one', async () => {
    const id = await sessionOf(book);
    const answer = await send('pay', id, { expected_total: 1_998 });
    expectProblem(answer, 409, 'CONFLICT');
    expect(answer.body.total_amount).toBe(1_999);
    expect(await stateOf(id)).toMatchObject({ status: 'open', payment_id: null });
  });

  it('409: refuses a session that already has a payment, so that clients do not retry', async () => {
    for (const test_card of ['4242', '3220']) {
      const id = await sessionOf(book);
      const paid = await send('pay', id, { test_card });
      const again = await send('pay', id);
      expectProblem(again, 409, 'CHECKOUT_SESSION_CONSUMED');
      expect([again.text.includes(paid.body.payment_id), again.headers['x-should-retry']]).toEqual([false, 'false']);
    }
  });

  it('409: names the payment only to the browser that paid and to API keys', async () => {
    const keys = { read: await api.addKey({ access: 'read' }), revoked: await api.addKey({ revokedAt: '2026-01-01' }) };
    for (const test_card of ['4242', '3220']) {
      const id = await sessionOf(book);
      const { payment_id } = (await send('pay', id, { test_card })).body;
      const { documentSecret } = await (await import('../../../shared/wiring/runtime.ts')).payments().get(payment_id);
      const told: Call[] = [{ key: keys.read }, { cookies: [`buyer=${payment_id}.${documentSecret}`] }];
      const strangers: Call[] = [
        {},
        { key: keys.revoked },
        { key: 'sk_test_nobody' },
        { cookies: [`buyer=${payment_id}`] },
        { cookies: [`buyer=${payment_id}.${documentSecret}x`] },
        { cookies: ['buyer='] },
      ];
      for (const action of ['quote', 'pay'] as const) {
        for (const options of [...told, ...strangers]) {
          const answer = await send(action, id, {}, options);
          expectProblem(answer, 409, 'CHECKOUT_SESSION_CONSUMED');
          expect([options, answer.body.payment_id]).toEqual([options, told.includes(options) ? payment_id : undefined]);
        }
      }
    }
  });

  it('409: names no payment for a session without one, even to an API key', async () => {
    const id = await sessionOf(book);
    for (let attempt = 1; attempt <= 10; attempt += 1) await send('pay', id, { test_card: '0002' });
    const answer = await send('pay', id, {}, { key: await api.addKey({ access: 'read' }) });
    expectProblem(answer, 409, 'CHECKOUT_SESSION_CONSUMED');
    expect(answer.body).not.toHaveProperty('payment_id');
  });

  it('409: refuses an eleventh attempt', async () => {
    const id = await sessionOf(book);
    for (let attempt = 1; attempt <= 10; attempt += 1)
      expect((await send('pay', id, { test_card: '0002' })).body.status).toBe('failed');
    expectProblem(await send('pay', id), 409, 'CHECKOUT_SESSION_CONSUMED');
  });

  it('410: refuses an expired session', async () => {
    const id = await sessionOf(book);
    clock.forward({ hours: 24 });
    expectProblem(await send('pay', id), 410, 'CHECKOUT_SESSION_EXPIRED');
  });

  it.each([{}, { test_card: '4242' }, { test_card: '1234', customer: { email: 'none' } }])(
    '409, 410: answers %j with the session’s state (paid or expired), not with missing fields',
    async (body) => {
      const [paid, late] = [await sessionOf(book), await sessionOf(book)];
      await send('pay', paid);
      const ask = (id: string) => api.call(`POST /checkout/${id}/pay`, { body, key: null });
      expectProblem(await ask(paid), 409, 'CHECKOUT_SESSION_CONSUMED');
      clock.forward({ hours: 24 });
      expectProblem(await ask(late), 410, 'CHECKOUT_SESSION_EXPIRED');
    },
  );

  it('413: refuses a body of 300 kB', async () => {
    const big = { customer: { email: 'buyer@example.com', name: 'x'.repeat(300_000) } };
    expectProblem(await send('pay', await sessionOf(book), big), 413, 'PAYLOAD_TOO_LARGE');
  });

  it('415: answers with a page when the body is neither form nor JSON, so that other sites cannot send it', async () => {
    const id = await sessionOf(book);
    for (const type of ['text/plain', 'multipart/form-data', 'text/plain; application/json']) {
      const answer = await send('pay', id, {}, { headers: { 'content-type': type, origin: 'https://evil.example' } });
      expect([answer.status, answer.headers['content-type']]).toEqual([415, 'text/html; charset=utf-8']);
    }
    expect(await stateOf(id)).toMatchObject({ payment_id: null });
  });
});

describe.each(['quote', 'pay'] as const)('422: POST /checkout/{id}/%s', (action) => {
  it.each([
    ['an unknown field', { card: '4242424242424242' }, 'card'],
    ['a whole card number', { test_card: '4242424242424242' }, 'test_card'],
    ['a card that is none of the list', { test_card: '1111' }, 'test_card'],
    ['an address that is none', { customer: { email: 'buyer', name: 'A' } }, 'customer.email'],
    ['an empty name', { customer: { email: 'buyer@example.com', name: '' } }, 'customer.name'],
    ['no address', { billing_address: undefined }, 'billing_address'],
    [
      'a country in words',
      { billing_address: { country: 'Germany' } },
      'billing_address.country',
      'UNSUPPORTED_COUNTRY',
    ],
    ['an unknown field of the address', { billing_address: { country: 'DE', zip: '1' } }, 'billing_address.zip'],
    ['a total in words', { expected_total: '1999' }, 'expected_total'],
    ['null for a card', { test_card: null }, 'test_card'],
  ])('refuses %s', async (_, fields, param, code = 'INVALID_REQUEST_BODY') => {
    const id = await sessionOf(book);
    expectProblem(await send(action, id, fields), 422, code, param);
    expect(await stateOf(id)).toMatchObject({ status: 'open', payment_id: null });
  });

  it.each([
    [{ billing_address: { country: 'US' } }, 'INVALID_REQUEST_PARAMETERS', 'billing_address.state'],
    [{ billing_address: { country: 'ZZ' } }, 'UNSUPPORTED_COUNTRY', 'billing_address.country'],
    [{ tax_id: 'DE000000000' }, 'INVALID_TAX_ID', 'tax_id'],
    [{ customer_business_name: 'Beispiel GmbH' }, 'INVALID_REQUEST_PARAMETERS', 'customer_business_name'],
    [{ amounts: { pdt_000000000000000000000: 1 } }, 'INVALID_REQUEST_PARAMETERS', 'amounts.pdt_000000000000000000000'],
  ])('refuses %j', async (fields, code, param) => {
    const id = await sessionOf(book);
    expectProblem(await send(action, id, fields), 422, code, param);
    expect(await stateOf(id)).toMatchObject({ status: 'open', payment_id: null });
  });

  it('names the test cards when the card is unknown', async () => {
    const answer = await send(action, await sessionOf(book), { test_card: '1234' });
    expectProblem(answer, 422, 'INVALID_REQUEST_BODY', 'test_card');
    for (const number of Object.values(cards)) expect(answer.body.message).toContain(number.slice(-4));
  });

  it('refuses an amount for a line with a set amount, unless both are equal', async () => {
    const locked = await createSession(api, [{ product_id: tip, quantity: 1, amount: 700 }]);
    for (const [id, product, amount] of [
      [locked, tip, 700],
      [await sessionOf(book), book, 1_999],
    ] as const) {
      const answer = await send(action, id, { amounts: { [product]: amount + 1 } });
      expectProblem(answer, 422, 'INVALID_REQUEST_PARAMETERS', `amounts.${product}`);
      expect(answer.body.message).toContain(`it is ${amount}.`);
      const same = await send(action, id, { amounts: { [product]: amount } });
      expect([same.status, same.body.total_amount]).toEqual([200, amount]);
    }
  });

  it.each([
    [undefined, 'PAY_AS_YOU_WANT_AMOUNT_REQUIRED'],
    [499, 'REQUEST_AMOUNT_BELOW_MINIMUM'],
    [10_001, 'REQUEST_AMOUNT_ABOVE_MAXIMUM'],
    [-1, 'INTEGER_CONVERSION_FAILURE'],
    [2 ** 31, 'INTEGER_CONVERSION_FAILURE'],
    [15.5, 'INVALID_REQUEST_BODY'],
    ['1500', 'INVALID_REQUEST_BODY'],
    ['', 'INVALID_REQUEST_BODY'],
    [null, 'INVALID_REQUEST_BODY'],
  ])('refuses the amount %j for a price from 5 to 100', async (amount, code) => {
    const product = await addProduct(api, { ...support, price: { ...support.price, maximum_price: 10_000 } });
    const id = await sessionOf(product);
    const answer = await send(action, id, { amounts: { [product]: amount } });
    expectProblem(answer, 422, code, `amounts.${product}`);
    expect(await stateOf(id)).toMatchObject({ status: 'open', payment_id: null });
  });
});

it('the checkout answers htmx with an instruction (wait, reload or redirect) instead of a page inside the page', async () => {
  const id = await sessionOf(book);
  const byScript = { key: null, headers: { 'hx-request': 'true' } };
  await send('pay', id, { test_card: '3220' });
  const waiting = await api.call(`GET /checkout/${id}`, byScript);
  expect([waiting.status, waiting.text, waiting.headers['hx-refresh']]).toEqual([204, '', undefined]);
  const paid = await sessionOf(book);
  const { sessions } = await import('../../../shared/wiring/runtime.ts');
  const { formToken: token } = await sessions().get(paid);
  await send('pay', paid);
  const again = await api.call(`GET /checkout/${paid}`, byScript);
  expect([again.status, again.text, again.headers['hx-refresh']]).toEqual([200, '', 'true']);
  const headers = { ...byScript.headers, 'content-type': 'application/x-www-form-urlencoded' };
  const raw = Buffer.from(new URLSearchParams({ token, country: 'DE' }).toString());
  const late = await api.call(`POST /checkout/${paid}/quote`, { raw, headers, key: null });
  expect([late.status, late.text, late.headers['hx-redirect']]).toEqual([200, '', `/checkout/${paid}?lang=en`]);
});

it('GET /checkout/{id}/pay shows the checkout page to buyers who return after a decline', async () => {
  const id = await sessionOf(book);
  for (const path of [`/checkout/${id}/pay`, `/checkout/${id}/quote`, `/checkout/${id}`]) {
    const { status, text } = await api.call(`GET ${path}`, { key: null });
    expect([status, text.includes(`action="/checkout/${id}/pay?lang=en"`)]).toEqual([200, true]);
  }
});

describe('the language that a buyer has chosen', () => {
  const english = { accept: 'text/html', 'accept-language': 'en-GB', 'sec-fetch-site': 'same-origin' };

  /** What a browser of another language gets at an address of the pages. */
  function visit(address: string, fields?: Record<string, string>, cookies: string[] = []): Promise<ApiAnswer> {
    const [path, query = ''] = address.split('?');
    if (!fields) return api.call(`GET ${path}`, { query, headers: english, cookies, key: null });
    const headers = { ...english, 'content-type': 'application/x-www-form-urlencoded' };
    return api.call(`POST ${path}`, {
      ...{ query, headers, cookies, key: null },
      raw: Buffer.from(new URLSearchParams(fields).toString()),
    });
  }

  const languageOf = ({ text }: ApiAnswer) => /<html lang="(\w+)">/.exec(text)?.[1];
  const linkIn = ({ text }: ApiAnswer, pattern: RegExp) => pattern.exec(text)?.[1] ?? 'not there';
  const formOf = (page: ApiAnswer, card: string) => ({
    token: linkIn(page, /name="token" value="([^"]*)"/),
    ...{ email: 'buyer@example.com', name: 'A Buyer', country: 'SE', expected_total: '1999', card },
  });
  const [good, declined, slow] = [cards.good, cards.declined, cards.slowSuccess];

  async function payIn(language: string, card: string) {
    const page = await visit(`/checkout/${await sessionOf(book)}?lang=${language}`);
    const address = linkIn(page, /<form id="checkout"[^>]* action="([^"]*)"/);
    return { address, fields: formOf(page, card), answer: await visit(address, formOf(page, card)) };
  }

  it('stays on the receipt and on the linked invoice', async () => {
    const { answer } = await payIn('sv', good);
    const cookies = answer.cookies.map((cookie) => cookie.split(';')[0] ?? '');
    const receipt = await visit(answer.headers['location'] ?? '', undefined, cookies);
    expect([answer.status, languageOf(receipt)]).toEqual([303, 'sv']);
    expect(languageOf(await visit(linkIn(receipt, /href="(\/invoices\/[^"]*)"/), undefined, cookies))).toBe('sv');
  });

  it('stays while the payment is processing', async () => {
    const { answer } = await payIn('ja', slow);
    const waiting = await visit(answer.headers['location'] ?? '');
    const addresses = [/hx-get="([^"]*)"/, /<a href="(\/checkout[^"]*)"/].map((pattern) => linkIn(waiting, pattern));
    for (const page of [waiting, ...(await Promise.all(addresses.map((address) => visit(address))))])
      expect(languageOf(page)).toBe('ja');
  });

  it('stays when the card is declined, the session has expired, or the form is refused', async () => {
    const { address, fields, answer } = await payIn('de', declined);
    expect([answer.status, languageOf(answer)]).toEqual([422, 'de']);
    const refused = await visit(address, { ...fields, token: 'x' });
    expect([refused.status, languageOf(refused)]).toEqual([403, 'de']);
    expect(languageOf(await visit(linkIn(refused, /href="(\/checkout[^"]*)"/)))).toBe('de');
    clock.forward({ hours: 25 });
    const late = await visit(address, fields);
    expect(languageOf(await visit(late.headers['location'] ?? ''))).toBe('de');
  });

  it('stays from a product’s public link to its checkout', async () => {
    const offer = await visit(`/buy/${book}?lang=ja`);
    const { status, headers } = await visit(linkIn(offer, /action="(\/buy[^"]*)"/), {});
    expect([status, languageOf(await visit(headers['location'] ?? ''))]).toEqual([303, 'ja']);
  });
});
