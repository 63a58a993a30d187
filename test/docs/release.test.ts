import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isInHistory } from '../support/released/bundle-release.ts';
import { releases } from '../support/released/releases.ts';

const read = (path: string): string => readFileSync(path, 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };

/** The sections of the changelog, the newest first. */
const sections = read('CHANGELOG.md')
  .split(/^## /m)
  .slice(1)
  .map((text) => ({
    heading: text.split('\n')[0] ?? '',
    parts: [...text.matchAll(/^### (.+)$/gm)].map(([, part]) => part),
  }));

interface SettingsSchema {
  properties?: Record<string, SettingsSchema>;
}

/** The names of all settings in the schema of a merchant's file, the same for both stages: `stages.ring`. */
const settingsIn = ({ properties = {} }: SettingsSchema): string[] =>
  Object.entries(properties).flatMap(([name, schema]) => {
    const within = settingsIn(schema).map((setting) => `${name}.${setting}`.replace(/^(sandbox|live)\./, ''));
    return [name, ...within];
  });

describe('the release', () => {
  it('has one version, in the package, its lock, the contract and the changelog', () => {
    const lock = JSON.parse(read('package-lock.json')) as {
      version: string;
      packages: Record<string, { version: string }>;
    };
    const { info } = JSON.parse(read('docs/openapi.json')) as { info: { version: string } };
    const released = sections.find(({ heading }) => heading !== 'Unreleased')?.heading.split(' ')[0];
    expect([lock.version, lock.packages['']?.version, info.version, released]).toEqual(Array(4).fill(version));
  });

  it('is identified by its commit in the guide to the first live day and the table of releases', () => {
    const [newest = ''] = Object.values(releases).slice(-1);
    const [, taken, named] = /^git checkout (\w+) +# (\S+)$/m.exec(read('docs/first-live-day.md')) ?? [];
    expect([taken, named]).toEqual([newest, Object.keys(releases).at(-1)]);
    const table = [...read('docs/releases.md').matchAll(/^\| ([\d.]+) \| `(\w+)` \|$/gm)];
    const listed = Object.fromEntries(table.map(([, name = '', commit = '']) => [name, commit]));
    expect(Object.keys(listed).sort()).toEqual(Object.keys(releases).sort());
    for (const [name, commit] of Object.entries(releases)) expect(listed[name]).toMatch(new RegExp(`^${commit}`));
    const sources = globSync(['docs/**/*.{md,yml}', 'README.md', 'infra/**/*.ts']).map(read).join('\n');
    expect(sources).not.toMatch(/v0\.2\.0/);
  });

  const { '0.2.0': commit } = releases;
  it.skipIf(!isInHistory(commit))('0.2.0 is the commit whose package.json says 0.2.0', () => {
    const ask = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' });
    expect(ask('log', '-1', '--format=%s', commit)).toMatch(/^Release 0\.2\.0\b/);
    expect(JSON.parse(ask('show', `${commit}:package.json`))).toMatchObject({ version: '0.2.0' });
    expect(read('docs/releases.md')).toContain(ask('rev-parse', commit).trim());
  });

  it.skipIf(!isInHistory(commit))('names each setting of a merchant’s file that 0.2.0 refuses', () => {
    const file = 'infra/merchants/merchant.schema.json';
    const known = settingsIn(JSON.parse(execFileSync('git', ['show', `${commit}:${file}`], { encoding: 'utf8' })));
    const refused = settingsIn(JSON.parse(read(file))).filter((setting) => !known.includes(setting));
    const [, note = ''] =
      /^- \*\*Settings that 0\.2\.0 refuses\*\*: ([\s\S]*?)\.\n/m.exec(read('docs/releases.md')) ?? [];
    const named = [...note.matchAll(/`([\w.]+)`/g)].map(([, setting]) => setting);
    expect(named.sort()).toEqual([...new Set(refused)].sort());
  });

  it('has a changelog entry with its date, upgrade notes first and stack changes last', () => {
    const [first, newest] = sections;
    expect(first?.heading).toBe('Unreleased');
    expect(newest?.heading).toMatch(/^\d+\.\d+\.\d+ – \d{4}-\d{2}-\d{2}$/);
    expect([newest?.parts.at(0), newest?.parts.at(-1)]).toEqual(['Upgrade notes', 'What changes in your stack']);
  });
});
