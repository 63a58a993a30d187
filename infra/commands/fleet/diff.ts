import { type CloudFormationClient, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import { findStack, stackParts } from '../ops/stack-parts.ts';
import { compareStacks, placedResources, type Resources, readResources, Template } from '../stack-changes.ts';
import { takeRole } from './access.ts';
import type { CdkFiles } from './cdk.ts';
import { type FleetContext, messageOf } from './fleet-context.ts';
import type { FleetStack } from './targets.ts';

/** What a deployment would change in one stack. */
export interface StackDiff {
  stack: string;
  lines: string[];
  /** What holds data or has an address, and would be removed or replaced. */
  dangers: string[];
  /** Why the stack cannot be compared; null if it was. */
  problem: string | null;
}

async function readTemplate(client: CloudFormationClient, StackName: string): Promise<string> {
  const { TemplateBody = '' } = await client.send(new GetTemplateCommand({ StackName, TemplateStage: 'Original' }));
  return TemplateBody;
}

/** Every resource of a deployed stack, under the names of the files that the CDK has written. */
async function deployedResources(client: CloudFormationClient, name: string): Promise<Resources> {
  const text = await readTemplate(client, name);
  const { Resources: resources } = Template.parse(JSON.parse(text));
  const nested = (await stackParts(client, name)).filter(
    ({ type, physicalId }) => type === 'AWS::CloudFormation::Stack' && physicalId !== '',
  );
  const templates = nested.map(async ({ logicalId, physicalId }) => {
    const file = String(resources[logicalId]?.Metadata?.['aws:asset:path']);
    return { file, text: await readTemplate(client, physicalId) };
  });
  return placedResources([{ file: `${name}.template.json`, text }, ...(await Promise.all(templates))]);
}

/** Compares the deployed templates of a stack with those that these sources make. It changes nothing. */
export async function diffOf(context: FleetContext, target: FleetStack, files: CdkFiles): Promise<StackDiff> {
  const { name } = target;
  try {
    const { clients } = await takeRole(target, context.openClients);
    const isThere = await findStack(clients.cloudFormation, name);
    if (!isThere) return { stack: name, lines: ['The stack is new.'], dangers: [], problem: null };
    const before = await deployedResources(clients.cloudFormation, name);
    await context.cdk.synth(target, files);
    return { stack: name, ...compareStacks(before, readResources(files.assembly)), problem: null };
  } catch (error) {
    return { stack: name, lines: [], dangers: [], problem: messageOf(error) };
  }
}
