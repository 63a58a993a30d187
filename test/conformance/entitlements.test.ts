import DodoPayments from 'dodopayments';
import type { EntitlementGrant } from 'dodopayments/resources/entitlements/grants';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { localKey, seedLocalKey } from '../../infra/local/local-key.ts';
import { type Sandbox, startSandbox } from '../../infra/local/sandbox.ts';
import { pay } from '../support/shop/shop.ts';

let sandbox: Sandbox;
let client: DodoPayments;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, quiet: true, sweepSeconds: 0.25 });
  await seedLocalKey(sandbox.table);
  client = new DodoPayments({ baseURL: sandbox.url, bearerToken: localKey, maxRetries: 0 });
});
afterAll(() => sandbox.stop());

const atlas = {
  name: 'Star Atlas',
  description: 'An example product.',
  price: { type: 'one_time_price', currency: 'EUR', price: 1_190, discount: 0, purchasing_power_parity: false },
  tax_category: 'saas',
} as const;

/** Sells a product, and waits until the grants of an entitlement are issued. */
async function sold(product_id: string, entitlementId: string): Promise<EntitlementGrant> {
  const session = await client.checkoutSessions.create({ product_cart: [{ product_id, quantity: 1 }] });
  await pay(session.session_id, { expectedTotal: 1_416 }); // 11.90 and 19 %: 2.26
  return vi.waitFor(
    async () => {
      const [grant] = (await client.entitlements.grants.list(entitlementId)).items;
      if (!grant) throw new Error('There is no grant yet.');
      return grant;
    },
    { timeout: 10_000, interval: 100 },
  );
}

/** Sells a product that gives an entitlement. */
async function granted(entitlementId: string): Promise<EntitlementGrant> {
  const product = await client.products.create({ ...atlas, entitlements: [{ entitlement_id: entitlementId }] });
  expect(product.entitlements.map(({ id }) => id)).toEqual([entitlementId]);
  return sold(product.product_id, entitlementId);
}

it('the client creates, reads, lists, changes and deletes entitlements', async () => {
  const made = await client.entitlements.create({
    name: 'Updates',
    integration_type: 'feature_flag',
    integration_config: { feature_id: 'updates', feature_type: 'boolean' },
  });
  expect(await client.entitlements.retrieve(made.id)).toEqual(made);
  expect((await client.entitlements.update(made.id, { name: 'All updates' })).name).toBe('All updates');
  const ids: string[] = [];
  for await (const { id } of client.entitlements.list({ integration_type: 'feature_flag' })) ids.push(id);
  expect(ids).toContain(made.id);
  await client.entitlements.delete(made.id);
  await expect(client.entitlements.retrieve(made.id)).rejects.toThrow(DodoPayments.NotFoundError);
});

it('the client lists the grants of an entitlement and of a customer, and revokes a grant', async () => {
  const { id } = await client.entitlements.create({
    name: 'Desktop licence',
    integration_type: 'license_key',
    integration_config: { activations_limit: 2 },
  });
  const grant = await granted(id);
  expect(grant).toMatchObject({ status: 'Delivered', license_key: { status: 'active', activations_limit: 2 } });
  const customer = await client.customers.listEntitlements(grant.customer_id);
  expect(customer.items.find(({ grant_id }) => grant_id === grant.id)).toMatchObject({ status: 'delivered' });
  const listed: string[] = [];
  for await (const one of client.customers.listEntitlementGrants(grant.customer_id)) listed.push(one.id);
  expect(listed).toContain(grant.id);
  expect(await client.entitlements.grants.revoke(grant.id, { id })).toMatchObject({ status: 'Revoked' });
});

it('the client delivers a licence key by hand', async () => {
  const { id } = await client.entitlements.create({
    name: 'Desktop licence',
    integration_type: 'license_key',
    integration_config: { fulfillment_mode: 'manual' },
  });
  const grant = await granted(id);
  expect(grant).toMatchObject({ status: 'Pending', license_key: null });
  const fulfilled = await client.entitlements.grants.fulfillLicenseKey(grant.id, { key: 'EXAMPLE-KEY-1' });
  expect(fulfilled).toMatchObject({ status: 'Delivered', license_key: { key: 'EXAMPLE-KEY-1' } });
});

/** The only entitlement that the older fields of a product make. */
async function ownEntitlement(productId: string): Promise<string> {
  const { entitlements } = await client.products.retrieve(productId);
  expect(entitlements).toHaveLength(1);
  return entitlements[0]?.id ?? '';
}

it('the client sells a licence key by the older product fields, and a buyer activates and validates the key', async () => {
  const { product_id } = await client.products.create({
    ...atlas,
    license_key_enabled: true,
    license_key_activations_limit: 1,
    license_key_activation_message: 'Open the settings and paste the key.',
    license_key_duration: { count: 1, interval: 'Year' },
  });
  expect(await client.products.retrieve(product_id)).toMatchObject({
    license_key_enabled: true,
    license_key_activations_limit: 1,
    license_key_activation_message: 'Open the settings and paste the key.',
    license_key_duration: { count: 1, interval: 'Year' },
  });
  const { license_key } = await sold(product_id, await ownEntitlement(product_id));
  const [listed] = (await client.licenseKeys.list({ product_id })).items;
  expect(listed).toMatchObject({ key: license_key?.key, product_id, activations_limit: 1, status: 'active' });
  const year = Date.parse(listed?.expires_at ?? '') - Date.parse(listed?.created_at ?? '');
  expect([365, 366]).toContain(Math.round(year / 86_400_000));
  const key = { license_key: listed?.key ?? '' };
  const { id } = await client.licenses.activate({ ...key, name: 'Laptop' });
  await expect(client.licenses.activate({ ...key, name: 'Desktop' })).rejects.toThrow(DodoPayments.APIError);
  const place = { ...key, license_key_instance_id: id };
  expect(await client.licenses.validate(place)).toEqual({ valid: true });
  await client.licenses.deactivate(place);
  expect(await client.licenses.validate(place)).toEqual({ valid: false });
});

it('the client sells files by the older product fields, and a buyer downloads them', async () => {
  const { product_id } = await client.products.create(atlas);
  const names = ['atlas.pdf', 'charts.pdf', 'draft.pdf'];
  const files: string[] = [];
  for (const file_name of names) {
    const { file_id, url } = await client.products.updateFiles(product_id, { file_name });
    expect((await fetch(url, { method: 'PUT', body: `The bytes of ${file_name}.` })).status).toBe(200);
    files.push(file_id);
  }
  const [first = '', second = ''] = files;
  const instructions = 'Unpack both.';
  await client.products.update(product_id, { digital_product_delivery: { instructions, files: [second, first] } });
  const entitlementId = await ownEntitlement(product_id);
  const { payment_id } = await sold(product_id, entitlementId);
  await client.payments.retrieve(payment_id ?? ''); // the link of an order makes the stack's secret
  const [grant] = (await client.entitlements.grants.list(entitlementId)).items;
  const delivery = grant?.digital_product_delivery;
  expect(delivery).toMatchObject({ instructions, external_url: null });
  expect(delivery?.files.map(({ file_id, filename }) => [file_id, filename])).toEqual([
    [second, 'charts.pdf'],
    [first, 'atlas.pdf'],
  ]);
  // the address opens a page with a button, which leads to the bytes
  const [{ download_url = '' } = {}] = delivery?.files ?? [];
  const page = await (await fetch(download_url)).text();
  const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(page) ?? [];
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(page) ?? [];
  const pressed = await fetch(new URL(action, download_url), { method: 'POST', body: new URLSearchParams({ token }) });
  expect(await pressed.text()).toBe('The bytes of charts.pdf.');
});
