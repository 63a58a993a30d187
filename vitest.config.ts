import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineConfig } from 'vitest/config';
import { removedGuard } from './test/soak/source-guards.ts';
import { keepCompiled } from './test/support/vitest/compile-cache.ts';
import { keptModules } from './test/support/vitest/kept-modules.ts';
import { LongestFirst } from './test/support/vitest/longest-first.ts';
import { seed } from './test/support/vitest/seed.ts';
import { slowest } from './test/support/vitest/slowest.ts';

/** What starts a table. */
const integration = [
  'functions',
  'contract',
  'store',
  'local',
  'commands/integrator',
  'local-aws',
  'soak',
  'outside/webhooks',
  'documents',
  'outside/images',
  'dashboard',
  'upgrade',
];
/** What speaks HTTP to a whole sandbox, or drives a browser. */
const system = ['browser', 'conformance', 'deploy'];

/**
 * Files whose tests go on from what the tests before them left, so they run in the order in which they are written. All others run in a
 * shuffled order, and a new file is expected to.
 */
const stories = [
  // one shop from its first sale on: what is listed, counted or logged is what the tests before did
  'test/functions/access/audit-log.test.ts',
  'test/functions/checkout/checkout-cases.test.ts',
  'test/functions/catalogue/brands.test.ts',
  'test/functions/events/events.test.ts',
  'test/functions/limits/large-lists.test.ts',
  'test/functions/limits/table-calls.test.ts',
  'test/functions/payments/payments.test.ts',
  'test/functions/webhooks/dialect.test.ts',
  'test/store/conditions.test.ts',
  'test/store/discount-conditions.test.ts',
  'test/store/document-conditions.test.ts',
  'test/store/webhook-conditions.test.ts',
  // the log or the books of all tests are looked at in the last one
  'test/functions/payments/disputes.test.ts',
  'test/functions/payments/late-payments.test.ts',
  'test/functions/payments/stripe-disputes.test.ts',
  'test/functions/payments/stripe-notifications.test.ts',
  // rates and rules change while the tests go on
  'test/functions/checkout/shown-rates.test.ts',
  'test/functions/documents/local-tax.test.ts',
  'test/functions/returns/returns.test.ts',
  // the log is read after what the other tests have written to it
  'test/functions/documents/document-access.test.ts',
  'test/functions/documents/document-worker.test.ts',
  'test/functions/documents/invoice-audit.test.ts',
  'test/functions/documents/invoices.test.ts',
  // the rows of 0.2.0 are read before they are changed; keys and logins are used before they are removed
  'test/upgrade/version-0-2-0/upgraded-shop.test.ts',
  'test/soak/cases/idempotency-keys.test.ts',
  // one seeded network, whose fates are counted over both tests
  'test/soak/client.test.ts',
  'test/commands/integrator/command-line.test.ts',
];

keepCompiled();

const testsIn = (folders: readonly string[]): string[] => folders.map((folder) => `test/${folder}/**/*.test.ts`);

/** Writes down what each function does with AWS; after the last test it is compared with what its role allows. */
const permissions = { record: ['test/infra/permissions/record.ts'], compare: ['test/infra/permissions/compare.ts'] };

const runsOnce = process.argv.includes('run');
const literal = (path: string): string => path.replaceAll('.', '\\.');

/**
 * Node loads these itself, once for each worker, like packages: what they compiled and computed serves the next file too. Where Vitest
 * waits for changes, or a guard is removed, it loads them all and sees what is in them.
 */
const kept =
  runsOnce && removedGuard().length === 0 ? [new RegExp(`/(?:${keptModules().map(literal).join('|')})$`)] : [];

const putBack = ['test/support/vitest/put-back.ts'];

const asDeployed = join(import.meta.dirname, 'test/support/vitest/as-deployed.ts');

/** Workers go from file to file. */
const worker = {
  isolate: false,
  execArgv: [`--import=${pathToFileURL(asDeployed)}`],
  setupFiles: putBack,
  server: { deps: { external: kept } },
};

/** Each file gets fresh modules of all others that are ours, and the first environment. */
const shared = { ...worker, setupFiles: ['test/support/vitest/fresh-modules.ts', ...putBack, ...permissions.record] };

/** One file more than there are cores: while a test waits for a timer or a browser, another one works. */
const maxWorkers = availableParallelism() + 1;

/** Every run has the same order unless another seed is named, so a failure comes from a change and not from the order. */
const usualSeed = 1_795_361_572_129;

/** Files keep their place, the longest first; tests do not, unless they tell a story. */
const anyOrder = { sequence: { seed: usualSeed, shuffle: { files: false, tests: true } } };

const seconds = (count: number) => ({ testTimeout: count * 1_000, hookTimeout: count * 1_000 });

export default defineConfig({
  test: {
    globalSetup: permissions.compare,
    sequence: { sequencer: LongestFirst, seed: usualSeed },
    reporters: ['default', slowest, seed],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: testsIn([...integration, ...system, 'infra']),
          ...worker, // nothing that they load keeps what a test has changed
          maxWorkers,
          ...anyOrder,
          ...seconds(30),
        },
      },
      {
        plugins: removedGuard(),
        test: {
          name: 'integration',
          include: testsIn(integration),
          exclude: stories,
          ...shared,
          maxWorkers,
          ...anyOrder,
          ...seconds(90),
        },
      },
      {
        plugins: removedGuard(),
        test: { name: 'stories', include: stories, ...shared, maxWorkers, ...seconds(90) },
      },
      {
        test: {
          name: 'infra',
          include: testsIn(['infra']),
          ...worker,
          maxWorkers,
          ...anyOrder,
          ...seconds(180),
        },
      },
      {
        // one browser or one sandbox goes from test to test, as a buyer does
        test: {
          name: 'system',
          include: testsIn(system),
          ...shared,
          maxWorkers,
          ...seconds(180),
        },
      },
    ],
  },
});
