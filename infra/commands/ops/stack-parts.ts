import {
  type CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
  type Stack,
} from '@aws-sdk/client-cloudformation';
import { constructIdOf, functionNames } from '../../function-names.ts';

/** A resource of a stack or of one of its nested stacks. */
export interface StackPart {
  logicalId: string;
  type: string;
  physicalId: string;
  status: string;
}

/** A deployed function of the route table. */
export interface DeployedPart {
  /** The name of the function, such as `refunds/create-refund`. */
  name: string;
  physicalId: string;
}

/**
 * Whether the error means that the stack does not exist. CloudFormation has no special error for that. For a valid
 * name, there is no other validation error.
 */
const isAbsent = (error: unknown): boolean => error instanceof Error && error.name === 'ValidationError';

/** Finds the stack. CloudFormation finds a deleted stack only by its id. */
export async function findStack(client: CloudFormationClient, name: string): Promise<Stack | undefined> {
  try {
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName: name }));
    return stack;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

export async function getStack(client: CloudFormationClient, name: string): Promise<Stack> {
  const stack = await findStack(client, name);
  if (stack) return stack;
  const region = await client.config.region();
  throw new Error(`There is no stack ${name} in ${region}. Check the account, the region, --merchant and --stage.`);
}

/** Every resource of a stack and of its nested stacks. */
export async function stackParts(client: CloudFormationClient, stackName: string): Promise<StackPart[]> {
  const parts: StackPart[] = [];
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName: stackName }))
    for (const {
      LogicalResourceId = '',
      ResourceType = '',
      PhysicalResourceId = '',
      ResourceStatus = '',
    } of StackResourceSummaries)
      parts.push({
        logicalId: LogicalResourceId,
        type: ResourceType,
        physicalId: PhysicalResourceId,
        status: ResourceStatus,
      });
  const nested = parts.filter(({ type, physicalId }) => type === 'AWS::CloudFormation::Stack' && physicalId !== '');
  const inner = await Promise.all(nested.map(({ physicalId }) => stackParts(client, physicalId)));
  return [...parts, ...inner.flat()];
}

/** Whether the logical id belongs to a construct. It is the path of the construct and eight hexadecimal digits. */
export const isConstruct = ({ logicalId }: StackPart, path: string): boolean =>
  logicalId.startsWith(path) && /^[0-9A-F]{8}$/.test(logicalId.slice(path.length));

/**
 * The resource of a type at the path of a construct. Undefined if the stack does not have it, as with an older version.
 */
export const partOf = (parts: readonly StackPart[], type: string, path: string): StackPart | undefined =>
  parts.find((part) => part.type === type && isConstruct(part, path));

/** The deployed functions of the route table. */
export function functionsIn(parts: readonly StackPart[], names: readonly string[] = functionNames): DeployedPart[] {
  const functions = parts.filter(({ type }) => type === 'AWS::Lambda::Function');
  return names.flatMap((name) => {
    const part = functions.find((one) => isConstruct(one, constructIdOf(name)));
    return part ? [{ name, physicalId: part.physicalId }] : [];
  });
}
