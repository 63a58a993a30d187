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

/** Sells a product that gives an entitlement, and waits until its grant is issued. */
async function granted(entitlementId: string): Promise<EntitlementGrant> {
  const product = await client.products.create({
    name: 'Star Atlas',
    description: 'An example product.',
    price: { type: 'one_time_price', currency: 'EUR', price: 1_190, discount: 0, purchasing_power_parity: false },
    tax_category: 'saas',
    entitlements: [{ entitlement_id: entitlementId }],
  });
  expect(product.entitlements.map(({ id }) => id)).toEqual([entitlementId]);
  const session = await client.checkoutSessions.create({
    product_cart: [{ product_id: product.product_id, quantity: 1 }],
  });
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

it('the client lists the grants of an entitlement and of a customer, with each one’s spelling of the state, and revokes', async () => {
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
