import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import * as declarations from '../infra/endpoints.ts';

/** Paths from the root of the repository, and what stands there. */
type Tree = Record<string, string>;

interface Rule {
  /** A folder with everything below it, or one file; the longest that fits is the rule. */
  of: string;
  /** Folders, files and packages; what is below them as well. */
  may: readonly string[];
}

const log = 'shared/log.ts';
const metrics = 'shared/metrics.ts';
const packagedFile = 'shared/packaged-file.ts';
const pure = ['shared/domain', 'zod', 'big.js'];
const dynamo = ['@aws-sdk/client-dynamodb', '@aws-sdk/lib-dynamodb'];
/** Documents are drawn from fonts. */
const typesetting = ['pdfkit', 'fontkit', 'linebreak', 'bidi-js'];
const cdk = ['aws-cdk-lib', 'constructs', 'cdk-nag', 'esbuild'];

/**
 * Who may import whom. Values only: types are free. `node:` stands for all of Node's modules; the pure folders name what they need.
 * The runtime is the ground that functions, `shared/http` and the local sandbox stand on; nothing else reaches for it.
 */
const table: readonly Rule[] = [
  { of: 'shared/domain', may: [...pure, 'node:crypto'] },
  { of: 'shared/tax', may: [...pure, 'shared/tax', 'jsvat'] },
  { of: 'shared/events', may: [...pure, 'shared/events'] },
  {
    of: 'shared/use-cases',
    may: [...pure, 'shared/tax', 'shared/events', 'shared/use-cases', log, 'node:timers/promises'],
  },
  { of: 'shared/store', may: [...pure, 'shared/events', 'shared/store', log, ...dynamo, 'node:'] },
  { of: 'shared/bus', may: [...pure, 'shared/events', 'shared/bus', log, '@aws-sdk/client-eventbridge', 'node:'] },
  {
    of: 'shared/images',
    may: [
      ...pure,
      'shared/events',
      'shared/images',
      log,
      '@aws-sdk/client-s3',
      '@aws-sdk/s3-request-presigner',
      'node:',
    ],
  },
  { of: 'shared/webhooks', may: [...pure, 'shared/events', 'shared/webhooks', log, 'undici', 'node:'] },
  { of: 'shared/processor', may: [...pure, 'shared/events', 'shared/processor', log, 'node:'] },
  {
    of: 'shared/documents',
    may: [
      ...pure,
      ...['use-cases', 'wire', 'http', 'pages', 'documents'].map((folder) => `shared/${folder}`),
      ...[log, packagedFile],
      ...typesetting,
      'node:',
    ],
  },
  { of: 'shared/wire', may: [...pure, 'shared/events', 'shared/wire', log, 'node:crypto'] },
  { of: 'shared/mail', may: [...pure, 'shared/mail', log, '@aws-sdk/client-sesv2', 'node:'] },
  {
    of: 'shared/pages',
    may: [...pure, 'shared/events', 'shared/wire', 'shared/pages', log, packagedFile, 'hono/html', 'node:'],
  },
  {
    of: 'shared/checkout-page',
    may: [
      ...pure,
      ...['tax', 'use-cases', 'wire', 'http', 'pages', 'checkout-page', 'store/keys.ts'].map(
        (place) => `shared/${place}`,
      ),
      'node:',
    ],
  },
  {
    of: 'shared/dashboard',
    may: [
      ...pure,
      ...[
        'events',
        'tax',
        'use-cases',
        'wire',
        'http',
        'pages',
        'dashboard',
        'store/keys.ts',
        'runtime.ts',
        'env.ts',
      ].map((place) => `shared/${place}`),
      'node:',
    ],
  },
  { of: packagedFile, may: ['node:'] },
  {
    of: 'shared/http',
    may: [
      'shared/http',
      'shared/domain',
      'shared/wire',
      'shared/store/keys.ts',
      'shared/runtime.ts',
      'shared/env.ts',
      log,
      '@middy/core',
      'node:',
    ],
  },
  { of: 'shared/env.ts', may: ['shared/domain/merchant.ts'] },
  { of: log, may: [] },
  { of: metrics, may: ['shared/env.ts', log] },
  {
    of: 'shared/runtime.ts',
    may: [
      ...['domain', 'tax', 'events', 'store', 'bus', 'webhooks', 'processor', 'documents', 'wire'].map(
        (folder) => `shared/${folder}`,
      ),
      'shared/env.ts',
      log,
      'node:',
    ],
  },
  { of: 'shared/image-runtime.ts', may: ['shared/env.ts', 'shared/images'] },
  { of: 'shared/delivery-runtime.ts', may: ['shared/runtime.ts', 'shared/env.ts', log, 'shared/webhooks', 'node:'] },
  { of: 'functions', may: ['shared', '@middy/core', 'zod', 'node:'] },
  {
    of: 'infra',
    may: [
      'infra',
      'shared/events',
      'shared/domain/access/dashboard-commands.ts',
      'shared/domain/merchant.ts',
      'shared/domain/catalogue/image.ts',
      'shared/store/table/table-schema.ts',
      'shared/wire/fault-message.ts',
      ...cdk,
      'zod',
      'node:',
    ],
  },
  { of: 'infra/emulator', may: ['infra', 'undici', 'zod', 'node:'] },
  { of: 'infra/constructs/bundling/lambda-credentials.ts', may: ['@aws-sdk/credential-provider-env'] },
  { of: 'infra/constructs/bundling/environment-config.ts', may: ['node_modules/@smithy/core'] },
  { of: 'infra/commands/find-table.ts', may: ['infra', ...dynamo] },
  {
    of: 'infra/books',
    may: ['infra/books', 'shared/domain', 'shared/store', 'shared/use-cases', ...dynamo, 'zod', 'node:'],
  },
  {
    of: 'infra/commands/books',
    may: ['infra/commands', 'shared/domain', 'shared/store', 'shared/use-cases', ...dynamo, 'zod', 'node:'],
  },
  { of: 'infra/commands/tax.ts', may: ['shared/domain', 'shared/tax', 'infra', 'node:'] },
  { of: 'infra/commands/books.ts', may: ['infra', ...dynamo, 'node:'] },
  {
    of: 'infra/commands/keys.ts',
    may: [
      'shared/domain/access/access.ts',
      'shared/domain/access/api-key.ts',
      'shared/domain/money/currency.ts',
      'shared/http/api-key.ts',
      'shared/store/access/api-key-store.ts',
      'shared/use-cases/access/create-api-key.ts',
      'shared/use-cases/access/revoke-api-key.ts',
      ...dynamo,
      'infra',
      'node:',
    ],
  },
  {
    of: 'infra/local',
    may: [
      'infra/local',
      'infra/endpoints.ts',
      'infra/merchant-config.ts',
      'infra/usage-error.ts',
      'shared/runtime.ts',
      'shared/env.ts',
      log,
      'shared/domain',
      'shared/events',
      'shared/tax',
      'shared/store',
      'shared/http/api-key.ts',
      '@20minutes/s3rver',
      ...dynamo,
      'zod',
      'node:',
    ],
  },
];

/** Single edges that the table forbids, each with its reason; one that is not needed any more must go. */
const exceptions: readonly { from: string; to: string; because: string }[] = [
  {
    from: 'shared/store/tax-rules-store.ts',
    to: 'shared/tax/rules/tax-rules.ts',
    because:
      'what a merchant has decided about tax is the noun of the tax folder, and the store parses it like any other',
  },
];

interface Edge {
  from: string;
  to: string;
}

const importing = /^import\s+(?:([^'";]+?)\s+from\s+)?['"]([^'"]+)['"]/gm;
const exporting = /^export\s+((?:type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\}))\s+from\s+['"]([^'"]+)['"]/gm;
const importingLater = /\bawait\s+(import)\(\s*['"]([^'"]+)['"]/gm;

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');

/** Whether a clause such as `{ type A, b }` brings anything but types. */
function bringsValues(clause: string | undefined): boolean {
  if (clause === undefined) return true;
  if (/^type\b(?!\s*,)/.test(clause)) return false;
  const names = /^\{([^}]*)\}$/
    .exec(clause.trim())?.[1]
    ?.split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  return names === undefined || names.length === 0 || names.some((name) => !name.startsWith('type '));
}

const target = (from: string, specifier: string): string =>
  specifier.startsWith('.') ? normalize(join(dirname(from), specifier)) : specifier;

/** The value imports of a file, re-exports and deferred imports among them. */
const edgesOf = (from: string, source: string): Edge[] =>
  [importing, exporting, importingLater].flatMap((pattern) =>
    [...withoutComments(source).matchAll(pattern)]
      .filter(([, clause]) => bringsValues(clause))
      .map(([, , specifier = '']) => ({ from, to: target(from, specifier) })),
  );

const isWithin = (path: string, place: string): boolean =>
  path === place || path.startsWith(place.endsWith(':') ? place : `${place}/`);

const ruleFor = (path: string): Rule | undefined =>
  table.filter(({ of }) => isWithin(path, of)).sort((a, b) => b.of.length - a.of.length)[0];

const isExcepted = ({ from, to }: Edge): boolean => exceptions.some((edge) => edge.from === from && edge.to === to);

/** Every edge that the table does not allow, as a sentence. */
const forbiddenImports = (tree: Tree): string[] =>
  Object.entries(tree).flatMap(([path, source]) => {
    const rule = ruleFor(path);
    if (!rule) return [`${path} belongs to no folder of the house`];
    return edgesOf(path, source)
      .filter((edge) => !rule.may.some((place) => isWithin(edge.to, place)) && !isExcepted(edge))
      .map(({ to }) => `${path} may not import ${to}`);
  });

/** Chains of value imports that come back to where they began. */
function cycles(tree: Tree): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, chain: readonly string[]): void => {
    if (chain.includes(path)) found.push([...chain.slice(chain.indexOf(path)), path].join(' → '));
    if (done.has(path) || chain.includes(path)) return;
    for (const { to } of edgesOf(path, tree[path] ?? '')) if (to in tree) visit(to, [...chain, path]);
    done.add(path);
  };
  for (const path of Object.keys(tree)) visit(path, []);
  return found;
}

const forbiddenNames = /^(utils?|helpers?|common|types?|misc|lib|ports)$/;

/** Folders that say nothing of what is in them, barrels and default exports. */
const badShapes = (tree: Tree): string[] =>
  Object.entries(tree).flatMap(([path, source]) => [
    ...(path.split('/').some((part) => forbiddenNames.test(part.replace(/\.ts$/, '')))
      ? [`${path} has a name that says nothing`]
      : []),
    ...(basename(path) === 'index.ts' || /^export\s+\*\s+from/m.test(source) ? [`${path} is a barrel`] : []),
    ...(/^export\s+default\b/m.test(withoutComments(source)) ? [`${path} has a default export`] : []),
  ]);

/** What a line of code must not say in a folder, and why. */
const bans: readonly { in: readonly string[]; except?: readonly string[]; says: RegExp; because: string }[] = [
  { in: ['shared', 'functions'], says: /\bz\.coerce\b/, because: 'coercion turns "" and null into 0' },
  {
    in: ['shared', 'functions', 'infra'],
    except: ['shared/env.ts', 'infra/local'],
    says: /\bprocess\.env\b/,
    because: 'the environment is read in env.ts',
  },
  {
    in: ['shared', 'functions'],
    except: [log, 'shared/pages/assets'],
    says: /\bconsole\./,
    because: 'lines go through log.ts, which redacts them; what runs in the browser has its own console',
  },
  {
    in: ['shared/domain', 'shared/events', 'shared/tax', 'shared/wire', 'functions'],
    says: /\bDate\.now\(\)|\bnew Date\(\)|\bMath\.random\b|\brandomUUID\b/,
    because: 'time and chance come from the runtime',
  },
  {
    in: ['shared', 'functions'],
    says: /\bparseFloat\b/,
    because: 'money is not a float',
  },
  {
    in: ['shared/domain', 'shared/tax', 'shared/wire', 'shared/use-cases'],
    says: /\.toFixed\(/,
    because: 'rounding has one door',
  },
  {
    in: ['shared', 'functions'],
    says: /(?:[!=]==\s*|\b)(?:\w*\.)?(?:\w*(?:secret|signature|token|digest|mac))\b\s*(?:[!=]==)|[!=]==\s*(?:\w+\.)*(?:\w*(?:secret|signature|token|digest|mac))\b(?!\()/i,
    because: 'secrets are compared by timingSafeEqual',
  },
  {
    in: ['shared', 'functions', 'infra', 'test'],
    says: new RegExp(`/${'work'}/|\\.\\./${'shared'}/reference`),
    because: 'the repository stands on its own',
  },
];

/** Lines that look like what is banned and are not, as they stand. */
const harmlessLines: readonly string[] = [
  // both sides are the caller's own text: only one spelling of a signature is accepted
  "const isExact = excess === undefined && given.toString('base64url') === signature && given.length === expected.length;",
];

const bannedLines = (tree: Tree): string[] =>
  Object.entries(tree).flatMap(([path, source]) =>
    bans
      .filter(
        (ban) => ban.in.some((place) => isWithin(path, place)) && !ban.except?.some((place) => isWithin(path, place)),
      )
      .flatMap(({ says, because }) =>
        withoutComments(source)
          .split('\n')
          .filter((line) => says.test(line) && !harmlessLines.includes(line.trim()))
          .map((line) => `${path}: ${line.trim()}: ${because}`),
      ),
  );

const root = fileURLToPath(new URL('..', import.meta.url));

const treeOf = (...folders: string[]): Tree =>
  Object.fromEntries(
    folders
      .flatMap((folder) =>
        readdirSync(`${root}/${folder}`, { recursive: true }).map((path) => `${folder}/${path}`.replaceAll('\\', '/')),
      )
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
      .map((path) => [path, readFileSync(`${root}/${path}`, 'utf8')]),
  );

const production = treeOf('shared', 'functions', 'infra');
const everything = { ...production, ...treeOf('test') };

describe('the house', () => {
  it('is read: all of its files, and their imports', () => {
    expect(Object.keys(production).length).toBeGreaterThan(150);
    const edges = Object.entries(production).flatMap(([path, source]) => edgesOf(path, source));
    expect(edges.length).toBeGreaterThan(400);
    for (const { from, to } of edges)
      if (/\.\w+$/.test(to) && to.includes('/') && !to.startsWith('@'))
        expect({ from, to, exists: existsSync(`${root}/${to}`) }).toEqual({ from, to, exists: true });
  });

  it('imports what the table allows, and nothing else', () => {
    expect(forbiddenImports(production)).toEqual([]);
  });

  it('needs every exception that it makes', () => {
    const edges = Object.entries(production).flatMap(([path, source]) => edgesOf(path, source));
    const unused = exceptions.filter(({ from, to }) => !edges.some((edge) => edge.from === from && edge.to === to));
    expect(unused).toEqual([]);
  });

  it('has no circle of imports', () => {
    expect(cycles(production)).toEqual([]);
  });

  it('has no folder without a meaning, no barrel and no default export', () => {
    expect(badShapes(everything)).toEqual([]);
  });

  it('says nothing that is banned', () => {
    expect(bannedLines(everything)).toEqual([]);
  });
});

describe('the functions', () => {
  /** Every `function: '…'` of the route table, the stream, the rules and the schedules. */
  const declared = (value: unknown): string[] => {
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([key, member]) =>
      key === 'function' && typeof member === 'string' ? [member] : declared(member),
    );
  };
  const names = declared({ ...declarations });
  const files = Object.keys(treeOf('functions')).map((path) => path.replace(/^functions\/|\.ts$/g, ''));

  it('are one file for each line of the declarations, and one line for each file', () => {
    expect(names.length).toBeGreaterThan(20);
    expect({ twice: names.filter((name, at) => names.indexOf(name) !== at) }).toEqual({ twice: [] });
    expect([...files].sort()).toEqual([...names].sort());
  });

  it.each(files)('%s exports its handler and nothing else', (name) => {
    const source = everything[`functions/${name}.ts`] ?? '';
    expect(
      [...source.matchAll(/^export\s+(?:const|function|async function|class)\s+(\w+)/gm)].map(
        ([, exported]) => exported,
      ),
    ).toEqual(['handler']);
  });

  it('are named for what they do: a verb and a noun, below their nouns', () => {
    for (const name of files) expect(name).toMatch(/^[a-z-]+\/[a-z]+(-[a-z]+)+$/);
  });
});

/** A guard is trusted after it has been seen to fail. */
describe('the guards', () => {
  const forbidden = (path: string, source: string) => forbiddenImports({ [path]: source });

  it.each([
    ['shared/domain/x.ts', "import { keys } from '../store/keys.ts';"],
    ['shared/domain/x.ts', "import { now } from '../runtime.ts';"],
    ['shared/domain/x.ts', "import { logInfo } from '../log.ts';"],
    ['shared/domain/x.ts', "import { readFileSync } from 'node:fs';"],
    ['shared/domain/x.ts', "import 'undici';"],
    ['shared/domain/x.ts', "import {\n  type Item,\n  keys,\n} from '../store/keys.ts';"],
    ['shared/domain/x.ts', "export { keys } from '../store/keys.ts';"],
    ['shared/domain/x.ts', "export * from '../store/keys.ts';"],
    ['shared/domain/x.ts', "const { now } = await import('../runtime.ts');"],
    ['shared/tax/x.ts', "import { quote } from '../use-cases/price-session.ts';"],
    ['shared/events/x.ts', "import { env } from '../env.ts';"],
    ['shared/use-cases/x.ts', "import { paymentStore } from '../store/payment-store.ts';"],
    ['shared/use-cases/x.ts', "import { presentRefund } from '../wire/refund.ts';"],
    ['shared/store/x.ts', "import { createRefund } from '../use-cases/create-refund.ts';"],
    ['shared/store/x.ts', "import { S3Client } from '@aws-sdk/client-s3';"],
    ['shared/wire/x.ts', "import { env } from '../env.ts';"],
    ['shared/http/x.ts', "import { createRefund } from '../use-cases/payments/create-refund.ts';"],
    ['shared/pages/x.ts', "import { sessions } from '../runtime.ts';"],
    ['shared/env.ts', "import { table } from './runtime.ts';"],
    ['functions/refunds/x.ts', "import { handler } from './create-refund.ts';"],
    ['functions/refunds/x.ts', "import { handler } from '../payments/get-payment.ts';"],
    ['functions/refunds/x.ts', "import { DynamoDBClient } from '@aws-sdk/client-dynamodb';"],
    ['functions/refunds/x.ts', "import { endpoints } from '../../infra/endpoints.ts';"],
    ['infra/merchant-stack.ts', "import { handler } from '../functions/refunds/create-refund.ts';"],
    ['infra/merchant-stack.ts', "import { startSandbox } from '../shared/runtime.ts';"],
    ['infra/local/x.ts', "import { Stack } from 'aws-cdk-lib';"],
    ['infra/local/x.ts', "import { MerchantStack } from '../merchant-stack.ts';"],
    ['shared/utils/x.ts', ''],
    ['shared/stray.ts', ''],
    ['scripts/x.ts', ''],
  ])('see that %s may not say %j', (path, source) => {
    expect(forbidden(path, source)).toHaveLength(1);
  });

  it.each([
    ['shared/domain/x.ts', "import type { PaymentStore } from '../store/payment-store.ts';"],
    ['shared/domain/x.ts', "import { type PaymentStore, type Other } from '../store/payment-store.ts';"],
    ['shared/domain/x.ts', "export type { PaymentStore } from '../store/payment-store.ts';"],
    ['shared/domain/x.ts', "import * as z from 'zod';\nimport { sum } from './money.ts';"],
    ['shared/domain/x.ts', "/*\nimport { keys } from '../store/keys.ts';\n*/\n// import '../store/keys.ts';"],
    ['shared/domain/x.ts', "export const path = '../store/keys.ts';"],
    ['shared/use-cases/x.ts', "import { logWarn } from '../log.ts';"],
    ['functions/refunds/x.ts', "import { now } from '../../shared/runtime.ts';"],
    ['infra/local/x.ts', "import { newId } from '../../shared/runtime.ts';"],
  ])('see that %s may say %j', (path, source) => {
    expect(forbidden(path, source)).toEqual([]);
  });

  it('see a circle', () => {
    const circle = {
      'shared/domain/a.ts': "import { b } from './b.ts';",
      'shared/domain/b.ts': "import { a } from './a.ts';",
    };
    expect(cycles(circle)).toEqual(['shared/domain/a.ts → shared/domain/b.ts → shared/domain/a.ts']);
    expect(cycles({ ...circle, 'shared/domain/b.ts': "import type { a } from './a.ts';" })).toEqual([]);
  });

  it.each([
    ['shared/utils/text.ts', 'export const a = 1;'],
    ['shared/domain/helpers.ts', 'export const a = 1;'],
    ['shared/domain/index.ts', 'export const a = 1;'],
    ['shared/domain/all.ts', "export * from './a.ts';"],
    ['shared/domain/a.ts', 'export default class A {}'],
  ])('see that %s must not hold %j', (path, source) => {
    expect(badShapes({ [path]: source })).toHaveLength(1);
  });

  it.each([
    ['shared/wire/x.ts', 'const Amount = z.coerce.number();'],
    ['shared/runtime.ts', "const stage = process.env['STAGE'];"],
    ['functions/refunds/x.ts', 'console.log(payment);'],
    ['shared/domain/x.ts', 'const now = new Date();'],
    ['shared/domain/x.ts', 'const price = amount.toFixed(2);'],
    ['shared/pages/x.ts', 'if (form.token === session.formToken) return;'],
    ['shared/http/x.ts', 'if (expectedSignature !== given) throw error;'],
    ['shared/webhooks/x.ts', 'return given === secret;'],
    ['test/x.test.ts', `const file = '/${'work'}/notes.md';`],
  ])('see that %s must not say %j', (path, source) => {
    expect(bannedLines({ [path]: source }).length).toBeGreaterThan(0);
  });

  it.each([
    ['shared/env.ts', "const stage = process.env['STAGE'];"],
    ['shared/log.ts', 'console.log(line);'],
    ['shared/domain/x.ts', 'const at = new Date(instant);'],
    ['shared/http/x.ts', 'if (key.hash === undefined) return;'],
    ['shared/webhooks/x.ts', 'const signature = sign(secret);'],
  ])('see that %s may say %j', (path, source) => {
    expect(bannedLines({ [path]: source })).toEqual([]);
  });
});
