import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { drills } from '../../infra/emulator/drills/faults.ts';
import { firstLiveDay } from '../../infra/emulator/drills/guide.ts';
import { MerchantConfig } from '../../infra/merchant-config.ts';
import { checkSettings } from '../../infra/preflight.ts';

const runbook = readFileSync('docs/runbook.md', 'utf8');
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

/** `npm run --silent books -- restore …` is the command `npm run books -- restore`. */
const commandIn = (line: string): string => {
  const [, script, command] = /npm run (?:--silent )?([\w:]+) -- ([\w-]+)/.exec(line) ?? [];
  return `npm run ${script} -- ${command}`;
};

/** The runbook aligns commands with spaces. */
const isInRunbook = (command: string): boolean => new RegExp(command.replace(/ (\w+)$/, '\\s+$1\\b')).test(runbook);

describe('the emergency drills', () => {
  it('are eleven, each with a different name', () => {
    expect(new Set(drills.map(({ name }) => name)).size).toBe(11);
  });

  it.each(drills)(
    'use only repair commands that the runbook names: $name',
    ({ section, repairs, seenBy, provedBy }) => {
      expect(runbook).toMatch(new RegExp(`^##+ ${section}$`, 'm'));
      const unknown = [...repairs, seenBy.command, ...provedBy]
        .map(commandIn)
        .filter((command) => !isInRunbook(command));
      expect(unknown).toEqual([]);
    },
  );
});

describe('the guide to the first live day', () => {
  const { sections, file } = firstLiveDay();

  it('has ten steps in the right order, each with its commands', () => {
    expect(sections.map(({ heading }) => Number.parseInt(heading, 10))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(sections.filter(({ lines }) => lines.length === 0)).toEqual([]);
  });

  it('runs only scripts that exist', () => {
    const lines = sections.flatMap((section) => section.lines).filter((line) => line.includes('npm run'));
    expect(lines.length).toBeGreaterThan(8);
    for (const line of lines) expect(scripts).toHaveProperty([/npm run (?:--silent )?([\w:]+)/.exec(line)?.[1] ?? '']);
  });

  it('has an example file that is complete for a live stage', () => {
    const faults = checkSettings(MerchantConfig.parse(file), 'live').filter(
      ({ is }) => is === 'missing' || is === 'warning',
    );
    expect(faults).toEqual([]);
  });
});
