import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../support/shop/api.ts';
import { type Browsing, browse, postForm } from '../../support/shop/dashboard.ts';
import { addProduct, support } from '../../support/shop/shop.ts';

let api: Api;
let viewer: Browsing;
let ids: { registration: string; product: string };

beforeAll(async () => {
  api = await startApi();
  viewer = await browse(api, await api.addKey({ access: 'admin', refunds: { perDay: null } }));
  const at = { country: 'DE', scheme: 'standard', active_from: '2020-01-01' };
  const { body: registration } = await api.call('POST /tax/registrations', { body: at });
  const product = await addProduct(api, support);
  await api.call(`PATCH /products/${product}` as 'PATCH /products/{id}', { body: { pricing_mode: 'by_currency' } });
  ids = { registration: registration.id, product };
});
afterAll(() => api.stop());

/** The ids that the summary of the faults leads to, in its order. */
function linksIn(page: string): string[] {
  const [summary = ''] = /<div class="note fault-note".*?<\/div>/s.exec(page) ?? [];
  return [...summary.matchAll(/href="#([^"]*)"/g)].map(([, id = '']) => id);
}

const elementsWith = (page: string, id: string): string[] =>
  [...page.matchAll(/<[^>]*\sid="([^"]*)"[^>]*>/g)].filter(([, found]) => found === id).map(([tag]) => tag);

const twoTaxes = { name_1: 'State', rate_1: '4', name_2: 'City' };
const override = { mode: 'replace', taxability: 'taxable', country: 'DE', effective_from: '2026-01-01', reason: 'Why' };

describe('an error link of a refused form leads to the field with the error', () => {
  it.each([
    { path: 'products', fields: { action: 'save', tax_category: 'none', quantity_least: '9', quantity_most: '2' } },
    { path: 'products', fields: { action: 'save', name: 'A', currency: 'EUR', pay_what_you_want: 'on', minimum: 'x' } },
    { path: 'brands', fields: { action: 'save', name: '', supportEmail: 'nobody', url: 'ftp://example.com' } },
    { path: 'brands/policies', fields: { action: 'save_policies', terms: 'x'.repeat(20_001) } },
    { path: 'webhooks', fields: { action: 'create', url: 'nonsense', type: 'nothing.happened' } },
    {
      path: 'keys',
      fields: { action: 'create', name: '', access: 'x', refunds: 'limited', limit: '0', currency: 'X' },
    },
    { path: 'discounts', fields: { action: 'save', type: 'x', code: '', percent: 'x', customer_eligibility: 'x' } },
    {
      path: 'discounts',
      fields: { action: 'save', type: 'percentage', percent: '5', products: 'nothing', usage_limit: 'x' },
    },
    {
      path: 'tax',
      fields: { action: 'add_registration', country: 'US', scheme: 'x', active_from: '2020', expires_at: 'never' },
    },
    { path: 'tax', fields: { action: 'add_registration', ...override, scheme: 'standard', active_from: '2020' } },
    {
      path: 'tax',
      fields: {
        action: 'add_override',
        ...override,
        region: 'x'.repeat(61),
        rate_1: 'much',
        name_2: 'City',
        rate_2: '',
      },
    },
    { path: 'tax', fields: { action: 'add_override', ...override, mode: 'x', taxability: 'x', category: 'x' } },
    { path: 'tax', fields: { action: 'add_override', ...override, rate_2: 'much', effective_to: '2025-01-01' } },
  ])('in the form at $path with $fields', async ({ path, fields }) => {
    const posted: Record<string, string> = { ...(fields as object), token: viewer.token, form_id: randomUUID() };
    const { status, text } = await postForm(api, `/dashboard/${path}`, posted, viewer.cookies);
    expect(status).toBe(422);
    const links = linksIn(text);
    expect(links, 'it has a fault with a link').not.toEqual([]);
    expect(links.filter((id) => elementsWith(text, id).length !== 1)).toEqual([]);
  });

  it.each([
    { fields: { action: 'add_override', ...override, region: 'x'.repeat(61) }, id: 'override-region' },
    { fields: { action: 'add_override', ...override, ...twoTaxes, rate_2: 'much' }, id: 'override-rate_2' },
    { fields: { action: 'add_override', ...override, name_2: 'City', rate_2: 'much' }, id: 'override-rate_1' },
    {
      fields: { action: 'add_registration', ...override, scheme: 'standard', active_from: '2020' },
      id: 'registration-active_from',
    },
    { fields: { action: 'change_registration', active_from: '2020', scheme: 'standard' }, id: 'active_from-' },
  ])('in the form of taxes with $fields, at $id', async ({ fields, id }) => {
    const { registration } = ids;
    const changed: Record<string, string> = id.endsWith('-') ? { id: registration } : {};
    const keys = { token: viewer.token, form_id: randomUUID(), ...changed };
    const { text } = await postForm(api, '/dashboard/tax', { ...(fields as object), ...keys }, viewer.cookies);
    const led = id.endsWith('-') ? id + registration : id;
    expect(linksIn(text)).toEqual([led]);
    expect(elementsWith(text, led)).toHaveLength(1);
    expect(text).toContain(`id="${led}-fault">`);
    expect(text).not.toContain(`id="${led}-fault"></p>`);
  });

  it('in the form of a price for a market', async () => {
    const fields = { action: 'add_price', currency: 'EUR', country: '', amount: 'x', tax: '' };
    const keys = { token: viewer.token, form_id: randomUUID() };
    const { text } = await postForm(api, `/dashboard/products/${ids.product}`, { ...fields, ...keys }, viewer.cookies);
    const links = linksIn(text);
    expect(links).not.toEqual([]);
    expect(links.filter((id) => elementsWith(text, id).length !== 1)).toEqual([]);
  });
});
