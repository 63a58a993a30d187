import { defineConfig } from 'vitest/config';

/** What starts the table's emulator. */
const integration = ['functions', 'store', 'local', 'soak', 'webhooks', 'documents', 'images', 'dashboard'];
/** What speaks HTTP to a whole sandbox, or drives a browser: one file at a time. */
const system = ['browser', 'conformance', 'deploy'];

const testsIn = (folders: readonly string[]): string[] => folders.map((folder) => `test/${folder}/**/*.test.ts`);

const seconds = (count: number) => ({ testTimeout: count * 1_000, hookTimeout: count * 1_000 });

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: testsIn([...integration, ...system, 'infra']),
          ...seconds(30),
        },
      },
      { test: { name: 'integration', include: testsIn(integration), ...seconds(90) } },
      { test: { name: 'infra', include: testsIn(['infra']), isolate: false, ...seconds(180) } },
      { test: { name: 'system', include: testsIn(system), fileParallelism: false, ...seconds(180) } },
    ],
  },
});
