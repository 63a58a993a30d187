import {
  DescribeStackDriftDetectionStatusCommand,
  DetectStackDriftCommand,
  paginateDescribeStackResourceDrifts,
} from '@aws-sdk/client-cloudformation';
import type { OperatorClients } from '../ops/context.ts';
import { type StackPart, stackParts } from '../ops/stack-parts.ts';

/** Waits between two questions of a command. A test does not wait. */
export type Pause = (ms: number) => Promise<unknown>;

const pauseMs = 5_000;

/** Compares a stack with its resources, as AWS has them. Returns those that somebody has changed or removed. */
async function driftIn(client: OperatorClients['cloudFormation'], StackName: string, pause: Pause): Promise<string[]> {
  const { StackDriftDetectionId } = await client.send(new DetectStackDriftCommand({ StackName }));
  for (;;) {
    const status = await client.send(new DescribeStackDriftDetectionStatusCommand({ StackDriftDetectionId }));
    if (status.DetectionStatus === 'DETECTION_FAILED')
      throw new Error(`The drift of ${StackName} cannot be found: ${status.DetectionStatusReason}`);
    if (status.DetectionStatus === 'DETECTION_COMPLETE') break;
    await pause(pauseMs);
  }
  const changed = { StackName, StackResourceDriftStatusFilters: ['MODIFIED' as const, 'DELETED' as const] };
  const found: string[] = [];
  for await (const { StackResourceDrifts = [] } of paginateDescribeStackResourceDrifts({ client }, changed))
    found.push(
      ...StackResourceDrifts.map((one) => `${one.LogicalResourceId} is ${one.StackResourceDriftStatus?.toLowerCase()}`),
    );
  return found;
}

const isNested = ({ type, physicalId }: StackPart): boolean =>
  type === 'AWS::CloudFormation::Stack' && physicalId !== '';

/** Finds the drift of a stack and of its nested stacks, one after the other, because AWS limits how many run at once. */
export async function findDrift(
  { cloudFormation }: OperatorClients,
  stackName: string,
  pause: Pause,
): Promise<string[]> {
  const nested = (await stackParts(cloudFormation, stackName)).filter(isNested);
  const found: string[] = [];
  for (const name of [stackName, ...nested.map(({ physicalId }) => physicalId)])
    found.push(...(await driftIn(cloudFormation, name, pause)));
  return found;
}
