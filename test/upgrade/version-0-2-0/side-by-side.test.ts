import { afterAll, beforeAll, expect, it } from 'vitest';
import { payments } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { isInHistory } from '../../support/released/bundle-release.ts';
import { version020 } from '../../support/released/releases.ts';
import { describeWith020, open020, type Release } from '../../support/released/version-0-2-0.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { addProduct } from '../../support/shop/shop.ts';

describeWith020('Version 0.2.0 together with this one on one table', () => {
  let api: Api;
  let before: Release;
  beforeAll(async () => {
    api = await startApi();
    before = await open020(api);
  });
  afterAll(async () => {
    clock.run();
    await api.stop();
  });

  const buyer = { customer: { email: 'buyer@example.com', name: 'A Buyer' }, test_card: '4242' };

  it.each([
    { sells: 'this version', pays: 'version 0.2.0' },
    { sells: 'version 0.2.0', pays: 'this version' },
  ] as const)('works: $sells opens a checkout, $pays takes its payment, and both show it', async ({ sells, pays }) => {
    const versions = { 'this version': api, 'version 0.2.0': before };
    const cart = [{ product_id: await addProduct(api), quantity: 1 }];
    const { body: session } = await versions[sells].call('POST /checkouts', { body: { product_cart: cart } });
    const body = { ...buyer, billing_address: { country: 'DE' } };
    const paid = await versions[pays].call(`POST /checkout/${session.session_id}/pay`, { key: null, body });
    expect(paid).toMatchObject({ status: 200 });
    for (const { call } of [api, before]) {
      const { body: payment } = await call(`GET /payments/${paid.body.payment_id}`);
      expect(payment).toMatchObject({ total_amount: 1_999, status: 'succeeded' });
    }
  });

  it('reads payments with consents for early supply, but refuses consents of an unknown kind', async () => {
    const { body: session } = await api.call('POST /checkouts', {
      body: { product_cart: [{ product_id: await addProduct(api, { supply: 'service' }), quantity: 1 }] },
    });
    const body = { ...buyer, billing_address: { country: 'DE' } };
    const paid = await api.call(`POST /checkout/${session.session_id}/pay`, { key: null, body });
    const stored = await payments().get(paid.body.payment_id);
    const request = { language: 'en', text: 'I request …', lines: [0], at: stored.createdAt };
    const { Payment } = await before.load<typeof import('../../../shared/domain/payments/payment.ts')>(
      'shared/domain/payments/payment.ts',
    );
    expect(stored.lines[0]?.supply).toBe('service');
    const supplyConsents = [{ ...request, kind: 'early_start' }];
    expect(Payment.parse({ ...stored, supplyConsents })).toMatchObject({ id: stored.id, status: 'succeeded' });
    expect(Payment.safeParse({ ...stored, consents: supplyConsents }).success).toBe(false);
  });

  it('uses the clock and the log of this version', async () => {
    clock.stopAt('2026-08-01T12:00:00.000Z');
    const { now } = await before.load<typeof import('../../../shared/wiring/runtime.ts')>('shared/runtime.ts');
    expect(now().toISOString()).toBe('2026-08-01T12:00:00.000Z');
    const { logInfo } = await before.load<typeof import('../../../shared/log.ts')>('shared/log.ts');
    logInfo('a line of 0.2.0', {});
    expect(api.log.at(-1)).toContain('a line of 0.2.0');
  });

  it('has separate shared objects each time that it is loaded', async () => {
    const again = await open020(api);
    expect(again.table).not.toBe(before.table);
    expect(again.table.name).toBe(api.tableName);
  });

  it('is searched in the git history, which may be too short to contain it', () => {
    expect(isInHistory(version020)).toBe(true);
    expect(isInHistory('0'.repeat(40))).toBe(false);
  });

  it('causes an error that names a missing module', async () => {
    await expect(before.load('shared/bus/document-queue.ts')).rejects.toThrow('Version 0.2.0 has no shared/bus/');
  });
});
