import { describe, expect, it, vi } from 'vitest';
import { campaign } from '../../support/seeded.ts';
import { fullCampaign, runProcessorCampaign } from './campaign.ts';

vi.setConfig({ testTimeout: campaign(7_200_000, 180_000) });

describe('buyers on bad days of the processor', () => {
  it('are charged once, get their receipt or their money back, and books and ledger agree to the cent', async () => {
    const { lines, violations, missing } = await runProcessorCampaign({
      checkouts: campaign(fullCampaign, 24),
      seed: 15,
    });
    console.log(lines.join('\n'));
    expect(violations).toEqual([]);
    expect(campaign(missing, [])).toEqual([]);
  });
});
