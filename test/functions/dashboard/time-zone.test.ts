import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clock } from '../../support/clock.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { browse } from '../../support/shop/dashboard.ts';
import { sell } from '../../support/shop/shop.ts';
import { declareByForm } from '../../support/shop/withdrawals.ts';

let api: Api;
let cookies: string[];
let paymentId: string;
beforeAll(async () => {
  // 02:30 UTC on 10 March is still 9 March in New York, where summer time has begun
  clock.stopAt('2026-03-10T02:30:00.000Z');
  api = await startApi({ ...testMerchant, timeZone: 'America/New_York' });
  ({ paymentId } = await sell(api));
  ({ cookies } = await browse(api, await api.addKey({ access: 'read' })));
});
afterAll(async () => {
  clock.run();
  await api.stop();
});

const payments = async (query: Record<string, string>) =>
  (await api.call('GET /dashboard/payments', { cookies, key: null, query: new URLSearchParams(query).toString() }))
    .text;

describe('the dashboard of a merchant with a time zone', () => {
  it('shows times in that zone, with its distance from UTC', async () => {
    expect(await payments({})).toContain('9\u00A0Mar\u00A02026, 22:30\u00A0GMT-4');
  });

  it('takes the days of a filter in that zone', async () => {
    const isFound = async (day: string) => (await payments({ from: day, to: day })).includes(paymentId);
    expect([await isFound('2026-03-09'), await isFound('2026-03-10')]).toEqual([true, false]);
  });

  it('adds the local time to files of payments, and leaves their other columns in UTC', async () => {
    const [head = '', row = ''] = (await payments({ format: 'csv' })).split('\r\n');
    expect(head.split(',').at(-1)).toBe('created_at_local');
    expect([row.split(',').at(-1), row.split(',')[1]]).toEqual(['2026-03-09 22:30:00', '2026-03-10T02:30:00.000Z']);
  });

  it('adds the local time of each instant to the other files too, after their columns', async () => {
    await declareByForm(api);
    const headOf = async (path: string, query: string) => {
      const { text } = await api.call(`GET /dashboard/${path}`, { cookies, key: null, query });
      return (text.split('\r\n')[0] ?? '').split(',').filter((name) => name.endsWith('_local'));
    };
    const days = 'from=2026-03-01&to=2026-03-31';
    expect(await headOf('exports/audit-log.csv', days)).toEqual(['at_local']);
    const withdrawals = ['declared_at_local', 'due_at_local', 'acknowledged_at_local', 'decided_at_local'];
    expect(await headOf('withdrawals', 'format=csv')).toEqual(withdrawals);
    expect(await headOf('exports/taxes.csv', days)).toEqual([]);
  });

  it('keeps the calendar of the place of taxation on documents', async () => {
    expect((await api.call(`GET /payments/${paymentId}/calculation`)).body.tax_date).toBe('2026-03-10');
  });
});
