import { describe, expect, it, vi } from 'vitest';
import { campaign } from '../support/seeded.ts';
import { soak } from './soak.ts';

vi.setConfig({ testTimeout: campaign(7_200_000, 90_000) });

describe('the whole service with random faults', () => {
  it('gives each payment and refund its document, mail and deliveries once the faults end', async () => {
    const { lines, violations, counts } = await soak({ seconds: campaign(60, 1), seed: 7, pace: campaign(1, 20) });
    console.log(lines.join('\n'));
    expect(violations).toEqual([]);
    expect(counts['refunds']).toBeGreaterThan(5);
    expect(counts['discounted']).toBeGreaterThan(0);
    expect(counts['documents']).toBeGreaterThan(5);
  });
});
