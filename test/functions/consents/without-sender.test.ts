import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payments, sessions } from '../../../shared/wiring/runtime.ts';
import { orderUrlOf } from '../../../shared/wiring/selling.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { addProduct, createSession } from '../../support/shop/shop.ts';

/** A stack that sends no mail can confirm nothing on a durable medium. */
let api: Api;
let book: string;
beforeAll(async () => {
  api = await startApi(testMerchant);
  const body = { name: 'The program', integration_type: 'license_key', integration_config: {} };
  const { id: entitlement_id } = (await api.call('POST /entitlements', { body })).body;
  book = await addProduct(api, { entitlements: [{ entitlement_id }] });
});
afterAll(() => api.stop());

const open = (fields: object = {}) => createSession(api, [{ product_id: book, quantity: 1 }], fields);
const words = { kind: 'immediate_supply', text: 'Ich verlange es sofort.', language: 'de' };
const payByProgram = async (id: string, consents: object[]) =>
  api.call(`POST /checkout/${id}/pay`, {
    key: null,
    body: {
      customer: { email: 'ada@example.com', name: 'Ada' },
      billing_address: { country: 'DE' },
      test_card: '4242',
      consents,
    },
  });

describe('a shop without a sender address for mails', () => {
  it('shows no checkbox for the supply, and stores none that is posted', async () => {
    const id = await open();
    const { formToken: token } = await sessions().get(id);
    const fields = { email: 'ada@example.com', country: 'DE', token, 'consent.immediate_supply': 'yes' };
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    const send = (action: string, more: object = {}) =>
      api.call(`POST /checkout/${id}/${action}`, {
        key: null,
        query: 'lang=en',
        headers,
        raw: Buffer.from(new URLSearchParams({ ...fields, card: '4242424242424242', name: 'Ada', ...more }).toString()),
      });
    const { text } = await send('quote');
    expect(text).not.toContain('consent.immediate_supply');
    const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';
    const paid = await send('pay', { expected_total: hidden('expected_total'), label: hidden('label') });
    expect(paid.status).toBe(303);
    const { paymentId } = await sessions().get(id);
    expect((await payments().get(paymentId ?? '')).supplyConsents).toBeUndefined();
  });

  it('keeps the right of withdrawal when a consent comes through the API, and its answers say so', async () => {
    const { body } = await payByProgram(await open({ consents_by: 'integrator' }), [words]);
    expect(body.withdrawal).toMatchObject({ right: 'kept', consents: [{ text: words.text }] });
    const { body: payment } = await api.call(`GET /payments/${body.payment_id}`);
    expect(payment).toMatchObject({ withdrawal: { right: 'kept' }, confirmation: null });
  });

  it('delivers the goods at once, even for a line with a consent', async () => {
    const { body } = await payByProgram(await open({ consents_by: 'integrator' }), [words]);
    const url = new URL(await orderUrlOf(await payments().get(body.payment_id)));
    const anyone = { key: null, headers: { 'accept-language': 'en' } };
    const { cookies } = await api.call(`GET ${url.pathname}`, { ...anyone, query: url.search.slice(1) });
    const kept = cookies.map((cookie) => cookie.split(';')[0] ?? '');
    const { text } = await api.call(`GET ${url.pathname}`, { ...anyone, cookies: kept });
    expect(text).not.toContain('This opens in a moment');
    expect(text).toMatch(/<code class="key"|name="line" value="0"/);
  });
});
