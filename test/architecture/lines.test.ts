import { basename, dirname } from 'node:path/posix';
import { describe, expect, it } from 'vitest';
import * as declarations from '../../infra/endpoints.ts';
import { isWithin, type Tree, treeOf } from './tree.ts';

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');

const forbiddenNames = /^(utils?|helpers?|common|types?|misc|lib|ports)$/;

/** Finds folders with meaningless names, barrels and default exports. A module that replaces a package may export the rest of it. */
const badShapes = (tree: Tree): string[] =>
  Object.entries(tree).flatMap(([path, source]) => [
    ...(path.split('/').some((part) => forbiddenNames.test(part.replace(/\.ts$/, '')))
      ? [`${path} has a name that says nothing`]
      : []),
    ...(basename(path) === 'index.ts' || /^export\s+\*\s+from(?!.*\/node_modules\/)/m.test(source)
      ? [`${path} is a barrel`]
      : []),
    ...(/^export\s+default\b/m.test(withoutComments(source)) ? [`${path} has a default export`] : []),
  ]);

/** What a line of code must not say in a folder, and why. */
const bans: readonly { in: readonly string[]; except?: readonly string[]; says: RegExp; because: string }[] = [
  { in: ['shared', 'functions'], says: /\bz\.coerce\b/, because: 'coercion turns "" and null into 0' },
  {
    in: ['shared', 'functions', 'infra'],
    except: [
      'shared/env.ts',
      'infra/local',
      'infra/local-aws',
      'infra/commands/integrator/environment.ts',
      'infra/commands/fleet/cdk.ts',
      'infra/reference/snippets.ts',
    ],
    says: /\bprocess\.env\b/,
    because: 'the environment is read in env.ts',
  },
  {
    in: ['shared', 'functions'],
    except: ['shared/log.ts'],
    says: /\bconsole\.(?!(amazon)?aws)/,
    because: 'lines go through log.ts, which redacts them',
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
    in: [
      'shared/checkout-page',
      'shared/dashboard',
      'shared/documents',
      'shared/order-page',
      'shared/pages',
      'shared/portal',
      'shared/site',
      'shared/withdrawal-page',
    ],
    says: /\b(?:error|refusal|problem|cause|broken)\b\??\.message\b/,
    because: 'a page says codes and rules in its own language, and never the sentence of the API',
  },
  {
    in: ['shared', 'functions', 'infra', 'test'],
    says: new RegExp(`/${'work'}/|\\.\\./${'shared'}/reference`),
    because: 'the repository stands on its own',
  },
];

/** Lines that look like what is banned and are not, as they stand. */
const harmlessLines: readonly string[] = [
  // this error goes on to the program that asked, with one more member
  'throw new DomainError(error.code, error.message, { ...error.details, extra: { payment_id: paymentId } });',
  // the server has sent these words in the language of the page
  "const text = error instanceof Refused ? error.message : said(error instanceof Cancelled ? 'cancelled' : 'failed');",
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

const mostFiles = 18;

/** Folders with more files than a reader takes in at a glance. */
function crowdedFolders(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > mostFiles).map(([folder, count]) => `${folder} has ${count} files`);
}

const everything = treeOf('shared', 'functions', 'infra', 'test');

describe('the source tree', () => {
  it('has no meaningless folder name, no re-export file and no default export', () => {
    expect(badShapes(everything)).toEqual([]);
  });

  it('has no folder with more than about fifteen files', () => {
    expect(crowdedFolders(Object.keys(everything))).toEqual([]);
  });

  it('contains no banned expression', () => {
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
  /** `schedules` lists what is declared before it. */
  const names = declared({ ...declarations, schedules: [] });
  const files = Object.keys(treeOf('functions')).map((path) => path.replace(/^functions\/|\.ts$/g, ''));

  it('have one file for each declared function, and one declaration for each file', () => {
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

  it('are named by a verb and a noun, in the folder of the noun', () => {
    for (const name of files) expect(name).toMatch(/^[a-z-]+\/[a-z]+(-[a-z]+)+$/);
  });
});

/** A guard is trusted after it has been seen to fail. */
describe('the checks of this file', () => {
  it('find a folder with too many files', () => {
    const paths = Array.from({ length: 19 }, (_, at) => `shared/domain/${at}.ts`);
    expect(crowdedFolders(paths)).toEqual(['shared/domain has 19 files']);
    expect(crowdedFolders(paths.slice(1))).toEqual([]);
  });

  it.each([
    ['shared/utils/text.ts', 'export const a = 1;'],
    ['shared/domain/helpers.ts', 'export const a = 1;'],
    ['shared/domain/index.ts', 'export const a = 1;'],
    ['shared/domain/all.ts', "export * from './a.ts';"],
    ['shared/domain/a.ts', 'export default class A {}'],
  ])('find that the folder %s must not contain the file %j', (path, source) => {
    expect(badShapes({ [path]: source })).toHaveLength(1);
  });

  it.each([
    ['shared/wire/x.ts', 'const Amount = z.coerce.number();'],
    ['shared/wiring/runtime.ts', "const stage = process.env['STAGE'];"],
    ['functions/refunds/x.ts', 'console.log(payment);'],
    ['shared/domain/x.ts', 'const now = new Date();'],
    ['shared/domain/x.ts', 'const price = amount.toFixed(2);'],
    ['shared/pages/x.ts', 'if (form.token === session.formToken) return;'],
    ['shared/portal/x.ts', 'const said = refusal.message;'],
    ['shared/http/x.ts', 'if (expectedSignature !== given) throw error;'],
    ['shared/outside/webhooks/x.ts', 'return given === secret;'],
    ['test/x.test.ts', `const file = '/${'work'}/notes.md';`],
  ])('find that the file %s must not contain %j', (path, source) => {
    expect(bannedLines({ [path]: source }).length).toBeGreaterThan(0);
  });

  it.each([
    ['shared/env.ts', "const stage = process.env['STAGE'];"],
    ['shared/log.ts', 'console.log(line);'],
    ['shared/dashboard/x.ts', "const host = 'console.aws.amazon.com';"],
    ['shared/domain/x.ts', 'const at = new Date(instant);'],
    ['shared/http/x.ts', 'if (key.hash === undefined) return;'],
    ['shared/outside/webhooks/x.ts', 'const signature = sign(secret);'],
  ])('accept that the file %s contains %j', (path, source) => {
    expect(bannedLines({ [path]: source })).toEqual([]);
  });
});
