import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { campaign, seeded, times } from '../../support/seeded.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { RandomWalk } from './walk.ts';

vi.setConfig({ testTimeout: campaign(7_200_000, 90_000) });

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const first = Number(process.env['SEED'] ?? 20_261_124);

it.each(times(campaign(200, 5, 2)).map((index) => first + index))(
  'Open checkouts keep their prices while products, prices by country and codes change (seed %i)',
  async (seed) => {
    const walk = new RandomWalk(api, seeded(seed));
    const broken = await walk.run(campaign(1_000, 400)).then(() => undefined, String);
    expect(broken, walk.steps.slice(-60).join('\n')).toBeUndefined();
  },
);
