import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSite } from '../infra/reference/make-site.ts';
import { hasRoom, readImports, violationsOf } from './architecture/imports.ts';
import { keptModules } from './support/vitest/kept-modules.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The folder of a dashboard's page, or the dashboard itself for the kit that all its pages share: assets, browser and session are of it. */
const dashboardFolderOf = (path: string): string | undefined =>
  /^shared\/dashboard(?=\/)(?:\/(?!assets|browser|session)[^/]+(?=\/))?/.exec(path)?.[0];

describe('the source tree', () => {
  let report: Awaited<ReturnType<typeof readImports>>;
  beforeAll(async () => {
    makeSite(); // which a function imports
    report = await readImports(root);
  }, 60_000);

  it('is read completely by this test: more than 500 files and 2,500 imports, type imports included', () => {
    const imports = report.modules.flatMap(({ dependencies }) => dependencies);
    expect(report.modules.length).toBeGreaterThan(500);
    expect(imports.length).toBeGreaterThan(2_500);
    expect(imports.filter(({ dependencyTypes }) => dependencyTypes.includes('type-only')).length).toBeGreaterThan(500);
  });

  it('has no file outside the folders of the import table', () => {
    const ours = report.modules.map(({ source }) => source).filter((path) => /^(shared|functions|infra)\//.test(path));
    expect(ours.filter((path) => !hasRoom(path))).toEqual([]);
  });

  it('has only imports that the table allows, type imports included, and no import cycle', () => {
    expect(violationsOf(report)).toEqual([]);
  });

  it('has no shared dashboard file that imports a page, and no two page folders that import each other', () => {
    const between = report.modules.flatMap(({ source, dependencies }) =>
      dependencies.map(({ resolved }) => [dashboardFolderOf(source), dashboardFolderOf(resolved)] as const),
    );
    const arrows = new Set(between.flatMap(([from, to]) => (from && to && from !== to ? [`${from} → ${to}`] : [])));
    const kit = 'shared/dashboard';
    expect(arrows).toContain(`${kit}/payments → ${kit}`);
    expect([...arrows].filter((arrow) => arrow.startsWith(`${kit} → `))).toEqual([]);
    expect([...arrows].filter((arrow) => arrows.has(arrow.split(' → ').reverse().join(' → ')))).toEqual([]);
  });

  it('has no function that bundles answer schemas, because only the contract imports them as values', () => {
    const isAnswer = (path: string): boolean => /^shared\/wire\/(answers\/|.*-(answer|words)\.ts$)/.test(path);
    const values = report.modules.flatMap(({ source, dependencies }) =>
      dependencies
        .filter(({ resolved, dependencyTypes }) => isAnswer(resolved) && !dependencyTypes.includes('type-only'))
        .map(({ resolved }) => ({ source, resolved })),
    );
    expect(values.length).toBeGreaterThan(30);
    expect(values.filter(({ source }) => !isAnswer(source) && !source.startsWith('infra/contract/'))).toEqual([]);
  });

  it('has no module that stays loaded between test files and imports a value from a module that tests mock', () => {
    const kept = new Set(keptModules());
    const values = report.modules.flatMap(({ source, dependencies }) =>
      dependencies
        .filter(
          ({ resolved, dependencyTypes }) =>
            /^(shared|functions|infra)\/.*\.ts$/.test(resolved) && !dependencyTypes.includes('type-only'),
        )
        .map(({ resolved }) => ({ source, resolved })),
    );
    expect(values.filter(({ source, resolved }) => kept.has(source) && !kept.has(resolved))).toEqual([]);
  });
});

/** A file in a folder, what it says, and what `%` stands for. */
type Sample = readonly [folder: string, statement: string, imported?: string];

const forbidden: readonly Sample[] = [
  ['shared/domain', "import { keys } from '%';", 'shared/store/keys.ts'],
  ['shared/domain', "import type { PaymentStore } from '%';", 'shared/store/payments/payment-store.ts'],
  ['shared/domain', "import { type PaymentStore, type Other } from '%';", 'shared/store/payments/payment-store.ts'],
  ['shared/domain', "import {\n  type Item,\n  keys,\n} from '%';", 'shared/store/keys.ts'],
  ['shared/domain', "export type { PaymentStore } from '%';", 'shared/store/payments/payment-store.ts'],
  ['shared/domain', "export { keys } from '%';", 'shared/store/keys.ts'],
  ['shared/domain', "export * from '%';", 'shared/store/keys.ts'],
  ['shared/domain', "export const { now } = await import('%');", 'shared/wiring/runtime.ts'],
  ['shared/domain', "import { now } from '%';", 'shared/wiring/runtime.ts'],
  ['shared/domain', "import { logInfo } from '%';", 'shared/log.ts'],
  ['shared/domain', "import { readFileSync } from 'node:fs';"],
  ['shared/domain', "import 'undici';"],
  ['shared/tax', "import { priceSession } from '%';", 'shared/use-cases/checkout/price-session.ts'],
  ['shared/events', "import { env } from '%';", 'shared/env.ts'],
  ['shared/use-cases', "import { paymentStore } from '%';", 'shared/store/payments/payment-store.ts'],
  [
    'shared/use-cases',
    "import { type PaymentStore, paymentStore } from '%';",
    'shared/store/payments/payment-store.ts',
  ],
  ['shared/use-cases', "import { presentRefund } from '%';", 'shared/wire/payments/refund.ts'],
  ['shared/use-cases', "import type { ImageBucket } from '%';", 'shared/outside/images/image-bucket.ts'],
  ['shared/store', "import { createRefund } from '%';", 'shared/use-cases/payments/create-refund.ts'],
  ['shared/store', "import type { ListQuery } from '%';", 'shared/wire/page.ts'],
  ['shared/store', "import { S3Client } from '@aws-sdk/client-s3';"],
  ['shared/wire', "import { env } from '%';", 'shared/env.ts'],
  ['shared/wire', "import type { Visit } from '%';", 'shared/dashboard/dashboard.ts'],
  ['shared/http', "import { createRefund } from '%';", 'shared/use-cases/payments/create-refund.ts'],
  ['shared/http', "import { html } from '%';", 'shared/pages/html.ts'],
  ['shared/http', "import { now } from '%';", 'shared/wiring/runtime.ts'],
  ['shared/pages', "import { sessions } from '%';", 'shared/wiring/runtime.ts'],
  ['shared/pages', "import type { Page } from '%';", 'shared/http/page.ts'],
  ['shared/checkout-page', "import { dashboard } from '%';", 'shared/dashboard/dashboard.ts'],
  ['shared/dashboard', "import { checkoutPage } from '%';", 'shared/checkout-page/views/checkout-page.ts'],
  ['shared/dashboard', "import { now } from '%';", 'shared/wiring/runtime.ts'],
  ['shared/site', "import { refuseVisit } from '%';", 'shared/dashboard/guard.ts'],
  ['shared/documents', "import type { Visit } from '%';", 'shared/dashboard/dashboard.ts'],
  ['functions/refunds', "import { handler } from '%';", 'functions/refunds/create-refund.ts'],
  ['functions/refunds', "import { handler } from '%';", 'functions/payments/get-payment.ts'],
  ['functions/refunds', "import { DynamoDBClient } from '@aws-sdk/client-dynamodb';"],
  ['functions/refunds', "import { endpoints } from '%';", 'infra/endpoints.ts'],
  ['infra', "import { handler } from '%';", 'functions/refunds/create-refund.ts'],
  ['infra', "import { startSandbox } from '%';", 'infra/local/sandbox.ts'],
  ['infra', "import { now } from '%';", 'shared/wiring/runtime.ts'],
  ['infra/local', "import { Stack } from 'aws-cdk-lib';"],
  ['infra/local', "import { TillstackStack } from '%';", 'infra/merchant-stack.ts'],
  ['infra/local', "import { handler } from '%';", 'functions/refunds/create-refund.ts'],
  ['infra/local', "import { browse } from '%';", 'test/support/shop/dashboard.ts'],
];

const allowed: readonly Sample[] = [
  ['shared/domain', "import * as z from 'zod';\nimport { sum } from '%';", 'shared/domain/money/money.ts'],
  ['shared/domain', "/*\nimport { keys } from '%';\n*/\n// import '%';", 'shared/store/keys.ts'],
  ['shared/domain', "export const path = '%';", 'shared/store/keys.ts'],
  ['shared/use-cases', "import type { PaymentStore } from '%';", 'shared/store/payments/payment-store.ts'],
  ['shared/use-cases', "import { logWarn } from '%';", 'shared/log.ts'],
  ['functions/refunds', "import { now } from '%';", 'shared/wiring/runtime.ts'],
  ['infra/local', "import { newId } from '%';", 'shared/wiring/runtime.ts'],
];

/** A guard is trusted after it has been seen to fail. */
describe('the import table', () => {
  const samples = [...forbidden, ...allowed];
  const fileOf = (sample: Sample): string => join(sample[0], `sample-${samples.indexOf(sample)}.ts`);
  const directory = mkdtempSync(join(tmpdir(), 'house-'));
  let violations: string[] = [];

  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  };

  const found = (path: string): string[] => violations.filter((violation) => violation.startsWith(`${path} → `));

  beforeAll(async () => {
    symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
    for (const sample of samples) {
      const [, statement, imported] = sample;
      if (imported) write(imported, 'export {};\n');
      const specifier = imported ? `./${relative(dirname(fileOf(sample)), imported)}` : '';
      write(fileOf(sample), `${statement.replaceAll('%', specifier)}\n`);
    }
    write('shared/domain/one.ts', "import type { two } from './two.ts';\nexport const one = 1;\n");
    write('shared/domain/two.ts', "import { one } from './one.ts';\nexport const two = one;\n");
    write('shared/domain/lost.ts', "import { missing } from './missing.ts';\n");
    violations = violationsOf(await readImports(directory));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  it.each(forbidden)('forbids a file in %s that has the import %j of %s', (...sample) => {
    const path = fileOf(samples.find((one) => one.every((part, at) => part === sample[at])) as Sample);
    expect(found(path)).toHaveLength(1);
  });

  it.each(allowed)('allows a file in %s that has the import %j of %s', (...sample) => {
    const path = fileOf(samples.find((one) => one.every((part, at) => part === sample[at])) as Sample);
    expect(found(path)).toEqual([]);
  });

  it('refuses an import cycle, even one of types only', () => {
    expect(found('shared/domain/one.ts')).toEqual([
      'shared/domain/one.ts → shared/domain/two.ts: imports go round in a circle',
    ]);
  });

  it('refuses an import of a file that does not exist', () => {
    expect(found('shared/domain/lost.ts').join()).toContain('an import leads nowhere');
  });

  it.each(['shared/stray.ts', 'shared/utils/x.ts', 'scripts/x.ts'])(
    'has no folder for the file %s, so the file is refused',
    (path) => {
      expect(hasRoom(path)).toBe(false);
    },
  );
});
