import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { type Program, programOf, runProgram, type Surroundings } from './kit/program.ts';
import { type Terminal, terminal } from './kit/terminal.ts';

const Resource = z.object({
  Type: z.string(),
  Metadata: z.record(z.string(), z.unknown()).optional(),
  Properties: z.record(z.string(), z.unknown()).optional(),
  DeletionPolicy: z.string().optional(),
});
export const Template = z.object({ Resources: z.record(z.string(), Resource) });

interface Place {
  /** The template that contains the resource: `Root`, or a nested stack. */
  template: string;
  resource: z.infer<typeof Resource>;
}

export type Resources = ReadonlyMap<string, Place>;

const logGroup = 'AWS::Logs::LogGroup';

/**
 * Types of resources that contain data or are an address. For each, it lists the properties whose change makes
 * CloudFormation replace the resource.
 */
const kept: Readonly<Record<string, readonly string[]>> = {
  'AWS::DynamoDB::Table': ['TableName', 'KeySchema'],
  'AWS::S3::Bucket': ['BucketName'],
  'AWS::Events::EventBus': ['Name'],
  'AWS::Events::Archive': ['ArchiveName', 'SourceArn'],
  'AWS::ApiGatewayV2::Api': ['ProtocolType'],
  'AWS::ApiGatewayV2::DomainName': ['DomainName'],
  'AWS::ApiGatewayV2::Route': ['ApiId', 'RouteKey'],
  'AWS::SQS::Queue': ['QueueName', 'FifoQueue'],
  [logGroup]: ['LogGroupName'],
};

/**
 * The nested stack of a template file: `tillstackdemoliveDashboard1A2B3C4D.nested.template.json` belongs to
 * `Dashboard1A2B3C4D`.
 */
const templateOf = (file: string): string => {
  const [, nested] = /(?:sandbox|live)(\w+)\.nested\.template\.json$/.exec(basename(file)) ?? [];
  return nested ?? 'Root';
};

/** Every resource in a CDK output folder, by its logical id. */
export function readResources(folder: string): Resources {
  if (!existsSync(folder))
    throw new Error(`There is no folder ${folder}. "npx cdk synth --output ${folder}" makes it.`);
  const files = globSync('tillstack*.template.json', { cwd: folder }).filter((file) => !/-protection\./.test(file));
  if (files.filter((file) => templateOf(file) === 'Root').length !== 1)
    throw new Error(`${folder} must hold the templates of one stack, but has ${files.length} files of templates.`);
  return placedResources(files.map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') })));
}

/** Every resource of a stack's templates, by its logical id. */
export const placedResources = (templates: readonly { file: string; text: string }[]): Resources =>
  new Map(
    templates.flatMap(({ file, text }) => {
      const { Resources: resources } = Template.parse(JSON.parse(text));
      const template = templateOf(file);
      return Object.entries(resources).map(([id, resource]) => [id, { template, resource }] as const);
    }),
  );

type Change = 'added' | 'removed' | 'changed' | 'code';

/**
 * How a resource changes; undefined if it does not. A deployment replaces the code of every function, so changes of
 * only the code are counted separately.
 */
function changeOf(before: Place | undefined, after: Place | undefined): Change | undefined {
  if (!before) return 'added';
  if (!after) return 'removed';
  const { Code: oldCode, ...old } = before.resource.Properties ?? {};
  const { Code: newCode, ...now } = after.resource.Properties ?? {};
  if (before.template !== after.template || !isDeepStrictEqual(old, now)) return 'changed';
  return isDeepStrictEqual(oldCode, newCode) ? undefined : 'code';
}

/** Why an operator must check the change before the deployment; undefined if there is no reason. */
function dangerOf(before: Place | undefined, after: Place | undefined): string | undefined {
  if (!before) return undefined;
  const { Type: type, Properties: old = {} } = before.resource;
  const decisive = kept[type];
  if (!decisive) return undefined;
  if (!after) return type === logGroup ? undefined : 'is removed';
  if (before.template !== after.template)
    return `moves from ${before.template} to ${after.template}, which replaces it`;
  const replaced = decisive.filter((name) => !isDeepStrictEqual(old[name], after.resource.Properties?.[name]));
  return replaced.length > 0 ? `is replaced, because ${replaced.join(' and ')} changes` : undefined;
}

/** Says what happens to logs to which the new release no longer writes. An upgrade need not wait for them. */
function leftLogs(before: Resources, after: Resources): string[] {
  const left = [...before].flatMap(([id, { resource }]) =>
    resource.Type === logGroup && !after.has(id) ? [resource.DeletionPolicy?.startsWith('Retain') ?? false] : [],
  );
  const kept = left.filter((isKept) => isKept).length;
  const lost = left.length - kept;
  return [
    ...(kept > 0 ? [`Log groups that leave the stack and stay in the account until their lines expire: ${kept}.`] : []),
    ...(lost > 0 ? [`Log groups that are deleted with their lines: ${lost}.`] : []),
  ].flatMap((line) => ['', line]);
}

interface StackChanges {
  lines: string[];
  dangers: string[];
}

/** Compares the resources of two releases, as Markdown. */
export function compareStacks(before: Resources, after: Resources): StackChanges {
  const ids = [...new Set([...before.keys(), ...after.keys()])];
  const found = ids.flatMap((id) => {
    const [old, now] = [before.get(id), after.get(id)];
    const change = changeOf(old, now);
    const type = (now ?? old)?.resource.Type ?? '';
    return change ? [{ id, type, change, danger: dangerOf(old, now) }] : [];
  });
  const types = [...new Set(found.map(({ type }) => type))].sort();
  const count = (type: string, change: Change) =>
    found.filter((one) => one.type === type && one.change === change).length;
  const rows = types.map((type) => {
    const counts = (['added', 'changed', 'code', 'removed'] as const).map((change) => count(type, change) || '');
    return `| \`${type}\` | ${counts.join(' | ')} |`;
  });
  const dangers = found.flatMap(({ id, type, danger }) => (danger ? [`\`${id}\` (\`${type}\`) ${danger}`] : []));
  const table = ['| resource | added | changed | new code | removed |', '|---|---|---|---|---|', ...rows];
  return {
    dangers,
    lines: [
      '### What changes in your stack',
      '',
      ...(rows.length > 0 ? table : ['Nothing.']),
      '',
      ...(dangers.length > 0
        ? ['Look at these before you deploy:', '', ...dangers.map((danger) => `- ${danger}`)]
        : ['Nothing that holds data or has an address is removed or replaced.']),
      ...leftLogs(before, after),
    ],
  };
}

const changesProgram: Program<undefined, Surroundings> = programOf({
  name: 'tillstack-changes',
  file: import.meta.filename,
  invocation: 'npm run changes --',
  about: 'Says what an upgrade changes in a stack.',
  notes: '',
  options: {},
  open: () => undefined,
  commands: [
    {
      name: '',
      summary:
        'Says what an upgrade changes in a stack, from what "npx cdk synth" of both releases has written. It calls no AWS.',
      takes: ['<cdk.out of the old release>', '<cdk.out of the new one>'],
      details: `It prints Markdown for the notes of a release. It ends with 1 if something that holds data or has an address would be
removed or replaced.`,
      examples: ['../before/cdk.out cdk.out'],
      run: async (typed) => {
        const { lines, dangers } = compareStacks(readResources(typed.word(0)), readResources(typed.word(1)));
        return { text: lines.join('\n'), json: { lines, dangers }, isFine: dangers.length === 0 };
      },
    },
  ],
});

/** Runs `npm run changes -- <old> <new>` and returns its exit code. */
export const runChanges = (args: readonly string[], to: Terminal): Promise<number> =>
  runProgram(changesProgram, args, { terminal: to });

if (import.meta.main) process.exitCode = await runChanges(process.argv.slice(2), terminal);
