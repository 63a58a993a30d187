import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { localKey } from '../../../infra/local/local-key.ts';
import { clock } from '../../support/clock.ts';
import { afterNextRead } from '../../support/faults/faults.ts';
import { type Api, type ApiAnswer, startApi, testMerchant } from '../../support/shop/api.ts';
import { addProduct, createSession, pay, sell } from '../../support/shop/shop.ts';

let api: Api;
let cookies: string[];
beforeAll(async () => {
  api = await startApi({ ...testMerchant, refundWindowDays: 14 });
  const signedIn = await post('/dashboard/sign-in', { key: localKey }, []);
  cookies = signedIn.cookies.map((cookie) => cookie.split(';')[0] ?? '');
});
afterEach(() => clock.run());
afterAll(() => api.stop());

function post(
  path: string,
  fields: Record<string, string> | [string, string][],
  sent: string[] = cookies,
): Promise<ApiAnswer> {
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'sec-fetch-site': 'same-origin',
    origin: 'http://localhost:4000',
  };
  const raw = Buffer.from(new URLSearchParams(fields).toString());
  return api.call(`POST ${path}`, { raw, headers, cookies: sent, key: null });
}

const hidden = (html: string, name: string): string =>
  new RegExp(`name="${name}"[^>]*value="([^"]+)"`).exec(html)?.[1] ?? 'not there';

/** What the page's own form sends after it asked once more, refunding 5.00. */
const partOf = (html: string) => ({
  token: hidden(html, 'token'),
  form_id: hidden(html, 'form_id'),
  expected: hidden(html, 'expected'),
  confirmed: '500',
  scope: 'amount',
  amount: '5.00',
  basis: 'gross',
  reason: '',
  action: 'refund',
});

const show = async (path: string) => (await api.call(`GET ${path}`, { cookies, key: null })).text;
const refundsOf = async (paymentId: string) =>
  (await api.call(`GET /payments/${paymentId}`)).body.refunds.map((refund: { amount: number }) => refund.amount);

describe('a refund in the dashboard', () => {
  it('is made once when the button is clicked twice, and the second click leads to the same refund', async () => {
    for (const row of ['IDEM#', 'PAYMENT#']) {
      const { paymentId } = await sell(api);
      const path = `/dashboard/payments/${paymentId}`;
      const fields = partOf(await show(path));
      let first: ApiAnswer | undefined;
      afterNextRead(row, async () => {
        first = await post(path, fields);
      });
      const second = await post(path, fields);
      expect([first?.status, second.status]).toEqual([303, 303]);
      expect(second.headers['location']).toBe(first?.headers['location']);
      expect(await refundsOf(paymentId)).toEqual([500]);
    }
  });

  it('of one half returns half of the amount that is left, rounded down to a cent', async () => {
    const { paymentId } = await sell(api);
    const path = `/dashboard/payments/${paymentId}`;
    for (const confirmed of ['999', '500'])
      expect((await post(path, { ...partOf(await show(path)), scope: 'half', amount: '', confirmed })).status).toBe(
        303,
      );
    expect(await refundsOf(paymentId)).toEqual([999, 500]);
  });

  it.each([
    ['en', 'Do not enter card numbers.'],
    ['de', 'Geben Sie keine Kartennummern ein.'],
  ])('with a card number in its reason is refused in the language of the page: %s', async (lang, words) => {
    const { paymentId } = await sell(api);
    const path = `/dashboard/payments/${paymentId}`;
    const fields = { ...partOf(await show(path)), reason: '4111 1111 1111 1111' };
    const refused = await post(path, fields, [...cookies, `tillstack-language=${lang}`]);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain(words);
    expect(refused.text).not.toMatch(/reason: |public_reason:/);
  });

  it('is refused when another refund came first, and the page names the amount that is left', async () => {
    const { paymentId } = await sell(api);
    const path = `/dashboard/payments/${paymentId}`;
    const fields = partOf(await show(path));
    await api.call('POST /refunds', { body: { payment_id: paymentId, amount: 100 } });
    const answer = await post(path, fields);
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('Another refund came first');
    expect(await refundsOf(paymentId)).toEqual([100]);
  });

  /** What stands where the page says what a refund would do. */
  const effectIn = ({ text }: ApiAnswer) => {
    const effect = /id="refund-preview".*?unscripted/s.exec(text)?.[0] ?? '';
    return {
      notes: [...effect.matchAll(/<p class="note[^>]*>([^<]*)</g)].map(([, note]) => note),
      hasSums: effect.includes('The buyer gets'),
      isAlone: (text.match(/role="alert"/g) ?? []).length <= 1,
    };
  };

  it('that is refused shows the reason in the part of the page that the next answer replaces', async () => {
    const { paymentId } = await sell(api);
    const path = `/dashboard/payments/${paymentId}`;
    const fields = partOf(await show(path));
    expect(await show(path)).not.toContain('class="narrow"');
    await api.call('POST /refunds', { body: { payment_id: paymentId, amount: 100 } });
    const refused = effectIn(await post(path, fields));
    expect(refused).toMatchObject({ notes: [expect.stringContaining('came first')], hasSums: false, isAlone: true });
    const typed = effectIn(await post(path, { ...fields, amount: '4.00', action: 'preview' }));
    expect(typed).toEqual({ notes: [], hasSums: true, isAlone: true });
  });

  it('starts with nothing chosen, and without a choice it says what is missing', async () => {
    const { paymentId } = await sell(api);
    const path = `/dashboard/payments/${paymentId}`;
    const page = await show(path);
    expect(page).not.toMatch(/name="scope"[^>]* checked/);
    const { scope: _, ...unchosen } = partOf(page);
    const refused = await post(path, unchosen);
    expect([refused.status, refused.text.includes('Choose first how much')]).toEqual([422, true]);
    expect(await refundsOf(paymentId)).toEqual([]);
  });

  it('asks once more with the amount, and again if another amount is typed', async () => {
    const price = { type: 'one_time_price', currency: 'EUR', price: 100_000_000, tax_inclusive: true };
    const sessionId = await createSession(api, [{ product_id: await addProduct(api, { price }), quantity: 1 }]);
    const { id: paymentId } = await pay(sessionId, { expectedTotal: 100_000_000 });
    const path = `/dashboard/payments/${paymentId}`;
    expect(await show(path)).toContain('class="narrow"');
    const { confirmed: _, ...first } = partOf(await show(path));
    const asked = await post(path, { ...first, amount: '1200.00' });
    expect(effectIn(asked)).toMatchObject({ notes: [expect.stringContaining('€1,200.00')], hasSums: true });
    const typed = { ...partOf(asked.text), confirmed: hidden(asked.text, 'confirmed'), amount: '900.00' };
    expect(effectIn(await post(path, { ...typed, action: 'preview' })).notes).toEqual([]);
    expect((await post(path, typed)).text).toContain('Press the button again');
    expect(await refundsOf(paymentId)).toEqual([]);
    expect((await post(path, { ...typed, amount: '1200.00' })).status).toBe(303);
    expect(await refundsOf(paymentId)).toEqual([120_000]);
  });

  it('is not offered after the merchant’s refund period', async () => {
    const { paymentId } = await sell(api);
    const path = `/dashboard/payments/${paymentId}`;
    clock.forward({ days: 15 });
    const signedIn = await post('/dashboard/sign-in', { key: localKey }, []);
    cookies = signedIn.cookies.map((cookie) => cookie.split(';')[0] ?? '');
    expect(await show(path)).toContain('Refunds are possible within 14 days of the payment.');
  });
});

describe('the page of API keys', () => {
  const path = '/dashboard/keys';
  const made = async (name: string) => {
    const { body } = await api.call('GET /api-keys');
    return body.items.find((item: { name: string }) => item.name === name);
  };
  const keys = async () => {
    const page = await show(path);
    return { token: hidden(page, 'token'), form_id: hidden(page, 'form_id') };
  };

  it.each([
    [
      { access: 'write', refunds: 'yes' },
      { access: 'write', may_refund: true, daily_refund_limit: null },
    ],
    [
      { access: 'admin', refunds: 'no' },
      { access: 'admin', may_refund: false, daily_refund_limit: null },
    ],
    [{ access: 'write' }, { access: 'write', may_refund: false, daily_refund_limit: null }],
    [
      { access: 'write', refunds: 'limited', limit: '500.00', currency: 'EUR' },
      { access: 'write', may_refund: true, daily_refund_limit: { amount: 50_000, currency: 'EUR' } },
    ],
  ])('creates from the form %j a key with the rights %j', async (fields, rights) => {
    const name = JSON.stringify(fields);
    const answer = await post(path, { ...(await keys()), action: 'create', name, ...fields });
    expect([answer.status, /sk_test_\w+/.test(answer.text)]).toEqual([200, true]);
    expect(await made(name)).toMatchObject(rights);
  });

  it.each([
    { limit: '', currency: 'EUR' },
    { limit: '0', currency: 'EUR' },
    { limit: 'much', currency: 'EUR' },
    { limit: '500', currency: 'EURO' },
  ])('refuses the refund limit %j and shows the error at its field', async (typed) => {
    const form = {
      ...(await keys()),
      action: 'create',
      name: 'Refused',
      access: 'write',
      refunds: 'limited',
      ...typed,
    };
    const answer = await post(path, form);
    expect([answer.status, answer.text.includes('Enter an amount above 0 and its currency')]).toEqual([422, true]);
    expect(await made('Refused')).toBeUndefined();
  });

  it('offers to revoke a key together with the keys that it created, names their number, and revokes them', async () => {
    const { body: root } = await api.call('POST /api-keys', { body: { name: 'Root', access: 'admin' } });
    const { body: child } = await api.call('POST /api-keys', {
      key: root.key,
      body: { name: 'Child', access: 'admin' },
    });
    await api.call('POST /api-keys', { key: child.key, body: { name: 'Grandchild' } });
    const page = await show(path);
    expect(page).toContain('Also revoke the 2 keys that it created, directly or through other keys');
    expect(page).toContain('Also revoke the key that it created');
    await post(path, { ...(await keys()), action: 'revoke', id: root.id, descendants: 'true' });
    expect(
      await Promise.all(['Root', 'Child', 'Grandchild'].map(async (name) => (await made(name)).revoked_at)),
    ).toEqual([expect.any(String), expect.any(String), expect.any(String)]);
  });
});

it('a webhook endpoint does not change when its form is saved without an edit', async () => {
  const fields = {
    url: 'https://shop.example/hooks',
    description: 'Books.\nAnd stock.',
    filter_types: ['refund.failed', 'payment.*', 'subscription.active'],
  };
  const { body } = await api.call('POST /webhooks', { body: fields });
  const path = `/dashboard/webhooks/${body.id}`;
  const page = await show(path);
  const checked = [...page.matchAll(/name="type" value="([^"]+)" checked/g)].map(([, type = '']) => type);
  const answer = await post(path, [
    ['token', hidden(page, 'token')],
    ['form_id', hidden(page, 'form_id')],
    ['url', fields.url],
    ['description', /<textarea id="description"[^>]*>([^<]*)</.exec(page)?.[1] ?? 'one line'],
    ...checked.map((type): [string, string] => ['type', type]),
    ['enabled', 'true'],
    ['action', 'save'],
  ]);
  expect(answer.status).toBe(303);
  expect((await api.call(`GET /webhooks/${body.id}`)).body).toMatchObject(fields);
});

describe('the form of a product', () => {
  const draft = {
    ...{ name: 'Guide', description: 'A guide', brand_id: '', tax_category: 'digital_products', currency: 'USD' },
    ...{ price: '100', minimum: '', suggested: '', maximum: '', action: 'preview' },
  };
  const example = async (place: string, fields: Record<string, string> = { tax_inclusive: 'on' }) => {
    const page = await show('/dashboard/products/new');
    const keys = { token: hidden(page, 'token'), form_id: hidden(page, 'form_id') };
    const { text } = await post('/dashboard/products', { ...draft, ...keys, ...fields, place });
    return text;
  };

  // 100.00 with 7 % in Mississippi has 93.46 net, with 8 % 92.59
  it('warns about local taxes in places where only the state tax is known', async () => {
    expect(await example('US-MS')).toContain('Each 1% of local tax that you owe takes $0.87 out of your net.');
    expect(await example('US-MS', {})).toContain('Each 1% of local tax that you owe costs you $1.00');
    for (const place of ['US-OR', 'DE']) expect(await example(place)).not.toContain('Each 1% of local tax');
  });

  it('counts the states where the merchant collects only the state tax', async () => {
    expect(await show('/dashboard/products/new')).toContain('In 37 US states, only the state’s tax is collected.');
  });
});

it('a tax registration and a rate override for Kosovo (no ISO 3166-1 code) can be saved and count at the checkout', async () => {
  const page = await show('/dashboard/tax');
  expect(page.match(/<option value="XK"[^>]*>Kosovo</g)).toHaveLength(2);
  const at = { country: 'XK', token: hidden(page, 'token') };
  const rule = { mode: 'replace', taxability: 'taxable', name_1: 'TVSH', rate_1: '9', reason: 'A ruling.' };
  const forms = [
    { ...at, scheme: 'standard', active_from: '2020-01-01', action: 'add_registration' },
    { ...at, ...rule, effective_from: '2020-01-01', action: 'add_override' },
  ];
  for (const form of forms) {
    const answer = await post('/dashboard/tax', { ...form, form_id: hidden(await show('/dashboard/tax'), 'form_id') });
    expect([form.action, answer.status, answer.headers['location']?.split('?')[0]]).toEqual([
      form.action,
      303,
      '/dashboard/tax',
    ]);
  }
  const product = await addProduct(api);
  const body = { product_cart: [{ product_id: product, quantity: 1 }], billing_address: { country: 'XK' } };
  expect((await api.call('POST /checkouts/preview', { body })).body).toMatchObject({
    total_price: 1_999,
    total_tax: 165,
  });
});
