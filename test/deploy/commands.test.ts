import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../infra/endpoints.ts';
import { type Api, startApiThroughSdk } from '../support/shop/api.ts';
import { givenKey, waitingGrant } from '../support/shop/grants.ts';
import { loseDispute } from '../support/shop/settle.ts';
import { addProduct, createSession, fieldGuide, sell } from '../support/shop/shop.ts';
import { declareByLink } from '../support/shop/withdrawals.ts';

let api: Api;
beforeAll(async () => {
  api = await startApiThroughSdk();
});
afterAll(() => api.stop());

/** The ids in the path of a command, and the body that it sends. */
interface Prepared {
  id?: string;
  /** The second id in the path. */
  part?: string;
  body?: object;
}

const created = async (request: string, body: object): Promise<string> => {
  const answer = await api.call(request, { body });
  return (
    answer.body.id ??
    answer.body.customer_id ??
    answer.body.product_id ??
    answer.body.brand_id ??
    answer.body.discount_id
  );
};
const webhook = () => created('POST /webhooks', { url: 'https://shop.example/webhooks' });
const registration = () =>
  created('POST /tax/registrations', { country: 'GB', tax_id: 'GB220430231', active_from: '2126-01-01' });
const override = () => created('POST /tax/overrides', austin('787'));
/** What a city adds to its state's tax. */
const austin = (prefix: string) => ({
  country: 'US',
  region: 'TX',
  postal_code_prefix: prefix,
  mode: 'add',
  components: [{ name: 'Austin', rate: '0.02' }],
  effective_from: '2020-01-01',
  reason: 'Local sales tax',
});
const customer = () => created('POST /customers', { email: 'reader@example.com', name: 'A Reader' });
const discount = () => created('POST /discounts', { type: 'percentage', amount: 1_000 });
const entitlement = () => created('POST /entitlements', supporter);
const book = { name: 'Book', integration_type: 'digital_files', integration_config: { digital_file_ids: [] } };
const withFiles = () => created('POST /entitlements', book);
const supporter = { name: 'Supporter', integration_type: 'feature_flag', integration_config: { feature_id: 'pro' } };
const pool = {
  name: 'Game',
  integration_type: 'license_key',
  integration_config: { fulfillment_mode: 'manual', pool: true },
};
let imported = 0;
/** The body that imports a licence key which nobody has. */
async function keyImport() {
  imported += 1;
  return {
    customer_id: await created('POST /customers', { email: `reader${imported}@example.com`, name: 'A Reader' }),
    product_id: await addProduct(api),
    key: `OLD-${imported}`,
  };
}
const licenseKey = async () => created('POST /license_keys', await keyImport());
async function instance(): Promise<string> {
  const body = await keyImport();
  await api.call('POST /license_keys', { body });
  return created('POST /licenses/activate', { license_key: body.key, name: 'Laptop' });
}
const brand = () => created('POST /brands', { name: 'Atlas' });

async function localizedPrice(): Promise<Prepared> {
  const id = await addProduct(api, { pricing_mode: 'by_currency' });
  const { body } = await api.call(`POST /products/${id}/localized-prices`, { body: { amount: 900, currency: 'USD' } });
  return { id, part: body.id };
}

/** One of each command that keeps its answers, ready to be carried out. */
const commands: Record<string, () => Promise<Prepared>> = {
  'products/create-product': async () => ({ body: fieldGuide }),
  'products/update-product': async () => ({ id: await addProduct(api), body: { name: 'Renamed' } }),
  'products/archive-product': async () => ({ id: await addProduct(api) }),
  'products/unarchive-product': async () => ({ id: await addProduct(api) }),
  'products/add-product-file': async () => ({ id: await addProduct(api), body: { file_name: 'book.pdf' } }),
  'localized-prices/create-localized-price': async () => ({
    id: await addProduct(api, { pricing_mode: 'by_currency' }),
    body: { amount: 900, currency: 'USD' },
  }),
  'localized-prices/update-localized-price': async () => ({ ...(await localizedPrice()), body: { amount: 950 } }),
  'localized-prices/archive-localized-price': localizedPrice,
  'brands/create-brand': async () => ({ body: { name: 'Atlas' } }),
  'brands/update-brand': async () => ({ id: await brand(), body: { name: 'Globe' } }),
  'api-keys/revoke-api-key': async () => ({
    id: (await api.call('POST /api-keys', { body: { name: 'Old' } })).body.id,
  }),
  'checkout-sessions/create-checkout-session': async () => ({
    body: { product_cart: [{ product_id: await addProduct(api), quantity: 1 }] },
  }),
  'checkout-sessions/expire-checkout-session': async () => ({
    id: await createSession(api, [{ product_id: await addProduct(api), quantity: 1 }]),
  }),
  'discounts/create-discount': async () => ({ body: { type: 'percentage', amount: 1_000, code: 'NEW' } }),
  'discounts/update-discount': async () => ({ id: await discount(), body: { name: 'Renamed' } }),
  'discounts/delete-discount': async () => ({ id: await discount() }),
  'discounts/add-discount-customers': async () => ({
    id: await discount(),
    body: { emails: ['reader@example.com'] },
  }),
  'discounts/remove-discount-customer': async () => ({ id: await discount(), part: `cus_${'x'.repeat(21)}` }),
  'entitlements/create-entitlement': async () => ({ body: supporter }),
  'entitlements/update-entitlement': async () => ({ id: await entitlement(), body: { name: 'Renamed' } }),
  'entitlements/delete-entitlement': async () => ({ id: await entitlement() }),
  'entitlements/add-file': async () => ({ id: await withFiles(), body: {} }),
  'entitlements/remove-file': async () => {
    const id = await withFiles();
    return { id, part: (await api.call(`POST /entitlements/${id}/files`, { body: {} })).body.file_id };
  },
  'entitlements/import-codes': async () => ({
    id: await created('POST /entitlements', pool),
    body: { codes: ['EXAMPLE-1'] },
  }),
  'license-keys/create-license-key': async () => ({ body: await keyImport() }),
  'license-keys/update-license-key': async () => ({ id: await licenseKey(), body: { disabled: true } }),
  'license-key-instances/update-license-key-instance': async () => ({
    id: await instance(),
    body: { name: 'Desktop' },
  }),
  'entitlements/revoke-grant': async () => {
    const { entitlementId, grantId } = await waitingGrant(api);
    return { id: entitlementId, part: grantId };
  },
  'entitlements/restore-grant': async () => {
    const { entitlementId, grantId } = await waitingGrant(api);
    await api.call(`DELETE /entitlements/${entitlementId}/grants/${grantId}`);
    return { id: entitlementId, part: grantId };
  },
  'license-keys/reissue-license-key': async () => ({ id: await givenKey(api, 'GIVEN-1'), body: { key: 'GIVEN-2' } }),
  'grants/fulfill-license-key': async () => ({ id: (await waitingGrant(api)).grantId, body: { key: 'OWN-1' } }),
  'customers/create-customer': async () => ({ body: { email: 'buyer@example.com', name: 'A Buyer' } }),
  'customers/update-customer': async () => ({ id: await customer(), body: { name: 'Renamed' } }),
  'customers/create-portal-session': async () => ({ id: await customer(), body: {} }),
  'customers/request-erasure': async () => ({ id: await customer(), body: {} }),
  'refunds/create-refund': async () => ({ body: { payment_id: (await sell(api)).paymentId } }),
  'disputes/choose-ground': async () => ({
    id: await loseDispute((await sell(api)).paymentId),
    body: { ground: 'rescinded' },
  }),
  'withdrawals/decide-withdrawal': async () => ({
    id: await declareByLink(api, (await sell(api)).paymentId),
    body: { outcome: 'refund' },
  }),
  'webhooks/create-webhook': async () => ({ body: { url: 'https://shop.example/webhooks' } }),
  'webhooks/update-webhook': async () => ({ id: await webhook(), body: { description: 'Shop' } }),
  'webhooks/delete-webhook': async () => ({ id: await webhook() }),
  'webhooks/rotate-webhook-secret': async () => ({ id: await webhook(), body: {} }),
  'webhooks/update-webhook-headers': async () => ({ id: await webhook(), body: { headers: { 'x-shop': 'one' } } }),
  'webhooks/test-webhook': async () => ({ id: await webhook(), body: { type: 'payment.failed' } }),
  'webhooks/recover-webhook': async () => ({ id: await webhook(), body: { since: '2026-01-01T00:00:00.000Z' } }),
  'events/resend-event': async () => ({ id: await event(), body: {} }),
  'tax/create-tax-registration': async () => ({ body: { country: 'CH', active_from: '2026-01-01' } }),
  'tax/update-tax-registration': async () => ({ id: await registration(), body: { expires_at: '2127-01-01' } }),
  'tax/delete-tax-registration': async () => ({ id: await registration() }),
  'tax/create-tax-override': async () => ({ body: austin('786') }),
  'tax/delete-tax-override': async () => ({ id: await override() }),
};

async function event(): Promise<string> {
  await webhook();
  await sell(api);
  return (await api.call('GET /webhook-events')).body.items[0].event_id;
}

/** Creating a key has its own tests, because a repeated request does not get the key. */
const keeping = endpoints.filter(
  ({ access, table, function: name }) =>
    access !== 'public' && table.put?.includes('IDEM') && name !== 'api-keys/create-api-key',
);

describe('a command that may store its answer for a repeated Idempotency-Key', () => {
  it('is on the list of this test', () => {
    expect(Object.keys(commands).sort()).toEqual(keeping.map((endpoint) => endpoint.function).sort());
  });

  it.each(keeping)('stores its answer and repeats it: $method $paths.0', async ({ method, paths, function: name }) => {
    const { id = '', part = '', body } = await commands[name]!();
    const request = `${method} ${paths[0].replace(/\{\w+\}/, id).replace(/\{\w+\}/, part)}`;
    const call = { headers: { 'idempotency-key': `key of ${name}` }, ...(body && { body }) };
    const first = await api.call(request, call);
    const second = await api.call(request, call);
    expect([first.status, first.text]).toEqual([200, second.text]);
    expect(second.headers['idempotent-replayed']).toBe('true');
  });
});
