import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../support/shop/api.ts';
import { type Browsing, browse, postForm } from '../../support/shop/dashboard.ts';
import { addProduct, sell, support } from '../../support/shop/shop.ts';
import { textFiles } from '../../texts/text-files.ts';

let api: Api;
let viewer: Browsing;
let pages: string[];

const home = '/dashboard';

beforeAll(async () => {
  api = await startApi();
  viewer = await browse(api, await api.addKey({ access: 'admin', refunds: { perDay: null } }));
  const { paymentId, productId } = await sell(api);
  await api.call('POST /refunds', { body: { payment_id: paymentId, amount: 500 } });
  const chosen = await addProduct(api, support);
  const { body: endpoint } = await api.call('POST /webhooks', { body: { url: 'https://example.com/hook' } });
  await api.call('POST /tax/registrations', { body: { country: 'DE', scheme: 'standard', active_from: '2020-01-01' } });
  const { body: brands } = await api.call('GET /brands');
  const { body: customers } = await api.call('GET /customers');
  pages = [
    home,
    `${home}?period=custom&from=2030-01-01&to=2020-01-01`,
    `${home}?period=year`,
    `${home}/products`,
    `${home}/products?archived=true`,
    `${home}/products/new`,
    `${home}/products/${productId}`,
    `${home}/products/${chosen}`,
    `${home}/payments`,
    `${home}/payments?q=nothing`,
    `${home}/payments?status=failed`,
    `${home}/payments/${paymentId}`,
    `${home}/disputes`,
    `${home}/customers`,
    `${home}/customers/${customers.items[0].customer_id}`,
    ...['exports', 'returns', 'tax', 'webhooks', 'brands', 'keys', 'members', 'audit-log', 'discounts', 'mails'].map(
      (name) => `${home}/${name}`,
    ),
    `${home}/exports/taxes.csv`,
    `${home}/webhooks/${endpoint.id}`,
    `${home}/brands/new`,
    `${home}/brands/${brands.items[0].brand_id}`,
    `${home}/brands/policies`,
    `${home}/discounts/new`,
  ];
});
afterAll(() => api.stop());

const textsIn = (locale: 'en' | 'de' | 'fr' | 'es') =>
  new Set(Object.values(textFiles[`dashboard/${locale}.json`] ?? {}).flatMap((texts) => Object.values(texts)));

/** What a person reads or hears, without names of places, what merchants and buyers wrote, codes, and what is marked as English. */
function spoken(page: string): string[] {
  const body = page
    .replace(/<(script|style|code|pre|iframe|option)\b.*?<\/\1>/gs, '')
    .replace(/<!doctype.*?<body>/s, '');
  const own = body
    .replace(/<(\w+)[^>]*\sdir="auto"[^>]*>[^<]*<\/\1>/g, '')
    .replace(/<(\w+)[^>]*\slang="\w+"[^>]*>[^<]*<\/\1>/g, '');
  const attributes = [...own.matchAll(/\s(?:aria-label|alt|title|placeholder|data-label|data-\w+)="([^"]*)"/g)];
  const texts = own.replace(/<[^>]*>/g, '\n').split('\n');
  return [...texts, ...attributes.map(([, text = '']) => text)].map((text) => text.trim()).filter(Boolean);
}

/** Words that none of the other languages has. */
const english = /\b(?:the|and|of|is|are|with|that|your|you|this|from|for|when|yet|been|it|every|which|enter|choose)\b/i;

function leftInEnglish(page: string, locale: 'de' | 'fr' | 'es'): string[] {
  const own = textsIn(locale);
  const foreign = new Set([...textsIn('en')].filter((text) => !own.has(text)));
  return spoken(page).filter((text) => foreign.has(text) || english.test(text));
}

describe.each(['de', 'fr', 'es'] as const)('a dashboard in %s', (locale) => {
  it('has no English text on any page', async () => {
    for (const path of pages) {
      const [route = '', query = ''] = path.split('?');
      const { status, text } = await api.call(`GET ${route}`, {
        query: [query, `lang=${locale}`].filter(Boolean).join('&'),
        cookies: viewer.cookies,
        key: null,
      });
      expect([path, [200, 422].includes(status)]).toEqual([path, true]);
      expect([path, text.includes(`<html lang="${locale}">`), leftInEnglish(text, locale)]).toEqual([path, true, []]);
    }
  });

  it.each([
    { path: 'products', fields: { action: 'save', currency: 'EUR', price: 'x', tax_category: 'none' } },
    {
      path: 'products',
      fields: { action: 'save', pay_what_you_want: 'on', currency: 'EUR', minimum: '9', suggested: '5' },
    },
    { path: 'brands', fields: { action: 'save', name: '', supportEmail: 'nobody', url: 'ftp://example.com' } },
    { path: 'webhooks', fields: { action: 'create', url: 'nonsense' } },
    { path: 'keys', fields: { action: 'create', name: '', access: 'read', refunds: 'limited', limit: '0' } },
    { path: 'tax', fields: { action: 'add_registration', country: 'US', scheme: 'oss', active_from: '2020' } },
    { path: 'tax', fields: { action: 'add_override', country: 'DE', name_1: '', rate_1: 'much', reason: '' } },
    { path: 'returns', fields: { action: 'create', kind: 'oss', from: '2026-02-01', to: '2026-01-01' } },
    { path: 'payment', fields: { action: 'refund', scope: 'amount', amount: '900000' } },
    { path: 'payment', fields: { action: 'preview', scope: 'items' } },
  ])('explains why the form at $path is refused, without English text', async ({ path, fields }) => {
    const payment = pages.find((one) => one.startsWith(`${home}/payments/`)) ?? '';
    const to = path === 'payment' ? payment : `${home}/${path}`;
    const posted: Record<string, string> = { ...(fields as object), token: viewer.token, form_id: randomUUID() };
    const cookies = [...viewer.cookies, `tillstack-language=${locale}`];
    const { status, text } = await postForm(api, to, posted, cookies);
    expect([200, 422]).toContain(status);
    expect(text).toMatch(/class="(?:note )?fault/);
    expect(leftInEnglish(text, locale)).toEqual([]);
  });
});
