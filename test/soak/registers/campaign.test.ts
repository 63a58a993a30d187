import { expect, it, vi } from 'vitest';
import { campaign } from '../../support/seeded.ts';
import { runRegisterCampaign } from './campaign.ts';

vi.setConfig({ testTimeout: campaign(7_200_000, 120_000) });

it('a tax id register delays no checkout by more than two seconds, and payments end with its final answer', async () => {
  const { lines, violations } = await runRegisterCampaign({ checkouts: campaign(2_000, 40), seed: 16 });
  console.log(lines.join('\n'));
  expect(violations).toEqual([]);
});
