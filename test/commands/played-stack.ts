import { moneyFunctions } from '../../infra/commands/ops/money.ts';
import { constructIdOf } from '../../infra/function-names.ts';
import type { Answers } from './operator-desk.ts';

export const stackId = 'arn:aws:cloudformation:eu-central-1:123456789012:stack/tillstack-shop-live/1';
export const resource = (logicalId: string, type: string, physicalId: string) => ({
  ...{ LogicalResourceId: `${logicalId}0A1B2C3D`, ResourceType: `AWS::${type}` },
  ...{ PhysicalResourceId: physicalId, ResourceStatus: 'CREATE_COMPLETE' },
});
export const queueUrl = (name: string) => `https://sqs.eu-central-1.amazonaws.com/123456789012/${name}`;
const resources = [
  ...moneyFunctions
    .filter((name) => !name.startsWith('dashboard/'))
    .map((name) => resource(constructIdOf(name), 'Lambda::Function', name)),
  resource('Dashboard', 'CloudFormation::Stack', 'nested'),
  resource('EventsIssueDocumentsBatches', 'Lambda::EventSourceMapping', 'documents'),
  resource('EventsRelay', 'Lambda::EventSourceMapping', 'relay'),
  resource('EventsBus', 'Events::EventBus', 'bus'),
  resource('EventsDispatchWebhook', 'Events::Rule', 'bus|dispatch'),
  ...['Sweep', 'Reconcile', 'Erase', 'FetchRates'].map((id) => resource(`Events${id}`, 'Events::Rule', id)),
  ...['FailedRelays', 'Undelivered', 'FailedDispatches', 'FailedDocuments'].map((id) =>
    resource(`Events${id}`, 'SQS::Queue', queueUrl(id)),
  ),
  resource('DataTable', 'DynamoDB::Table', 'tillstack-shop-live-DataTable1-2'),
  resource('ImagesBucket', 'S3::Bucket', 'images'),
  resource('CreateRefundLogs', 'Logs::LogGroup', '/refunds'),
  resource('PayCheckoutLogs', 'Logs::LogGroup', '/pay'),
];
const nested = [resource(constructIdOf('dashboard/manage-payments'), 'Lambda::Function', 'dashboard/manage-payments')];

/** A stack in which everything is well, and what is switched in it. */
export function playStack(faults: Answers = {}) {
  const mappings: Record<string, boolean> = { documents: true, relay: true };
  const stopped = new Set<string>();
  const disabled = new Set<string>();
  const answers: Answers = {
    DescribeStacks: () => ({
      Stacks: [
        {
          StackId: stackId,
          StackName: 'x',
          StackStatus: 'UPDATE_COMPLETE',
          Outputs: [{ OutputKey: 'PublicUrl', OutputValue: 'https://x' }],
        },
      ],
    }),
    ListStackResources: ({ StackName }: { StackName: string }) => ({
      StackResourceSummaries: StackName === 'nested' ? nested : resources,
    }),
    GetFunctionConcurrency: ({ FunctionName }: { FunctionName: string }) =>
      stopped.has(FunctionName) ? { ReservedConcurrentExecutions: 0 } : {},
    PutFunctionConcurrency: ({ FunctionName }: { FunctionName: string }) => stopped.add(FunctionName),
    DeleteFunctionConcurrency: ({ FunctionName }: { FunctionName: string }) => stopped.delete(FunctionName),
    GetEventSourceMapping: ({ UUID }: { UUID: string }) => ({ State: mappings[UUID] ? 'Enabled' : 'Disabled' }),
    UpdateEventSourceMapping: ({ UUID, Enabled }: { UUID: string; Enabled: boolean }) => {
      mappings[UUID] = Enabled;
      return {};
    },
    DescribeRule: ({ Name, EventBusName }: { Name: string; EventBusName?: string }) => {
      if (Name === 'dispatch' && EventBusName !== 'bus') throw new Error('Rule dispatch does not exist.');
      return { State: disabled.has(Name) ? 'DISABLED' : 'ENABLED' };
    },
    DisableRule: ({ Name }: { Name: string }) => disabled.add(Name),
    EnableRule: ({ Name }: { Name: string }) => disabled.delete(Name),
    GetQueueAttributes: () => ({ Attributes: { ApproximateNumberOfMessages: '0' } }),
    PurgeQueue: () => ({}),
    DescribeAlarms: () => ({ MetricAlarms: [] }),
    DescribeTable: () => ({ Table: { TableStatus: 'ACTIVE' } }),
    DescribeContinuousBackups: () => ({
      ContinuousBackupsDescription: { PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: 'ENABLED' } },
    }),
    FilterLogEvents: ({ logGroupName }: { logGroupName: string }) => ({
      events: [{ timestamp: logGroupName === '/pay' ? 1 : 2, message: `a line of ${logGroupName}\n` }],
    }),
    ...faults,
  };
  return { answers, stopped, disabled, mappings };
}
