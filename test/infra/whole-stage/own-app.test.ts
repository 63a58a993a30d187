import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { MerchantConfig } from '../../../infra/merchant-config.ts';
import { TillstackStack, type TillstackStackProps } from '../../../infra/merchant-stack.ts';
import { eventTypes } from '../../../shared/events/catalogue.ts';
import { fakeCode, quickApp, type Resource, testVersion } from '../synthesized.ts';

const page = 'docs/event-bus.md';
const text = readFileSync(page, 'utf8');
const root = process.cwd();
const exampleOf = (name: string): string =>
  new RegExp(`<!-- ${name} -->\\n\`\`\`ts\\n([\\s\\S]*?)\`\`\``).exec(text)?.[1] ?? '';

const folder = mkdtempSync(join(tmpdir(), 'own-app-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A repository of a merchant's own with a clone in it, as the page sets it up. */
function setUp(): void {
  symlinkSync(root, join(folder, 'tillstack'));
  symlinkSync('tillstack/node_modules', join(folder, 'node_modules'));
  mkdirSync(join(folder, 'merchants'));
  writeFileSync(join(folder, 'merchants/demo.json'), readFileSync('infra/merchants/demo.json'));
}
setUp();

/** Bundles no functions, which takes longer than all of the rest. */
const quickCode = `import { Code } from 'aws-cdk-lib/aws-lambda';
export const stageCode = async () => (name: string) => Code.fromInline('// ' + name);
`;

type Template = { Resources: Record<string, Resource>; Outputs?: Record<string, { Export?: { Name: string } }> };

/** Runs an app of the page as the CDK's command line does, and answers the templates by their stacks. */
function run(name: string): Record<string, Template> {
  writeFileSync(join(folder, 'stage-code.ts'), quickCode);
  const source = exampleOf(name).replace('./tillstack/infra/stage-code.ts', './stage-code.ts');
  writeFileSync(join(folder, `${name}.ts`), source);
  const outdir = join(folder, `${name}.out`);
  const { context } = JSON.parse(readFileSync('cdk.json', 'utf8'));
  const env = {
    ...process.env,
    CDK_OUTDIR: outdir,
    CDK_CONTEXT_JSON: JSON.stringify(context),
    CDK_VALIDATION: 'false',
  };
  const node = join(root, 'node_modules/.bin/node');
  const { status, stderr } = spawnSync(node, [`${name}.ts`], { cwd: folder, encoding: 'utf8', env });
  expect([status, stderr]).toEqual([0, '']);
  const files = globSync('*.template.json', { cwd: outdir });
  return Object.fromEntries(
    files.map((file) => [file.replace('.template.json', ''), JSON.parse(readFileSync(join(outdir, file), 'utf8'))]),
  );
}

const ofType = (template: Template | undefined, type: string): Resource[] =>
  Object.values(template?.Resources ?? {}).filter(({ Type }) => Type === type);

describe('the page about rules of a merchant’s own', () => {
  it('lists all types of events (UPDATE_DOCS=1 rewrites the list)', () => {
    const section = /<!-- types -->\n([\s\S]*?)<!-- \/types -->/;
    const list = `${eventTypes.map((type) => `\`${type}\``).join(', ')}.\n`;
    if (process.env['UPDATE_DOCS'])
      writeFileSync(page, text.replace(section, `<!-- types -->\n${list}<!-- /types -->`));
    else expect(section.exec(text)?.[1]).toBe(list);
  });

  it('has an app that imports the stack from a clone and puts its own rule on the bus', () => {
    const { 'tillstack-demo-sandbox': till, warehouse } = run('app');
    const [rule, ...others] = ofType(warehouse, 'AWS::Events::Rule');
    expect(others).toEqual([]);
    const [shared] = Object.values(till?.Outputs ?? {}).flatMap(
      ({ Export: { Name = '' } = {} as never }) => Name || [],
    );
    expect(rule?.Properties).toMatchObject({
      EventBusName: { 'Fn::ImportValue': shared },
      EventPattern: {
        source: ['tillstack'],
        'detail-type': ['payment.succeeded', 'refund.succeeded'],
        detail: { test: [{ exists: false }] },
      },
    });
    expect(ofType(till, 'AWS::DynamoDB::Table')).toHaveLength(1);
    expect(ofType(till, 'AWS::SQS::Queue')).toHaveLength(5);
    expect(ofType(warehouse, 'AWS::SQS::Queue')).toHaveLength(2);
  });

  it('has a stack for another account with a rule that sends events to the bus of that account', () => {
    const { 'sales-from-tillstack': other } = run('other-account');
    const [rule] = ofType(other, 'AWS::Events::Rule');
    expect(rule?.Properties['EventBusName']).toMatch(/^arn:aws:events:/);
    expect(ofType(other, 'AWS::Events::EventBus')).toHaveLength(1);
    expect(rule?.Properties['Targets']).toMatchObject([{ Arn: expect.anything(), RoleArn: expect.anything() }]);
  });

  it('explains every prop of the stack', () => {
    const props: Record<keyof TillstackStackProps, true> = {
      config: true,
      stage: true,
      code: true,
      version: true,
      webAclArn: true,
    };
    const explained = [...text.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
    expect(explained).toEqual(expect.arrayContaining(Object.keys(props)));
  });
});

it('an app that imports the stack cannot forget the web ACL of a protected stage', () => {
  const { merchant } = JSON.parse(readFileSync('infra/merchants/demo.json', 'utf8'));
  const config = MerchantConfig.parse({
    merchant,
    stages: { live: { protection: 'waf', region: 'eu-central-1' } },
  });
  const props: TillstackStackProps = { config, stage: 'live', code: fakeCode, version: testVersion };
  expect(() => new TillstackStack(quickApp(), props)).toThrow('Use addStacks');
});
