import { describe, expect, it } from 'vitest';
import { campaign } from '../../support/seeded.ts';
import { hasDynoxide } from '../../support/table/dynoxide.ts';
import { compareWithEmulator, describeComparison } from './differential.ts';
import { knownDifferences } from './known-differences.ts';
import type { Outcome } from './outcome.ts';

const isThere = hasDynoxide();
if (!isThere) console.log('The table is not compared with the emulator: @dynoxide/linux-x64 is not for this platform.');

/** The machine of the CI must not skip the comparison in silence. */
it.runIf(process.env['CI'] && process.platform === 'linux' && process.arch === 'x64')(
  'an independent DynamoDB emulator is installed',
  () => expect(isThere).toBe(true),
);

describe.runIf(isThere)('our in-memory table, compared with an independent DynamoDB emulator,', () => {
  it('gives the same answers, errors, counts and streams, except for the listed differences', {
    timeout: campaign(7_200_000, 240_000),
  }, async () => {
    const [seed, commands] = [12, campaign(50_000, 1_000)];
    const report = await compareWithEmulator({ seed, commands });
    console.log(describeComparison(report, seed).join('\n'));
    expect(report.unlisted).toEqual([]);
    expect(report.commands).toBe(commands);
    expect(Object.keys(report.kinds).length).toBeGreaterThan(15);
  });
});

describe('the list of differences between our table and the emulator', () => {
  it('quotes AWS’s documentation for each difference', () => {
    const outcome = (n: string): Outcome => ({
      answer: { Item: { n: { N: n } } },
      refusal: undefined,
      message: undefined,
      records: [],
      unchanged: 0,
    });
    const difference = {
      step: 0,
      command: { operation: 'GetItem', input: { TableName: 'differential', Key: { pk: { S: 'P' }, sk: { S: 'A' } } } },
      theirs: outcome('1'),
      ours: outcome('2'),
    };
    for (const { name, documented, explains } of knownDifferences) {
      expect(documented.length, name).toBeGreaterThan(20);
      expect(explains(difference), name).toBe(false);
    }
  });
});
