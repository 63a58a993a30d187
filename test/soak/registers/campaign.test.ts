import { expect, it, vi } from 'vitest';
import { campaign } from '../../support/seeded.ts';
import { runRegisterCampaign } from './campaign.ts';

vi.setConfig({ testTimeout: campaign(7_200_000, 120_000) });

it('no register holds a checkout longer than two seconds, and every payment ends as its register says at last', async () => {
  const { lines, violations } = await runRegisterCampaign({ checkouts: campaign(2_000, 40), seed: 16 });
  console.log(lines.join('\n'));
  expect(violations).toEqual([]);
});
