import type { Template } from 'aws-cdk-lib/assertions';
import { functionNamesOf } from '../../../infra/function-names.ts';
import { type Statement, statementsOf, templateOf } from '../synthesized.ts';
import type { Permission } from './permission.ts';

/** What Lambda itself does in a function's name: writing logs and traces, reading a stream or a queue, setting aside what failed. */
const byLambda =
  /^(logs:|xray:|sqs:(?!SendMessage$|GetQueueAttributes$)|dynamodb:(GetRecords|GetShardIterator|DescribeStream|ListStreams)$)/;

/** Whether Lambda takes the messages of a queue with it. */
const isTaking = ({ Action }: Statement): boolean => Action.includes('sqs:ReceiveMessage');

/** Everything that the role of a function allows it, in the words of a recording. */
export function allowedTo(template: Template, functionName: string): Permission[] {
  return statementsOf(template, functionName).flatMap((statement) =>
    statement.Action.filter((action) => !byLambda.test(action) && !isTaking(statement)).flatMap((action) =>
      reachOf(action, statement),
    ),
  );
}

/** What every function may do in a stack that has everything. */
export function allowedByRoles(): Record<string, Permission[]> {
  const everything = { protection: 'waf', region: 'eu-central-1', processor: { name: 'stripe' } } as const;
  const merchant = { receipts: { from: 'receipts@example.com' } };
  const template = templateOf('live', everything, merchant);
  return Object.fromEntries(functionNamesOf(everything, merchant).map((name) => [name, allowedTo(template, name)]));
}

function reachOf(action: string, { Resource: resources, Condition: condition }: Statement): Permission[] {
  if (action.startsWith('dynamodb:')) {
    const keys = [condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'] ?? '*'].flat();
    const partitions = new Set(keys.map((key) => key.replace(/#\*$/, '')));
    return resources.flatMap((arn) => [...partitions].map((partition) => `${action} ${placeOf(arn)} ${partition}`));
  }
  if (action.startsWith('s3:')) return resources.map((arn) => `${action} ${suffixOf(arn).replace(/^\/|\*$/g, '')}`);
  if (action.startsWith('ssm:')) return resources.map((arn) => `${action} ${suffixOf(arn).split('/').at(-1)}`);
  if (action === 'sqs:GetQueueAttributes') return [`${action} documents`];
  if (action === 'sqs:SendMessage') return resources.some(isForFailures) ? [] : [`${action} documents`];
  return action === 'events:PutEvents' ? [`${action} bus`] : [action];
}

/** Whether it is a queue that Lambda fills with what a function could not take. */
const isForFailures = (arn: unknown): boolean => JSON.stringify(arn).includes('"EventsFailed');

const placeOf = (arn: unknown): string => suffixOf(arn).replace(/^\//, '') || 'table';

/** What follows the resource's own ARN: `/index/list`, `/images/*`. */
function suffixOf(arn: unknown): string {
  const parts: unknown = (arn as { 'Fn::Join'?: [string, unknown[]] })['Fn::Join']?.[1];
  const last = Array.isArray(parts) ? parts.at(-1) : '';
  return typeof last === 'string' ? last : '';
}
