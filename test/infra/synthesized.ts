import { App, NestedStack, type Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { constructIdOf } from '../../infra/function-names.ts';
import { loadMerchantConfig, MerchantConfig } from '../../infra/merchant-config.ts';
import type { MerchantStack } from '../../infra/merchant-stack.ts';
import { addStacks } from '../../infra/stacks.ts';
import type { StageSettings } from '../../infra/stage-settings.ts';
import type { Merchant, Stage } from '../../shared/domain/merchant.ts';

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

const demo = loadMerchantConfig('demo');

export function synthesizeStack(
  stage: Stage,
  settings: Partial<StageSettings> = {},
  fields: Partial<Merchant> = {},
): MerchantStack {
  const merchant = { ...demo.merchant, ...fields };
  const config = MerchantConfig.parse({ merchant, stages: { [stage]: { ...demo.stages[stage], ...settings } } });
  return addStacks(quickApp(), { config, stage, code: fakeCode });
}

const templates = new Map<string, Template>();

/** The demo merchant's template, synthesized once per test file. */
export function templateOf(
  stage: Stage,
  settings: Partial<StageSettings> = {},
  fields: Partial<Merchant> = {},
): Template {
  const key = JSON.stringify([stage, settings, fields]);
  const template = templates.get(key) ?? flatten(synthesizeStack(stage, settings, fields));
  templates.set(key, template);
  return template;
}

/** The stack with its nested stacks as if they were one: what a parameter or an output stands for takes its place. */
function flatten(stack: Stack): Template {
  const template = Template.fromStack(stack).toJSON();
  const nested = nestedStacksOf(stack).map((inner) => unpack(template, inner));
  const contents = new Map(nested.map(({ id, resources }) => [id, Object.keys(resources)]));
  for (const resource of Object.values<Resource>(template['Resources']))
    if (resource.DependsOn) resource.DependsOn = resource.DependsOn.flatMap((id) => contents.get(id) ?? [id]);
  const outputs = new Map(nested.map((inner) => [inner.id, inner.outputs]));
  const standsFor = ({ 'Fn::GetAtt': [from = '', output = ''] = [] }: Reference): unknown =>
    outputs.has(from) ? substitute(outputs.get(from)?.[output.replace('Outputs.', '')]?.Value, standsFor) : undefined;
  return Template.fromJSON(substitute(template, standsFor) as object);
}

export const nestedStacksOf = (stack: Stack): NestedStack[] =>
  stack.node.findAll().filter((construct) => construct instanceof NestedStack);

/** Puts the resources of a nested stack in its place. */
function unpack(template: ReturnType<Template['toJSON']>, nested: NestedStack) {
  const id: string = nested.nestedStackParent?.resolve(nested.nestedStackResource?.logicalId);
  const { Parameters: parameters } = template['Resources'][id].Properties;
  delete template['Resources'][id];
  const { Resources: inner, Outputs: outputs } = Template.fromStack(nested).toJSON();
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

/** The resources of a type, by logical id. At least one: a type that matches nothing would let every test pass. */
export function resourcesOf(template: Template, type: string): Record<string, Resource> {
  const found = Object.entries<Resource>(template.toJSON().Resources).filter(([, resource]) => resource.Type === type);
  if (found.length === 0) throw new Error(`The template has no ${type}.`);
  return Object.fromEntries(found);
}

/** The only resource of a type. */
export function theOnly(template: Template, type: string): Resource {
  const found = Object.values(resourcesOf(template, type));
  if (found.length !== 1) throw new Error(`The template has ${found.length} of ${type}.`);
  return found[0]!;
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
