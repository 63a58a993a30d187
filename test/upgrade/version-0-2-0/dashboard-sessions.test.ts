import { afterAll, beforeAll, expect, it } from 'vitest';
import { clock } from '../../support/clock.ts';
import { describeWith020, open020, type Release } from '../../support/released/version-0-2-0.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { type Browsing, browse, postForm } from '../../support/shop/dashboard.ts';

describeWith020('A session of the dashboard during a deployment', () => {
  let api: Api;
  let before: Release;
  let key: string;
  beforeAll(async () => {
    api = await startApi();
    before = await open020(api);
    key = await api.addKey({ access: 'admin' });
    clock.stopAt('2026-03-01T08:00:00.000Z');
  });
  afterAll(async () => {
    clock.run();
    await api.stop();
  });

  const signIn = (version: Pick<Api, 'call'>): Promise<Browsing> => browse(version as Api, key);
  const opens = async (version: Pick<Api, 'call'>, { cookies }: Browsing): Promise<number> =>
    (await version.call('GET /dashboard/keys', { cookies, key: null })).status;
  const product = { name: 'Atlas', description: 'Maps.', tax_category: 'e_book', currency: 'EUR', price: '19.99' };
  const save = async (version: Pick<Api, 'call'>, { cookies, token }: Browsing, form_id: string): Promise<number> => {
    const fields = { ...product, action: 'save', token, form_id };
    return (await postForm(version, '/dashboard/products', fields, cookies)).status;
  };

  it('works in both versions, but a session that starts 7 hours later works only in the new version', async () => {
    const old = await signIn(before);
    const own = await signIn(api);
    for (const [index, browsing] of [old, own].entries())
      for (const [name, version] of Object.entries({ today: api, before })) {
        expect([name, await opens(version, browsing)]).toEqual([name, 200]);
        expect([name, await save(version, browsing, `${name} ${index}`)]).toEqual([name, 303]);
      }
    clock.forward({ hours: 7 });
    expect(await opens(api, old)).toBe(200);
    const later = await signIn(api);
    expect([await opens(api, later), await opens(before, later)]).toEqual([200, 303]);
  });
});
