import { moneyFunctions } from '../../infra/commands/ops/money.ts';
import { constructIdOf } from '../../infra/function-names.ts';
import { askLines, type PlayedLine } from '../support/log-insights.ts';
import type { Answers } from './operator-context.ts';

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
  resource('FunctionLogs', 'Logs::LogGroup', '/functions'),
  resource('WorkerLogs', 'Logs::LogGroup', '/workers'),
  resource('HttpAccessLog', 'Logs::LogGroup', '/access'),
];
const nested = [resource(constructIdOf('dashboard/manage-payments'), 'Lambda::Function', 'dashboard/manage-payments')];

const streamOf = (name: string) => `2026/01/31/${name}[$LATEST]0123`;
const [pay, session, event] = ['pay', 'cks', 'evt'].map((prefix) => `${prefix}_${'a'.repeat(21)}`);
/** What the functions and the gateway have logged, the newest first. */
const logged: readonly PlayedLine[] = [
  { stream: 'access', message: '{"requestId":"call-1=","route":"GET /payments/{id}","status":"404"}' },
  {
    stream: streamOf('refunds/create-refund'),
    message: `{"level":"error","message":"request failed","request_id":"call-1=","payment_id":"${pay}"}`,
  },
  { stream: streamOf('webhooks'), message: `{"level":"info","message":"webhook","event_id":"${event}"}` },
  {
    stream: streamOf('checkout/pay-checkout'),
    message: `{"level":"info","session_id":"${session}","payment_id":"${pay}","event_id":"${event}"}`,
  },
  { stream: streamOf('checkout/pay-checkout'), message: '{"level":"info","payment_id":"pay_of_another"}' },
].map((line, index) => ({ ...line, at: `2026-01-31 10:00:0${9 - index}.000` }));

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
    StartQuery: ({ queryString }: { queryString: string }) => ({ queryId: queryString }),
    GetQueryResults: ({ queryId }: { queryId: string }) => ({ status: 'Complete', results: askLines(logged, queryId) }),
    ...faults,
  };
  return { answers, stopped, disabled, mappings };
}
