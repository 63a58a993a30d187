import { describe, expect, it, vi } from 'vitest';
import { campaign } from '../../support/seeded.ts';
import { behaviours, rareMoments } from './behaviours.ts';
import { fullCampaign, runProcessorCampaign } from './campaign.ts';

vi.setConfig({ testTimeout: campaign(7_200_000, 180_000) });

const waysToBuy = Object.keys(behaviours).length + rareMoments.length;

describe('buyers on days when the processor has faults', () => {
  it('are charged once, get their receipt or their money back, and our books match the processor’s', async () => {
    const { lines, violations, missing, unmet } = await runProcessorCampaign({
      checkouts: campaign(fullCampaign, 40, waysToBuy),
      most: campaign(fullCampaign, 150),
      seed: 15,
    });
    console.log(lines.join('\n'));
    expect(violations).toEqual([]);
    expect([...unmet, ...campaign(missing, [])]).toEqual([]);
  });
});
