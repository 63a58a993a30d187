import { describe, expect, it, vi } from 'vitest';
import { constructIdOf } from '../../../infra/function-names.ts';
import { logSink } from '../../../shared/log.ts';
import { testVersion, walled } from '../synthesized.ts';
import { assemble, resourcesIn } from './assembled.ts';

const sweep = new RegExp(`^tillstack-demo-live.template.json ${constructIdOf('events/sweep-due')}[0-9A-F]{8}$`);

const versions = ['1.2.3+0a1b2c3d', '1.2.3+4e5f6a7b.dirty'] as const;
const [before, after] = versions.map((version) => assemble({ stage: 'live', settings: walled, version }).templates);

describe('the version of a stack', () => {
  const { stacks, templates } = assemble({ stage: 'live', settings: walled });

  it('is a tag on both stacks of a stage', () => {
    expect(stacks.map(({ tags }) => tags)).toEqual(
      stacks.map(() => ({ merchant: 'demo', service: 'tillstack', stage: 'live', version: testVersion })),
    );
    expect(stacks).toHaveLength(2);
  });

  it('is an output of the main stack, and of no other template', () => {
    const { Outputs: outputs } = templates['tillstack-demo-live.template.json']!;
    expect(outputs['Version']).toEqual({ Value: testVersion });
    const saying = Object.keys(templates).filter((file) => JSON.stringify(templates[file]).includes(testVersion));
    expect(saying).toEqual(['tillstack-demo-live.template.json']);
  });

  it('changes only the function that measures it, so a commit without changes causes no other difference', () => {
    const now = new Map(resourcesIn(after ?? {}).map(({ path, ...resource }) => [path, JSON.stringify(resource)]));
    const old = resourcesIn(before ?? {});
    expect(now.size).toBe(old.length);
    const changed = old.flatMap(({ path, ...resource }) => (now.get(path) === JSON.stringify(resource) ? [] : [path]));
    expect(changed).toEqual([expect.stringMatching(sweep)]);
  });
});

it('the version is measured by the sweep once when its process starts, and only if it is known', async () => {
  const lines: string[] = [];
  vi.spyOn(logSink, 'write').mockImplementation((line) => void lines.push(line));
  vi.stubEnv('MERCHANT', JSON.stringify({ id: 'shop', name: 'Shop', country: 'DE' }));
  vi.stubEnv('STAGE', 'live');
  const { countVersion } = await import('../../../shared/wiring/metrics.ts');
  const at = new Date('2026-01-31T10:00:00Z');
  countVersion(at);
  vi.stubEnv('VERSION', testVersion);
  countVersion(at);
  countVersion(at);
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      _aws: {
        Timestamp: at.getTime(),
        CloudWatchMetrics: [
          {
            Namespace: 'Tillstack',
            Dimensions: [['merchant', 'stage', 'version']],
            Metrics: [{ Name: 'VersionStarts', Unit: 'Count' }],
          },
        ],
      },
      merchant: 'shop',
      stage: 'live',
      version: testVersion,
      VersionStarts: 1,
    },
  ]);
});
