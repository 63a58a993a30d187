/** A folder with everything below it, or one file. A file belongs to the longest path that fits it. */
interface Room {
  of: string;
  /** The folders, files and packages whose values it may import. `node:` means all modules of Node. */
  may: readonly string[];
  /** The folders and files from which it may import only types. */
  types?: readonly string[];
}

const log = 'shared/log.ts';
/**
 * The settings of the stage. They do not change while a process runs, so edges and the dashboard read them themselves: handed over, the
 * same lines would stand in every function.
 */
const env = 'shared/env.ts';
const runtime = 'shared/wiring/runtime.ts';
/** The settings that apply to every sale of the stage. */
const selling = 'shared/wiring/selling.ts';
/** The queries of the logs. Operators' commands, the saved queries and a link of the dashboard use them. */
const logQueries = 'shared/domain/log-queries.ts';
/**
 * The names of rows. Edges and pages declare the rows that they are going to read, so one call reads them together with the caller's key
 * or session.
 */
const rowKeys = 'shared/store/keys.ts';
const dynamo = ['@aws-sdk/client-dynamodb', '@aws-sdk/lib-dynamodb', '@aws-sdk/util-dynamodb'];
const s3 = ['@aws-sdk/client-s3', '@aws-sdk/s3-request-presigner'];
/** The AWS clients of the operators' commands. No function bundles them. */
const operatorClients = [
  'cloudformation',
  'cloudwatch',
  'cloudwatch-logs',
  'eventbridge',
  'iam',
  'lambda',
  's3',
  'service-quotas',
  'sesv2',
  'sqs',
  'sts',
].map((name) => `@aws-sdk/client-${name}`);
const cdk = ['aws-cdk-lib', 'constructs'];
/** The folders from which every page is made. */
const pageMakers = ['domain', 'tax', 'use-cases', 'wire', 'http', 'pages', 'texts'].map((room) => `shared/${room}`);
/** Names and the merchant's settings, which the functions and `infra` share. */
const declarations = [
  'shared/domain/access',
  'shared/domain/merchant.ts',
  'shared/domain/processor.ts',
  'shared/domain/register-secrets.ts',
  'shared/events',
];

/**
 * Who may import whom, types included: a type lives in the lowest room that names it. The one exception: a use case names its store and
 * its processor by type, and so does a page that lists rows, as a GET handler does. Only functions, `infra/local` and `infra/commands` import the wiring.
 */
export const rooms: readonly Room[] = [
  { of: 'shared/domain', may: ['shared/domain', 'zod', 'node:crypto'] },
  { of: 'shared/tax', may: ['shared/tax', 'shared/domain', 'zod', 'jsvat'] },
  { of: 'shared/events', may: ['shared/events', 'shared/domain', 'zod'] },
  {
    of: 'shared/use-cases',
    may: ['shared/use-cases', 'shared/domain', 'shared/tax', 'shared/events', log, 'node:timers/promises'],
    types: ['shared/store', 'shared/outside/processor'],
  },
  {
    of: 'shared/store',
    may: ['shared/store', 'shared/domain', 'shared/events', 'shared/tax/rules', ...dynamo, 'zod', 'node:'],
  },
  {
    of: 'shared/outside/bus',
    may: ['shared/outside/bus', 'shared/domain', 'shared/events', '@aws-sdk/client-eventbridge', '@aws-sdk/client-sqs'],
  },
  { of: 'shared/outside/images', may: ['shared/outside/images', 'shared/domain', ...s3, 'node:'] },
  { of: 'shared/outside/exports', may: ['shared/outside/exports', 'shared/domain', ...s3] },
  { of: 'shared/outside/files', may: ['shared/outside/files', 'shared/domain', ...s3] },
  { of: 'shared/outside/exchange-rates', may: ['shared/outside/exchange-rates', 'shared/domain'] },
  { of: 'shared/outside/mail', may: ['shared/outside/mail', 'shared/domain', '@aws-sdk/client-sesv2', 'zod', 'node:'] },
  { of: 'shared/outside/webhooks', may: ['shared/outside/webhooks', 'shared/domain', 'undici', 'node:'] },
  { of: 'shared/outside/parameters', may: ['shared/outside/parameters', '@smithy/signature-v4', 'zod', 'node:'] },
  { of: 'shared/outside/processor', may: ['shared/outside/processor', 'shared/domain'] },
  /** Each processor stands alone: it knows the port and the description, and no other processor. */
  {
    of: 'shared/outside/processor/sandbox',
    may: ['shared/outside/processor/sandbox', 'shared/outside/processor/payment-processor.ts', 'shared/domain'],
  },
  {
    of: 'shared/outside/processor/stripe',
    may: ['shared/outside/processor/stripe', 'shared/domain', 'zod', 'node:'],
    types: ['shared/outside/processor', 'stripe'],
  },
  { of: 'shared/outside/registers', may: ['shared/outside/registers', 'shared/domain', 'zod'] },
  { of: 'shared/wire', may: ['shared/wire', 'shared/domain', 'shared/events', 'shared/tax', 'zod', 'node:crypto'] },
  {
    of: 'shared/http',
    may: ['shared/http', 'shared/domain', 'shared/wire', env, log, rowKeys, '@middy/core', 'zod', 'node:'],
    types: ['aws-lambda'],
  },
  { of: 'shared/texts', may: ['shared/texts'] },
  {
    of: 'shared/pages',
    may: ['shared/pages', 'shared/texts', 'shared/domain', 'hono', 'node:'],
  },
  /** Scripts for the browser may import only each other, and nothing of the product's other code. */
  ...['pages', 'dashboard', 'documents'].map((face) => ({
    of: `shared/${face}/browser`,
    may: [`shared/${face}/browser`],
    types: ['htmx.org'],
  })),
  { of: 'shared/checkout-page', may: ['shared/checkout-page', ...pageMakers, rowKeys] },
  { of: 'shared/order-page', may: ['shared/order-page', ...pageMakers, rowKeys] },
  { of: 'shared/portal', may: ['shared/portal', ...pageMakers, rowKeys] },
  { of: 'shared/withdrawal-page', may: ['shared/withdrawal-page', ...pageMakers, rowKeys] },
  {
    of: 'shared/dashboard',
    may: ['shared/dashboard', ...pageMakers, 'shared/events', env, logQueries, rowKeys, 'zod', 'node:crypto', 'qr'],
    types: ['shared/store'],
  },
  /** `shared/events` says which documents an event needs. */
  {
    of: 'shared/documents',
    may: ['shared/documents', ...pageMakers, 'shared/events', log, 'shared/pages/packaged-file.ts', 'zod', 'node:'],
  },
  {
    of: 'shared/documents/pdf',
    may: [
      'shared/documents',
      ...pageMakers,
      'shared/pages/packaged-file.ts',
      'pdfkit',
      'fontkit',
      'linebreak',
      'bidi-js',
      'zod',
      'node:',
    ],
  },
  { of: log, may: [] },
  {
    of: env,
    may: ['shared/domain/merchant.ts', 'shared/domain/processor.ts', 'shared/domain/register-secrets.ts', 'node:zlib'],
  },
  {
    of: 'functions/contract',
    may: ['docs/openapi.json', 'shared/http', 'shared/site', 'shared/pages', env],
  },
  {
    of: 'infra/reference',
    may: ['infra/reference', 'docs/openapi.json', 'shared/pages/html.ts', 'marked', 'esbuild', 'node:'],
  },
  /** What is connected to what when a function starts. */
  {
    of: 'shared/wiring',
    may: [
      'shared/wiring',
      ...['domain', 'events', 'tax', 'store', 'use-cases', 'outside', 'wire'].map((room) => `shared/${room}`),
      'shared/http',
      'shared/dashboard',
      env,
      log,
      'node:',
    ],
  },
  {
    of: 'shared/site',
    may: ['shared/site', 'shared/http', 'shared/domain', 'shared/pages', 'node:'],
    types: ['aws-lambda'],
  },
  { of: 'functions', may: ['shared', '@middy/core', 'zod', 'node:'], types: ['aws-lambda'] },
  {
    of: 'infra',
    may: [
      'infra/constructs',
      'infra/endpoints.ts',
      'infra/function-names.ts',
      'infra/merchant-config.ts',
      'infra/stage-settings.ts',
      'infra/merchant-stack.ts',
      'shared/domain/check-line.ts',
      'shared/domain/places/address-lines.ts',
      'infra/preflight.ts',
      'infra/reference/make-site.ts',
      'infra/merchant-words.ts',
      'shared/tax/places/countries.ts',
      'infra/protection-stack.ts',
      'infra/stacks.ts',
      'infra/stage-code.ts',
      'infra/version.ts',
      'shared/outside/processor/registry.ts',
      'shared/tax/tax-ids/seller-tax-id.ts',
      'shared/wire/fault-message.ts',
      ...declarations,
      ...cdk,
      'zod',
      'node:',
    ],
  },
  {
    of: 'infra/constructs',
    may: [
      'infra/constructs',
      'infra/endpoints.ts',
      'infra/metric-names.ts',
      'infra/merchant-config.ts',
      'infra/stage-settings.ts',
      ...declarations,
      'shared/domain/catalogue/image.ts',
      'shared/domain/entitlements/files.ts',
      'shared/domain/reports/export-job.ts',
      'shared/domain/reports/failed-call.ts',
      'shared/store/table/table-schema.ts',
      'shared/pages/notices/busy-page.ts',
      logQueries,
      ...cdk,
      'esbuild',
      'node:',
    ],
  },
  {
    of: 'infra/contract',
    may: [
      'infra/contract',
      'infra/endpoints.ts',
      'shared/http/problem.ts',
      'shared/outside/processor/sandbox/sandbox-cards.ts',
      'shared/wire',
      'shared/domain',
      'shared/events',
      'shared/tax',
      'zod',
      'node:',
    ],
  },
  {
    of: 'infra/browser-files.ts',
    may: ['shared/pages', 'shared/domain/money/currency.ts', 'shared/tax/places/countries.ts', 'esbuild', 'node:'],
  },
  { of: 'infra/constructs/bundling', may: ['@aws-sdk/credential-provider-env', '@smithy/core', 'zod'] },
  {
    of: 'infra/commands',
    may: [
      'infra/commands',
      'infra/merchant-config.ts',
      'infra/stage-settings.ts',
      'infra/usage-error.ts',
      'shared/http/api-key.ts',
      'shared/domain/check-line.ts',
      'infra/preflight.ts',
      'infra/endpoints.ts',
      'infra/function-names.ts',
      'infra/metric-names.ts',
      'infra/version.ts',
      ...operatorClients,
      ...['domain', 'tax', 'store', 'use-cases', 'outside/parameters'].map((room) => `shared/${room}`),
      'shared/events/catalogue.ts',
      'shared/outside/processor/played-address.ts',
      'shared/outside/processor/registry.ts',
      env,
      log,
      logQueries,
      ...dynamo,
      'zod',
      'node:',
    ],
    types: ['shared/outside/processor', 'shared/wire'],
  },
  { of: 'infra/commands/kit', may: ['infra/commands/kit', 'infra/usage-error.ts', 'node:'] },
  /** An import checks each item with the schemas of the API before it writes anything. */
  {
    of: 'infra/commands/integrator/import',
    may: [
      'infra/commands/integrator',
      'infra/commands/kit',
      'infra/usage-error.ts',
      'shared/domain',
      'shared/wire',
      'zod',
      'node:',
    ],
  },
  {
    of: 'infra/commands/integrator',
    may: [
      'infra/commands/integrator',
      'infra/commands/kit',
      'infra/reference/contract.ts',
      'infra/usage-error.ts',
      'shared/domain',
      'shared/events',
      'shared/pages/format.ts',
      'shared/outside/processor/sandbox/sandbox-cards.ts',
      'shared/outside/webhooks/signature.ts',
      'shared/wire/entitlements/key-rows.ts',
      'zod',
      'node:',
    ],
    types: ['shared/wire'],
  },
  {
    of: 'infra/emulator',
    may: [
      'infra/emulator',
      'infra/local',
      'infra/local-aws',
      'shared/store/table/packed.ts',
      '@aws-sdk/util-dynamodb',
      'undici',
      'zod',
      'node:',
    ],
  },
  {
    of: 'infra/local',
    may: [
      'infra/local',
      'infra/local-aws',
      'infra/endpoints.ts',
      'infra/merchant-config.ts',
      'infra/usage-error.ts',
      'infra/reference/make-site.ts',
      'shared/wiring',
      log,
      'shared/domain',
      'shared/store',
      'shared/http/api-key.ts',
      'standardwebhooks',
      ...dynamo,
      'zod',
      'node:',
    ],
    types: ['aws-lambda'],
  },
  {
    of: 'infra/local/demo/history',
    may: [
      'infra/local',
      'infra/local-aws',
      'infra/endpoints.ts',
      runtime,
      selling,
      'shared/domain',
      'shared/http/api-key.ts',
      'shared/events/catalogue.ts',
      'shared/events/documents-of-events.ts',
      'shared/outside/processor/sandbox/sandbox-disputes.ts',
      'shared/use-cases/catalogue',
      'shared/use-cases/entitlements',
      'shared/use-cases/payments',
      'shared/wiring/files.ts',
      'zod',
      'node:',
    ],
  },
  {
    of: 'infra/local-aws',
    may: ['infra/local-aws', ...dynamo, 'zod', 'node:'],
    types: ['aws-lambda'],
  },
  {
    of: 'infra/local/stripe',
    may: ['infra/local/stripe', 'infra/local-aws/loopback-server.ts', 'shared/outside/processor/stripe', 'node:'],
    types: ['stripe'],
  },
];
