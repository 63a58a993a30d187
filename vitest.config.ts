import { defineConfig } from 'vitest/config';

const integration = [
  'test/functions/**/*.test.ts',
  'test/store/**/*.test.ts',
  'test/local/**/*.test.ts',
  'test/soak/**/*.test.ts',
];
const slow = ['test/browser/**/*.test.ts', 'test/infra/**/*.test.ts', 'test/conformance/**/*.test.ts'];

/** `unit` needs nothing but Node; `integration` starts the table's emulator; `system` synthesizes, browses and speaks HTTP. */
export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: [...integration, ...slow] } },
      { test: { name: 'integration', include: integration, testTimeout: 60_000, hookTimeout: 60_000 } },
      { test: { name: 'system', include: slow, testTimeout: 180_000, hookTimeout: 180_000, fileParallelism: false } },
    ],
  },
});
