import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payments, sessions } from '../../../shared/wiring/runtime.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { browse } from '../../support/shop/dashboard.ts';
import { addProduct, createSession, goodCard } from '../../support/shop/shop.ts';

let api: Api;
let book: string;
let tool: string;

beforeAll(async () => {
  api = await startApi({ ...testMerchant, name: 'Example Books', consents: ['terms', 'withdrawal'] });
  [book, tool] = [await addProduct(api), await addProduct(api, { tax_category: 'saas' })];
});
afterAll(() => api.stop());

const whole = { email: 'ada@example.com', name: 'Ada Lovelace', card: goodCard };
const terms = { 'consent.terms': 'yes' };
/** What a page of 0.2.0 posts that was open during the upgrade. */
const of020 = { ...terms, 'consent.withdrawal': 'yes' };

const byProgram = {
  customer: { email: 'ada@example.com', name: 'Ada' },
  billing_address: { country: 'DE' },
  test_card: '4242',
};

const newSession = (product = book) => createSession(api, [{ product_id: product, quantity: 1 }]);

async function send(id: string, action: 'quote' | 'pay', fields: Record<string, string>) {
  const { formToken: token } = await sessions().get(id);
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
  const raw = Buffer.from(new URLSearchParams({ ...whole, token, ...fields }).toString());
  return api.call(`POST /checkout/${id}/${action}`, { key: null, query: 'lang=en', headers, raw });
}

/** Pays what the page shows for the same entries. */
async function pay(id: string, fields: Record<string, string>) {
  const { text } = await send(id, 'quote', fields);
  const expected = /name="expected_total" value="(\d+)"/.exec(text)?.[1] ?? '';
  return send(id, 'pay', { ...fields, expected_total: expected });
}

const boxesOf = (text: string) => [...text.matchAll(/name="consent\.(\w+)"/g)].map(([, kind]) => kind);

describe('a checkout whose merchant requires consents', () => {
  it.each<{ who: string; fields: Record<string, string> }>([
    { who: 'a consumer in DE', fields: { country: 'DE' } },
    { who: 'a consumer in GB', fields: { country: 'GB' } },
    { who: 'a consumer in CH', fields: { country: 'CH' } },
    { who: 'a business in DE', fields: { country: 'DE', tax_id: 'DE123456788' } },
  ])('asks $who to accept the terms, and never to waive the right of withdrawal', async ({ fields }) => {
    for (const product of [book, tool]) {
      const { text } = await send(await newSession(product), 'quote', fields);
      expect(boxesOf(text)).toEqual(['terms']);
      expect(text).not.toMatch(/right of withdrawal/i);
    }
  });

  it('422: charges nothing while a required consent is missing', async () => {
    const id = await newSession();
    const { status, text } = await pay(id, { country: 'DE' });
    expect(status).toBe(422);
    expect(text).toContain('href="#consent-terms"');
    expect(await sessions().get(id)).toMatchObject({ status: 'open', attempts: 0 });
  });

  it.each([
    { page: 'this page', posted: terms },
    { page: 'a page of 0.2.0 that is still open', posted: of020 },
  ])('303: stores with the payment the exact text accepted on $page, with language and time', async ({ posted }) => {
    const id = await newSession();
    const shown = (await send(id, 'quote', { country: 'DE' })).text;
    expect((await pay(id, { country: 'DE', ...posted })).status).toBe(303);
    const payment = await payments().get((await sessions().get(id)).paymentId ?? '');
    expect(payment.consents?.map(({ kind, language, at }) => [kind, language, at])).toEqual([
      ['terms', 'en', payment.createdAt],
    ]);
    for (const { text } of payment.consents ?? []) expect(shown).toContain(`>${text}</label>`);
  });

  it('200: requires no consent from a program that pays through the API, and stores none', async () => {
    const id = await newSession();
    const { status } = await api.call(`POST /checkout/${id}/pay`, { key: null, body: byProgram });
    expect(status).toBe(200);
    expect((await payments().get((await sessions().get(id)).paymentId ?? '')).consents).toBeUndefined();
  });

  it('422: answers a program that a consent field has no effect, and names the field', async () => {
    const body = { ...byProgram, consents: ['withdrawal'] };
    const { status, text } = await api.call(`POST /checkout/${await newSession()}/pay`, { key: null, body });
    expect(status).toBe(422);
    expect(text).toContain('consents');
  });
});

describe('a waiver that version 0.2.0 stored with a payment', () => {
  it('is shown to the merchant with the note that the right of withdrawal stays', async () => {
    const id = await newSession();
    await pay(id, { country: 'DE', ...terms });
    const payment = await payments().get((await sessions().get(id)).paymentId ?? '');
    const waiver = { kind: 'withdrawal' as const, language: 'en', text: 'I lose my right.', at: payment.createdAt };
    await payments().save({ ...payment, consents: [waiver] });
    const { cookies } = await browse(api, await api.addKey({ access: 'read' }));
    const { text } = await api.call(`GET /dashboard/payments/${payment.id}`, { cookies, key: null });
    expect(text).toContain('“I lose my right.”');
    expect(text).toContain('the right of withdrawal stays');
  });
});
