import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { removedGuard } from './test/soak/source-guards.ts';
import { LongestFirst } from './test/support/vitest/longest-first.ts';
import { slowest } from './test/support/vitest/slowest.ts';

/** What starts a table. */
const integration = [
  'functions',
  'contract',
  'store',
  'local',
  'soak',
  'webhooks',
  'documents',
  'images',
  'dashboard',
  'upgrade',
];
/** What speaks HTTP to a whole sandbox, or drives a browser. */
const system = ['browser', 'conformance', 'deploy'];

const testsIn = (folders: readonly string[]): string[] => folders.map((folder) => `test/${folder}/**/*.test.ts`);

/** Writes down what each function does with AWS; after the last test it is compared with what its role allows. */
const permissions = { record: ['test/infra/permissions/record.ts'], compare: ['test/infra/permissions/compare.ts'] };

/** One file more than there are cores: while a test waits for a timer or a browser, another one works. */
const maxWorkers = availableParallelism() + 1;

const seconds = (count: number) => ({ testTimeout: count * 1_000, hookTimeout: count * 1_000 });

export default defineConfig({
  test: {
    globalSetup: permissions.compare,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', slowest],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: testsIn([...integration, ...system, 'infra']),
          isolate: false, // nothing that they load keeps what a test has changed
          maxWorkers,
          ...seconds(30),
        },
      },
      {
        plugins: removedGuard(),
        test: {
          name: 'integration',
          include: testsIn(integration),
          setupFiles: permissions.record,
          maxWorkers,
          ...seconds(90),
        },
      },
      { test: { name: 'infra', include: testsIn(['infra']), isolate: false, maxWorkers, ...seconds(180) } },
      {
        test: {
          name: 'system',
          include: testsIn(system),
          setupFiles: permissions.record,
          maxWorkers,
          ...seconds(180),
        },
      },
    ],
  },
});
