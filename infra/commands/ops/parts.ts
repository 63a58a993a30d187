import type { OpsContext, OpsReport } from './context.ts';
import { getStack, type StackPart, stackParts } from './stack-parts.ts';

/** The place of a resource, from an ARN such as `arn:aws:cloudformation:eu-central-1:123456789012:stack/…`. */
interface Place {
  partition: string;
  region: string;
  account: string;
}

function placeOf(stackId: string): Place {
  const [, partition = '', , region = '', account = ''] = stackId.split(':');
  return { partition, region, account };
}

/** The end of the ARN, by type of resource. It is for types whose physical id is not enough. */
const arnTails: Readonly<Record<string, (place: Place, id: string) => string>> = {
  'AWS::Lambda::Function': ({ region, account }, id) => `lambda:${region}:${account}:function:${id}`,
  'AWS::Logs::LogGroup': ({ region, account }, id) => `logs:${region}:${account}:log-group:${id}`,
  'AWS::DynamoDB::Table': ({ region, account }, id) => `dynamodb:${region}:${account}:table/${id}`,
  'AWS::S3::Bucket': (_, id) => `s3:::${id}`,
  'AWS::SQS::Queue': ({ region, account }, id) => `sqs:${region}:${account}:${id.replace(/.*\//, '')}`,
  'AWS::Events::EventBus': ({ region, account }, id) => `events:${region}:${account}:event-bus/${id}`,
  'AWS::Events::Rule': ({ region, account }, id) => `events:${region}:${account}:rule/${id.replace('|', '/')}`,
  'AWS::CloudWatch::Alarm': ({ region, account }, id) => `cloudwatch:${region}:${account}:alarm:${id}`,
  'AWS::IAM::Role': ({ account }, id) => `iam::${account}:role/${id}`,
};

const arnOf = (place: Place, { type, physicalId }: StackPart): string =>
  physicalId.startsWith('arn:') ? physicalId : `arn:${place.partition}:${arnTails[type]?.(place, physicalId)}`;

/**
 * Lists the ARNs of all functions, log groups, queues, rules, alarms and roles, and of the table, the bucket and the
 * bus.
 */
export async function listArns({ clients, stackName }: OpsContext): Promise<OpsReport> {
  const { StackId = '' } = await getStack(clients.cloudFormation, stackName);
  const parts = await stackParts(clients.cloudFormation, stackName);
  const named = parts
    .filter(({ type, physicalId }) => type in arnTails && physicalId !== '')
    .map((part) => ({ id: part.logicalId, type: part.type, arn: arnOf(placeOf(StackId), part) }));
  const longest = Math.max(...named.map(({ id }) => id.length));
  return { isFine: true, json: named, lines: named.map(({ id, arn }) => `${id.padEnd(longest)}  ${arn}`) };
}

/** Lists the outputs of the stack: its address, its table, its bucket, and which processor takes its payments. */
export async function listOutputs({ clients, stackName }: OpsContext): Promise<OpsReport> {
  const { Outputs = [] } = await getStack(clients.cloudFormation, stackName);
  const values = Object.fromEntries(Outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
  return { isFine: true, json: values, lines: Object.entries(values).map(([name, value]) => `${name} = ${value}`) };
}
