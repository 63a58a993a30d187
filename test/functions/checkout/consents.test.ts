import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payments, sessions } from '../../../shared/runtime.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
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
const both = { ...terms, 'consent.withdrawal': 'yes' };

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

describe('where the merchant asks for consents', () => {
  it.each<{ who: string; fields: Record<string, string>; asked: string[] }>([
    { who: 'a consumer in DE', fields: { country: 'DE' }, asked: ['terms', 'withdrawal'] },
    { who: 'a consumer in NO', fields: { country: 'NO' }, asked: ['terms', 'withdrawal'] },
    { who: 'a consumer in GB', fields: { country: 'GB' }, asked: ['terms', 'withdrawal'] },
    { who: 'a consumer in CH', fields: { country: 'CH' }, asked: ['terms'] },
    { who: 'a business in DE', fields: { country: 'DE', tax_id: 'DE123456788' }, asked: ['terms'] },
  ])('$who is asked for $asked', async ({ fields, asked }) => {
    const { text } = await send(await newSession(), 'quote', fields);
    expect(boxesOf(text)).toEqual(asked);
  });

  it('a service has no digital content: only the terms are asked for', async () => {
    expect(boxesOf((await send(await newSession(tool), 'quote', { country: 'DE' })).text)).toEqual(['terms']);
  });

  it.each([
    { given: {}, missing: ['terms', 'withdrawal'] },
    { given: terms, missing: ['withdrawal'] },
  ])('422: charges nothing while $missing are missing, whatever the browser sends', async ({ given, missing }) => {
    const id = await newSession();
    const { status, text } = await pay(id, { country: 'DE', ...given });
    expect(status).toBe(422);
    for (const kind of missing) expect(text).toContain(`href="#consent-${kind}"`);
    expect(await sessions().get(id)).toMatchObject({ status: 'open', attempts: 0 });
  });

  it('303: keeps with the payment what was agreed to, in the words of the page, with language and time', async () => {
    const id = await newSession();
    const shown = (await send(id, 'quote', { country: 'DE' })).text;
    expect((await pay(id, { country: 'DE', ...both })).status).toBe(303);
    const payment = await payments().get((await sessions().get(id)).paymentId ?? '');
    expect(payment.consents?.map(({ kind, language, at }) => [kind, language, at])).toEqual([
      ['terms', 'en', payment.createdAt],
      ['withdrawal', 'en', payment.createdAt],
    ]);
    for (const { text } of payment.consents ?? []) expect(shown).toContain(`>${text}</label>`);
  });

  it('200: a program that pays is asked for nothing, and nothing is kept', async () => {
    const id = await newSession();
    const body = {
      customer: { email: 'ada@example.com', name: 'Ada' },
      billing_address: { country: 'DE' },
      test_card: '4242',
    };
    const { status } = await api.call(`POST /checkout/${id}/pay`, { key: null, body });
    expect(status).toBe(200);
    expect((await payments().get((await sessions().get(id)).paymentId ?? '')).consents).toBeUndefined();
  });
});
