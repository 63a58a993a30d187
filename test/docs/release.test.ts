import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

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

describe('the release', () => {
  it('has one version, in the package, its lock, the contract, the changelog and the first live day', () => {
    const lock = JSON.parse(read('package-lock.json')) as {
      version: string;
      packages: Record<string, { version: string }>;
    };
    const { info } = JSON.parse(read('docs/openapi.json')) as { info: { version: string } };
    const [, cloned] = /^git clone --branch v(\S+) /m.exec(read('docs/first-live-day.md')) ?? [];
    const released = sections.find(({ heading }) => heading !== 'Unreleased')?.heading.split(' ')[0];
    expect([lock.version, lock.packages['']?.version, info.version, released, cloned]).toEqual(Array(5).fill(version));
  });

  it('has its date, the upgrade notes first and what changes in a stack last', () => {
    const [first, newest] = sections;
    expect(first?.heading).toBe('Unreleased');
    expect(newest?.heading).toMatch(/^\d+\.\d+\.\d+ – \d{4}-\d{2}-\d{2}$/);
    expect([newest?.parts.at(0), newest?.parts.at(-1)]).toEqual(['Upgrade notes', 'What changes in your stack']);
  });
});
