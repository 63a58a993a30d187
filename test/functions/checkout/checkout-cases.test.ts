import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { endpoints } from '../../../infra/endpoints.ts';
import { localKey } from '../../../infra/local/local-key.ts';
import { formatApiKey, hashApiKey } from '../../../shared/http/api-key.ts';
import { clock } from '../../support/clock.ts';
import { type Api, type ApiAnswer, startApi, testMerchant } from '../../support/shop/api.ts';
import { addProduct, createSession, fieldGuide } from '../../support/shop/shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';

const sellerTaxId = 'DE123456788';
const liveKey = formatApiKey('live', 'L'.repeat(32));
let api: Api;
let book: string;

beforeAll(async () => {
  api = await startApi({ ...testMerchant, taxId: sellerTaxId, live: true });
  book = await addProduct(api);
  const { apiKeys } = await import('../../../shared/wiring/runtime.ts');
  const rights = { access: 'write' as const, refunds: { perDay: null }, createdBy: null };
  const dates = { createdAt: '2026-01-01T00:00:00.000Z', expiresAt: null, revokedAt: null };
  await apiKeys().save({ hash: hashApiKey(liveKey), name: 'Live', lastFour: 'live', ...rights, ...dates });
});
afterEach(() => {
  clock.run();
  vi.unstubAllEnvs();
});
afterAll(() => api.stop());

const anyone = { key: null } as const;
const sessionOf = (product: string, fields: object = {}, line: object = {}) =>
  createSession(api, [{ product_id: product, quantity: 1, ...line }], fields);
const pageOf = (id: string): Promise<ApiAnswer> => api.call(`GET /checkout/${id}`, anyone);
const plain = (text: string): string => text.replace(/[\u00A0\u202F]/g, ' ');

/** What an integrator's test, or anybody else, sends without a key. */
const send = (action: 'quote' | 'pay', id: string, fields: object = {}): Promise<ApiAnswer> => {
  const customer = { email: 'buyer@example.com', name: 'A Buyer' };
  const body = { customer, billing_address: { country: 'DE' }, test_card: '4242', ...fields };
  return api.call(`POST /checkout/${id}/${action}`, { body, ...anyone });
};

describe('data leaks that happened in other projects', () => {
  const customer = { email: 'ada@lovelace.example', name: 'Ada Lovelace', phone_number: '+49 30 7654321' };
  const address = { country: 'DE', city: 'Musterstadt', street: 'Lindenweg 17', zipcode: '04711' };
  const business = { tax_id: 'DE136695976', customer_business_name: 'Lovelace Engines' };
  const metadata = { secret: 'order-4711-internal' };
  const personal = /lovelace|\bada\b|7654321|musterstadt|lindenweg|04711|136695976|4711-internal/i;
  const known = { customer, billing_address: address, ...business, metadata };
  const paying = { customer: { email: customer.email, name: customer.name }, billing_address: address, ...business };

  it('the page of a paid, processing or expired session shows no buyer data to a stranger (evershop#1062; classroomio#662; InternHack#2949)', async () => {
    const states = { '4242': 'Paid', '3220': 'Your payment is being processed', none: 'This checkout has expired' };
    for (const [test_card, title] of Object.entries(states)) {
      const id = await sessionOf(book, known);
      expect((await pageOf(id)).text).toMatch(personal); // prefilled while the buyer still fills it in
      if (test_card === 'none') clock.forward({ hours: 24 });
      else expect((await send('pay', id, { ...paying, test_card })).status).toBe(200);
      const answers = [await pageOf(id), await send('quote', id), await send('pay', id)];
      expect(answers[0]?.text).toContain(title);
      for (const { text, headers } of answers) expect(`${text} ${JSON.stringify(headers)}`).not.toMatch(personal);
    }
    expect(api.log.join('\n')).not.toMatch(personal);
  });

  it('no read of sessions, payments, refunds or keys works without an API key (evershop#1062; InternHack#2949)', async () => {
    const id = await sessionOf(book, known);
    const { payment_id } = (await send('pay', id, paying)).body;
    const { refund_id } = (await api.call('POST /refunds', { body: { payment_id } })).body;
    const reads = endpoints.filter(({ method, access }) => method === 'GET' && access === 'read');
    const ids: Record<string, string> = { checkouts: id, 'checkout-sessions': id, payments: payment_id };
    const paths = reads.flatMap((endpoint) => endpoint.paths);
    expect(paths).toEqual(expect.arrayContaining(['/payments', '/payments/{payment_id}', '/checkouts/{id}']));
    for (const path of paths) {
      const real = path.replace(/\{\w+\}/, ids[path.split('/')[1] ?? ''] ?? refund_id);
      const answer = await api.call(`GET ${real}`, anyone);
      expectProblem(answer, 401, 'UNAUTHORIZED');
      expect(answer.text).not.toMatch(personal);
    }
  });

  it('the session API returns only the listed fields, and answers a guessed id like any unknown id (evershop#1062; classroomio#662; InternHack#2949)', async () => {
    const id = await sessionOf(book, known);
    await send('pay', id, paying);
    const { body, text } = await api.call(`GET /checkouts/${id}`);
    const shown = [
      'checkout_url',
      'created_at',
      'customer_email',
      'customer_name',
      'discount_codes',
      'expires_at',
      'id',
    ];
    expect(Object.keys(body).sort()).toEqual([...shown, 'metadata', 'payment_id', 'payment_status', 'status']);
    expect(text).not.toMatch(/7654321|musterstadt|lindenweg|"04711"|136695976|engines|token/i);
    const strangers = [id.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')), `cks_${'x'.repeat(21)}`];
    const told = await Promise.all(strangers.map((guessed) => api.call(`GET /checkouts/${guessed}`)));
    for (const answer of told) expectProblem(answer, 404, 'NOT_FOUND');
    const [guess, other] = told.map(({ text: problem }, index) => problem.replaceAll(strangers[index] ?? '', '…'));
    expect(guess).toBe(other);
    expect(id).toMatch(/^cks_[A-Za-z0-9]{21}$/); // 62^21 ids: 125 bits
  });

  it.each([
    { stage: 'sandbox', key: liveKey, own: localKey, says: /live mode.*test mode/ },
    { stage: 'live', key: localKey, own: liveKey, says: /test mode.*live mode/ },
  ])(
    'an API key of the other mode is refused in $stage, even when its row is in the table (mollie/Shopware6#459)',
    async ({ stage, key, own, says }) => {
      vi.stubEnv('STAGE', stage);
      const cart = { product_cart: [{ product_id: book, quantity: 1 }] };
      const count = async () =>
        (await api.call('GET /products', { key: own, query: 'page_size=100' })).body.items.length;
      const before = await count();
      for (const [request, body] of [
        ['GET /products', undefined],
        ['GET /payments', undefined],
        ['POST /products', fieldGuide],
        ['POST /checkouts', cart],
        ['POST /refunds', { payment_id: `pay_${'x'.repeat(21)}` }],
      ] as const) {
        const answer = await api.call(request, { key, body });
        expectProblem(answer, 401, 'WRONG_MODE');
        expect(answer.body.message).toMatch(says);
      }
      expect(await count()).toBe(before);
      const raw = Buffer.from(`key=${key}`);
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
      expect((await api.call('POST /dashboard/sign-in', { raw, headers, ...anyone })).status).toBe(401);
    },
  );
});

describe('tax ids and invoices that caused bugs in other projects', () => {
  const reverseCharge = {
    en: /Reverse charge: the buyer is liable for the tax\./,
    de: /Steuerschuldnerschaft des Leistungsempfängers/,
  };
  const gstRegistered = {
    en: /Sale to a business that is registered for GST/,
    de: /für die GST registriertes Unternehmen/,
  };
  it.each(['DE', 'FR', 'GB', 'AU', 'JP', 'BR'])(
    '“OTHER” as a tax id is refused in %s: it removes no tax, and is on no invoice (gumroad#2468)',
    async (country) => {
      for (const tax_id of ['OTHER', 'other', 'N/A', 'none']) {
        const fields = { billing_address: { country }, tax_id };
        const cart = { product_cart: [{ product_id: book, quantity: 1 }] };
        expectProblem(
          await api.call('POST /checkouts', { body: { ...cart, ...fields } }),
          422,
          'INVALID_TAX_ID',
          'tax_id',
        );
        const { body: preview } = await api.call('POST /checkouts/preview', { body: { ...cart, ...fields } });
        const { tax_id: _, ...consumer } = fields;
        const { body: without } = await api.call('POST /checkouts/preview', { body: { ...cart, ...consumer } });
        expect(preview).toEqual({
          ...without,
          tax_id_err_msg: expect.stringContaining(`not a valid tax id of ${country}`),
        });
        const id = await sessionOf(book);
        expectProblem(await send('pay', id, fields), 422, 'INVALID_TAX_ID', 'tax_id');
      }
    },
  );

  it.each([
    { country: 'FR', tax_id: 'FR40303265045', label: 'VAT ID', format: 'EU VAT', why: reverseCharge },
    { country: 'GB', tax_id: 'GB980780684', label: 'VAT ID', format: 'GB VAT', why: reverseCharge },
    { country: 'AU', tax_id: '51824753556', label: 'AU ABN', format: 'AU ABN', why: gstRegistered },
  ])(
    'a tax-free invoice to $country states the reason, the name of the buyer’s tax id ($label), and both parties’ ids (gumroad#2468; LedgerSMB#4837; mustang#1035 BR-AE-03; solidus#6112)',
    async ({ country, tax_id, label, format, why }) => {
      const saas = await addProduct(api, { tax_category: 'saas' });
      const address = { country, street: '3 rue de la République', city: 'Lyon' };
      const fields = { billing_address: address, tax_id, customer_business_name: 'Éditions du Rhône' };
      const { body: paid } = await send('pay', await sessionOf(saas), fields);
      expect(paid).toMatchObject({ total_amount: 1_999, tax: 0 });
      const { body: refund } = await api.call('POST /refunds', { body: { payment_id: paid.payment_id, amount: 500 } });
      for (const path of [`/invoices/payments/${paid.payment_id}`, `/invoices/refunds/${refund.refund_id}`]) {
        const { body } = await api.call(`GET ${path}`, { headers: { accept: 'application/json' } });
        expect(body.buyer).toMatchObject({
          business_name: 'Éditions du Rhône',
          tax_id: { id: tax_id, format_name: format },
        });
        expect(body.seller.tax_ids).toMatchObject([{ id: sellerTaxId }]);
        expect(body.lines[0].tax_components).toMatchObject([{ reason: 'reverse_charge', rate: null, amount: 0 }]);
        const page = async (lang: string) =>
          (await api.call(`GET ${path}`, { query: `format=html&lang=${lang}` })).text;
        const text = plain(await page('en'));
        expect(text).toMatch(why.en);
        for (const part of [`${label}: ${tax_id}`, `VAT ID: ${sellerTaxId}`]) expect(text).toContain(part);
        expect(text).not.toMatch(/OTHER|[1-9]\d* %/);
        expect(await page('de')).toMatch(why.de);
      }
    },
  );
});

describe('buyer data that the session already has', () => {
  const customer = { email: 'ada@lovelace.example', name: 'Ada Lovelace' };
  const business = { tax_id: 'FR40303265045', customer_business_name: 'Lovelace Engines' };
  const known = {
    customer,
    billing_address: { country: 'FR', city: 'Lyon', street: '3 rue de la République' },
    ...business,
  };
  const pay = (id: string, fields: object = {}) =>
    api.call(`POST /checkout/${id}/pay`, { body: { test_card: '4242', ...fields }, ...anyone });
  const paid = async (fields: object = {}) => {
    const { status, body } = await pay(await sessionOf(book, known), fields);
    expect(status).toBe(200);
    return (await api.call(`GET /payments/${body.payment_id}`)).body;
  };

  it('is used for fields that the request leaves out, including the tax id of a business', async () => {
    const payment = await paid();
    expect(payment).toMatchObject({ customer, billing: { country: 'FR', city: 'Lyon' }, tax: 0 });
    const calculation = (await api.call(`GET /payments/${payment.payment_id}/calculation`)).body;
    expect(calculation.lines[0].components[0].reason).toBe('reverse_charge');
  });

  it('is used to price a quote as well', async () => {
    const answer = await api.call(`POST /checkout/${await sessionOf(book, known)}/quote`, { body: {}, ...anyone });
    expect(answer.body.tax).toBe(0);
  });

  it.each([
    ['null in place of the tax id', { tax_id: null }],
    ['another country', { billing_address: { country: 'DE' } }],
  ])('is replaced by %s in the request, and the buyer counts as a consumer', async (_, fields) => {
    expect((await paid(fields)).tax).toBeGreaterThan(0);
  });

  it.each([
    ['customer.email', { customer: { name: 'A Buyer' }, billing_address: { country: 'DE' } }],
    ['customer.name', { customer: { email: 'a@example.com' }, billing_address: { country: 'DE' } }],
    ['billing_address', { customer: { email: 'a@example.com', name: 'A Buyer' } }],
  ])('does not include %s, and the refusal names the missing field', async (path, fields) => {
    expectProblem(await pay(await sessionOf(book), fields), 422, 'INVALID_REQUEST_BODY', path);
  });
});

describe('the address of a business buyer', () => {
  const relieved = { tax_id: 'FR40303265045', customer_business_name: 'Éditions du Rhône' };
  const payFrom = async (address: object, fields: object = relieved) =>
    send('pay', await sessionOf(book), { billing_address: { country: 'FR', ...address }, ...fields });

  it('is required for a reverse charge, because the invoice must show it', async () => {
    const refused = await payFrom({ city: 'Lyon' });
    expectProblem(refused, 422, 'INVALID_REQUEST_PARAMETERS', 'billing_address.street');
    expect((await payFrom({})).body.errors.map(({ path }: { path: string }) => path)).toEqual([
      'billing_address.street',
      'billing_address.city',
    ]);
    expect((await payFrom({ city: 'Lyon', street: '3 rue de la République' })).status).toBe(200);
  });

  it('is not required from a consumer', async () => expect((await payFrom({}, {})).status).toBe(200));

  it('is requested on the page by an error at its fields', async () => {
    const id = await sessionOf(book);
    const { text } = await pageOf(id);
    const [, token = ''] = /name="token" value="([^"]*)"/.exec(text) ?? [];
    const buyer = { email: 'a@example.com', name: 'A', country: 'FR' };
    const fields = { token, ...buyer, card: '4242424242424242', expected_total: '1999' };
    const form = new URLSearchParams({ ...fields, tax_id: relieved.tax_id, business_name: 'Éditions du Rhône' });
    const answer = await api.call(`POST /checkout/${id}/pay`, {
      key: null,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
      raw: Buffer.from(form.toString()),
    });
    for (const field of ['street', 'city']) expect(answer.text).toContain(`id="${field}-fault">Enter your address`);
  });
});
