import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { localKey } from '../../../infra/local/local-key.ts';
import { createWebhookEndpoint } from '../../../infra/local/stripe/setup.ts';
import { env } from '../../../shared/env.ts';
import { notificationTypes } from '../../../shared/outside/processor/stripe/account/notification-types.ts';
import { accountLacks } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { browse } from '../../support/shop/dashboard.ts';
import { type StripeShop, startStripeShop } from '../../support/shop/stripe-shop.ts';

let shop: StripeShop;
beforeAll(async () => {
  shop = await startStripeShop();
});
afterAll(() => shop.stop());
afterEach(() => {
  shop.fake.account.rights = undefined;
  shop.fake.account.endpoints.clear();
  shop.fake.fate = () => 'answered';
  clock.run();
});

/** The rights of a key that was created with version 0.2.0, and one to see endpoints. */
const rightsOf020 = [
  'POST checkout/sessions',
  'GET checkout/sessions',
  'GET checkout/sessions/{id}',
  'POST checkout/sessions/{id}/expire',
  'POST refunds',
  'GET refunds',
  'GET payment_intents',
  'GET disputes',
  'GET balance_transactions',
  'GET webhook_endpoints',
];
const eventsOf020 = notificationTypes.filter((type) => !/^(radar|payout)\./.test(type));

function hearing(events: readonly string[], path = '/processor/stripe'): void {
  const enabled = Object.fromEntries(events.map((type, index) => [String(index), type]));
  createWebhookEndpoint(shop.fake.account, { url: `${env.publicUrl()}${path}`, enabled_events: enabled });
}

/** Compares the account as each day does, and returns what the log says. */
async function compare(): Promise<Record<string, unknown>[]> {
  const from = shop.api.log.length;
  await invokeFunction('processor/reconcile-account', {});
  return shop.api.log.slice(from).map((line) => JSON.parse(line));
}

async function overview(): Promise<string> {
  const { cookies } = await browse(shop.api, localKey);
  return (await shop.api.call('GET /dashboard', { cookies, key: null })).text;
}

describe('the overview of the dashboard', () => {
  it('names the rights and events that a key and an endpoint of 0.2.0 lack, and rings no alarm', async () => {
    shop.fake.account.rights = new Set(rightsOf020);
    hearing(eventsOf020);
    const lines = await compare();
    expect(lines.filter((line) => line['alert'] !== undefined || line['level'] === 'error')).toEqual([]);
    const page = await overview();
    expect(page).toContain(
      'the key lacks these rights: <code>Balance: read</code>, <code>Payouts: read</code>, <code>Early Fraud Warnings: read</code>.',
    );
    for (const type of notificationTypes)
      expect([type, page.includes(`<code>${type}</code>`)]).toEqual([type, /^(radar|payout)\./.test(type)]);
    expect(page).toContain('npm run processor -- check');
    const calls = shop.fake.calls.length;
    await overview();
    expect(shop.fake.calls).toHaveLength(calls);
  });

  it('lets a key and an endpoint of 0.2.0 sell and refund', async () => {
    shop.fake.account.rights = new Set(rightsOf020);
    const { id, reference } = await shop.begin();
    shop.payAt(String(reference));
    const paid = shop.fake.notifications.events.findLast(({ type }) => type === 'checkout.session.completed');
    expect((await shop.notify(JSON.stringify(paid))).status).toBe(200);
    const { status } = (await shop.api.call('POST /refunds', { body: { payment_id: id } })).body;
    expect(status).toBe('succeeded');
  });

  it('names nothing once the rights and events are there, and nothing of other stacks in the account', async () => {
    shop.fake.account.rights = new Set(rightsOf020);
    hearing(eventsOf020);
    await compare();
    shop.fake.account.rights = undefined;
    shop.fake.account.endpoints.clear();
    hearing(notificationTypes);
    hearing(['charge.updated'], '/another/stack');
    await compare();
    expect(await overview()).not.toContain('Your account at Stripe');
  });

  it('keeps what it knows while Stripe does not answer, and the comparison rings no alarm for that', async () => {
    shop.fake.account.rights = new Set(rightsOf020);
    await compare();
    const known = await accountLacks().find();
    shop.fake.fate = ({ path }) => (path === 'webhook_endpoints' ? 'broken' : 'answered');
    const lines = await compare();
    expect(await accountLacks().find()).toEqual(known);
    expect(lines.map(({ message }) => message)).toContain('the rights and events of the account are not known');
    expect(lines.filter((line) => line['alert'] !== undefined || line['level'] === 'error')).toEqual([]);
  });
});
