import { App, NestedStack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { constructIdOf } from '../../infra/function-names.ts';
import { loadMerchantConfig, MerchantConfig } from '../../infra/merchant-config.ts';
import type { TillstackStack } from '../../infra/merchant-stack.ts';
import { addStacks } from '../../infra/stacks.ts';
import type { StageSettings } from '../../infra/stage-settings.ts';
import type { Merchant, Stage } from '../../shared/domain/merchant.ts';
import { keptStacks } from './whole-stage/kept-stacks.ts';

/** CloudFormation's own rules take ten times as long as the template: nag.test.ts and `npm run synth` apply them. */
process.env['CDK_VALIDATION'] = 'false';

/** Where each construct was created goes into no template, and to look it up takes a third of the time. */
export const quickApp = (): App =>
  new App({
    stackTraces: false,
    treeMetadata: false,
    context: { 'aws:cdk:disable-creation-stack-traces': true },
  });

/** Stands for every bundle, so that a template takes a second and needs no esbuild: it answers the function's name. */
export const fakeCode = (name: string) => Code.fromInline(`exports.handler = () => '${name}';`);

/** A resource of a template; tests read it without a schema. */
export type Resource = {
  Type: string;
  Properties: ReturnType<Template['toJSON']>;
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
  DependsOn?: string[];
};

/** A version that no commit changes. */
export const testVersion = '1.2.3+0a1b2c3d';

const demo = loadMerchantConfig('demo');

/** Settings that tests of several files look at, so that one template shows them all: each is seen by its own resources. */
export const optional = {
  tracing: true,
  logRetentionDays: 7,
  throttle: { ratePerSecond: 7, burst: 9 },
  permissionsBoundary: 'arn:aws:iam::123456789012:policy/boundary',
} as const satisfies Partial<StageSettings>;

/** A live stage that takes payments by Stripe and mails receipts. */
export const selling = [
  'live',
  { processor: { name: 'stripe' } },
  { receipts: { from: 'receipts@example.com' } },
] as const satisfies [Stage, Partial<StageSettings>, Partial<Merchant>];

/** The address of a stage that has its own. */
export const customDomain = {
  domainName: 'pay.example.com',
  certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0-1',
};

export function synthesizeStack(
  stage: Stage,
  settings: Partial<StageSettings> = {},
  fields: Partial<Merchant> = {},
): TillstackStack {
  const merchant = { ...demo.merchant, ...fields };
  const config = MerchantConfig.parse({ merchant, stages: { [stage]: { ...demo.stages[stage], ...settings } } });
  return addStacks(quickApp(), { config, stage, code: fakeCode, version: testVersion });
}

/** A stack behind a distribution, with everything else that adds resources. */
export const walled = {
  protection: 'waf',
  region: 'eu-central-1',
  alarmEmail: 'ops@example.com',
} as const satisfies Partial<StageSettings>;

/** A stack as it is deployed: its own template and those of its nested stacks, by the ids of their constructs. */
interface Synthesis {
  stackName: string;
  terminationProtection: boolean | undefined;
  templates: Record<string, TemplateJson>;
  /** The logical id of each nested stack in the template of the stack itself. */
  nestedIds: Record<string, string>;
}

/** The name that the stack's own template has among all of them. */
const rootName = 'Root';

const syntheses = new Map<string, Synthesis>();
const keptSynthesis = keptStacks<Synthesis>('templates', 'test/infra/synthesized.ts');
const flattened = new Map<Synthesis, Template>();

/** The demo merchant's stack, synthesized once for all files that ask for the same settings. */
export function synthesisOf(
  stage: Stage,
  settings: Partial<StageSettings> = {},
  fields: Partial<Merchant> = {},
): Synthesis {
  const key = JSON.stringify([stage, settings, fields]);
  const made = () => keptSynthesis(key, () => synthesize(synthesizeStack(stage, settings, fields)));
  const synthesis = syntheses.get(key) ?? made();
  syntheses.set(key, synthesis);
  return synthesis;
}

function synthesize(stack: TillstackStack): Synthesis {
  const nested = stack.node.findAll().filter((construct) => construct instanceof NestedStack);
  const templates = [stack, ...nested].map((one) => [
    one === stack ? rootName : one.node.id,
    Template.fromStack(one).toJSON(),
  ]);
  const nestedIds = nested.map((one) => [
    one.node.id,
    one.nestedStackParent?.resolve(one.nestedStackResource?.logicalId) as string,
  ]);
  const { stackName, terminationProtection } = stack;
  return {
    stackName,
    terminationProtection,
    templates: Object.fromEntries(templates),
    nestedIds: Object.fromEntries(nestedIds),
  };
}

/** The template of the demo merchant's stack, with its nested stacks as if they were one. */
export function templateOf(
  stage: Stage,
  settings: Partial<StageSettings> = {},
  fields: Partial<Merchant> = {},
): Template {
  const synthesis = synthesisOf(stage, settings, fields);
  const template = flattened.get(synthesis) ?? flatten(synthesis);
  flattened.set(synthesis, template);
  return template;
}

/** What a parameter or an output of a nested stack stands for takes its place. */
function flatten({ templates, nestedIds }: Synthesis): Template {
  const template = structuredClone(templates[rootName] ?? {});
  const nested = Object.entries(nestedIds).map(([name, id]) => unpack(template, id, templates[name] ?? {}));
  const contents = new Map(nested.map(({ id, resources }) => [id, Object.keys(resources)]));
  for (const resource of Object.values<Resource>(template['Resources']))
    if (resource.DependsOn) resource.DependsOn = resource.DependsOn.flatMap((id) => contents.get(id) ?? [id]);
  const outputs = new Map(nested.map((inner) => [inner.id, inner.outputs]));
  const standsFor = ({ 'Fn::GetAtt': [from = '', output = ''] = [] }: Reference): unknown =>
    outputs.has(from) ? substitute(outputs.get(from)?.[output.replace('Outputs.', '')]?.Value, standsFor) : undefined;
  return Template.fromJSON(substitute(template, standsFor) as object);
}

type TemplateJson = ReturnType<Template['toJSON']>;

/** Puts the resources of a nested stack in its place. */
function unpack(template: TemplateJson, id: string, { Resources: inner, Outputs: outputs }: TemplateJson) {
  const { Parameters: parameters } = template['Resources'][id].Properties;
  delete template['Resources'][id];
  const resources = substitute(inner, (value) => parameters?.[value.Ref ?? '']) as Record<string, Resource>;
  for (const [logicalId, resource] of Object.entries(resources)) {
    if (logicalId in template['Resources']) throw new Error(`Two resources are called ${logicalId}.`);
    template['Resources'][logicalId] = resource;
  }
  return { id, resources, outputs: (outputs ?? {}) as Record<string, { Value: unknown }> };
}

type Reference = { Ref?: string; 'Fn::GetAtt'?: string[] };

/** The same with every reference replaced for which there is something else. */
function substitute(value: unknown, replace: (reference: Reference) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((member) => substitute(member, replace));
  const replacement = replace(value as Reference);
  if (replacement !== undefined) return replacement;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, substitute(member, replace)]));
}

const found = new WeakMap<Template, Map<string, Record<string, Resource>>>();

/** The resources of a type, by logical id. At least one: a type that matches nothing would let every test pass. */
export function resourcesOf(template: Template, type: string): Record<string, Resource> {
  const byType = found.get(template) ?? resourcesByType(template);
  found.set(template, byType);
  const resources = byType.get(type);
  if (resources === undefined) throw new Error(`The template has no ${type}.`);
  return resources;
}

/** A template has a thousand resources, and tests ask for those of a type for each function. */
function resourcesByType(template: Template): Map<string, Record<string, Resource>> {
  const byType = Map.groupBy(Object.entries<Resource>(template.toJSON().Resources), ([, { Type }]) => Type);
  return new Map([...byType].map(([type, resources]) => [type, Object.fromEntries(resources)]));
}

/** The only resource of a type. */
export function theOnly(template: Template, type: string): Resource {
  const resources = Object.values(resourcesOf(template, type));
  if (resources.length !== 1) throw new Error(`The template has ${resources.length} of ${type}.`);
  return resources[0]!;
}

/** The bucket in one construct of the stack: `Images` or `Files`. */
export function bucketOf(template: Template, construct: 'Images' | 'Files'): Resource {
  const buckets = Object.entries(resourcesOf(template, 'AWS::S3::Bucket'));
  const found = buckets.find(([id]) => id.startsWith(`${construct}Bucket`));
  if (!found) throw new Error(`The template has no bucket in ${construct}.`);
  return found[1];
}

/** The logical id that a resource has because of its construct's id: `CreateRefund` + eight hexadecimal digits. */
export function logicalIdOf(template: Template, type: string, constructId: string): string {
  const pattern = new RegExp(`^${constructId}[0-9A-F]{8}$`);
  const id = Object.keys(resourcesOf(template, type)).find((key) => pattern.test(key));
  if (id === undefined) throw new Error(`The template has no ${type} named ${constructId}.`);
  return id;
}

/** The deployed function of a line of the route table. */
export function functionOf(template: Template, functionName: string): Resource {
  const type = 'AWS::Lambda::Function';
  return resourcesOf(template, type)[logicalIdOf(template, type, constructIdOf(functionName))]!;
}

export interface Statement {
  Effect: 'Allow' | 'Deny';
  Action: string[];
  Resource: unknown[];
  Condition?: Record<string, Record<string, string | string[]>>;
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

/** Everything that a function's role may do. */
export function statementsOf(template: Template, functionName: string): Statement[] {
  const type = 'AWS::IAM::Role';
  const role = resourcesOf(template, type)[logicalIdOf(template, type, `${constructIdOf(functionName)}Role`)]!;
  return role.Properties['Policies']
    .flatMap(({ PolicyDocument }: { PolicyDocument: { Statement: Statement[] } }) => PolicyDocument.Statement)
    .map((statement: Statement) => ({
      ...statement,
      Action: asList(statement.Action),
      Resource: asList(statement.Resource),
    }));
}
