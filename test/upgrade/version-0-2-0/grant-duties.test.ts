import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DueStore } from '../../../shared/store/events/due-store.ts';
import type { Table } from '../../../shared/store/table/table.ts';
import { dueRows } from '../../../shared/wiring/runtime.ts';
import { describeWith020, open020, type Release } from '../../support/released/version-0-2-0.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';

interface DueModule {
  dueStore: (table: Table) => Pick<DueStore, 'list'>;
}

describeWith020('The duty to issue grants, while version 0.2.0 sweeps beside this one', () => {
  let api: Api;
  let before: Release;
  beforeAll(async () => {
    api = await startApi();
    before = await open020(api);
  });
  afterAll(() => api.stop());

  it('is due for this version only, so an old sweep cannot end it', async () => {
    const flag = { name: 'Pro', integration_type: 'feature_flag', integration_config: { feature_id: 'pro' } };
    const { id } = (await api.call('POST /entitlements', { body: flag })).body;
    const product = await addProduct(api, { entitlements: [{ entitlement_id: id }] });
    const session = await createSession(api, [{ product_id: product, quantity: 1 }]);
    const payment = await pay(session, { expectedTotal: 1_999 });
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const isDuty = ({ key }: { key: { sk: string } }) => key.sk === 'GRANTS';
    const today = (await dueRows().list(later, 100)).filter(isDuty);
    expect(today.map(({ kind, id: paymentId }) => [kind, paymentId])).toEqual([['grants', payment.id]]);
    const { dueStore } = await before.load<DueModule>('shared/store/events/due-store.ts');
    const old = await dueStore(before.table).list(later, 100);
    expect(old.length).toBeGreaterThan(0);
    expect(old.filter(isDuty)).toEqual([]);
  });
});
