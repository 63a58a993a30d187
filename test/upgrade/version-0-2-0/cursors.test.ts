import { afterAll, beforeAll, expect, it } from 'vitest';
import { stackSecret } from '../../../shared/wiring/runtime.ts';
import { describeWith020, open020, type Release } from '../../support/released/version-0-2-0.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { sell } from '../../support/shop/shop.ts';

describeWith020('A cursor of a list while version 0.2.0 runs beside this one', () => {
  let api: Api;
  let before: Release;
  beforeAll(async () => {
    api = await startApi();
    before = await open020(api);
    await stackSecret();
    for (let sale = 0; sale < 3; sale += 1) await sell(api);
  });
  afterAll(() => api.stop());

  type Version = Pick<Api, 'call'>;
  const listed = async ({ call }: Version, path: string, cursor: string, filter = '') =>
    (await call(`GET ${path}`, { query: `page_size=1&cursor=${cursor}${filter}` })).body;
  /** What a walk finds whose requests reach the versions in turn. */
  async function walk(path: string, versions: readonly Version[], filter = ''): Promise<object[]> {
    const found: object[] = [];
    let cursor: string | null = 'start';
    for (let turn = 0; cursor !== null; turn += 1) {
      const page = await listed(versions[turn % versions.length] as Version, path, cursor, filter);
      found.push(...page.items);
      cursor = page.next_cursor;
    }
    return found;
  }

  it.each(['/payments', '/products', '/customers', '/audit-log', '/webhook-events'])(
    'of GET %s can be continued in both versions',
    async (path) => {
      const whole = (await api.call(`GET ${path}`, { query: 'page_size=100' })).body.items;
      expect((await walk(path, [api, before])).length).toBe(whole.length);
      expect((await walk(path, [before, api])).length).toBe(whole.length);
      expect((await walk(path, [api])).length).toBe(whole.length);
    },
  );

  it('keeps its filters in both versions', async () => {
    const filter = '&currency=EUR&status=succeeded';
    expect(await walk('/payments', [api, before], filter)).toHaveLength(3);
    expect(await walk('/payments', [before, api], filter)).toHaveLength(3);
  });

  it('is signed by the stack, and 0.2.0 can read it', async () => {
    const { next_cursor: signed } = await listed(api, '/payments', 'start');
    expect(signed).toMatch(/=/);
    const { items } = await listed(api, '/payments', signed);
    // 0.2.0 shows no session in a list
    const known = items.map(({ checkout_session_id: _, ...item }: Record<string, unknown>) => item);
    expect((await listed(before, '/payments', signed)).items).toEqual(known);
  });
});
