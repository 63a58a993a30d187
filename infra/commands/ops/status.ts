import type { Stack } from '@aws-sdk/client-cloudformation';
import { type MetricAlarm, paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import { DescribeContinuousBackupsCommand, DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { DescribeRuleCommand } from '@aws-sdk/client-eventbridge';
import { GetEventSourceMappingCommand, GetFunctionConcurrencyCommand } from '@aws-sdk/client-lambda';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { type CheckLine, describeLine, fulfilled, lacks, remark, warns } from '../../../shared/domain/check-line.ts';
import type { OperatorClients, OpsContext, OpsReport } from './context.ts';
import { moneyFunctions } from './money.ts';
import { queuesIn } from './queues.ts';
import { rulesIn } from './rules.ts';
import { functionsIn, getStack, type StackPart, stackParts } from './stack-parts.ts';
import { documentMappingOf, relayMappingOf } from './stop-start.ts';

type Looking = Pick<OpsContext, 'clients'> & { parts: readonly StackPart[]; options: string };

/** Checks whether the money is stopped: whether callers of some functions get a 503. */
async function lookAtMoney({ clients, parts, options }: Looking): Promise<CheckLine[]> {
  const functions = functionsIn(parts, moneyFunctions);
  const reserved = await Promise.all(
    functions.map(({ physicalId: FunctionName }) =>
      clients.lambda.send(new GetFunctionConcurrencyCommand({ FunctionName })),
    ),
  );
  const stopped = functions.filter((_, at) => reserved[at]?.ReservedConcurrentExecutions === 0);
  if (stopped.length === 0) return [fulfilled(`${functions.length} functions take money, return it or show documents`)];
  const names = stopped.map(({ name }) => name).join(', ');
  return [lacks(`stopped: ${names}. Start them with "npm run ops -- start ${options}"`)];
}

async function lookAtMapping({ clients, parts, options }: Looking): Promise<CheckLine[]> {
  const mappings = [documentMappingOf(parts), relayMappingOf(parts)];
  const found = mappings.flatMap((mapping) => mapping ?? []);
  const states = await Promise.all(
    found.map(({ physicalId: UUID }) => clients.lambda.send(new GetEventSourceMappingCommand({ UUID }))),
  );
  return found.map(({ logicalId }, at) =>
    states[at]?.State === 'Enabled'
      ? fulfilled(`${logicalId} is enabled`)
      : lacks(`${logicalId} is ${states[at]?.State}. Start it with "npm run ops -- start ${options}"`),
  );
}

async function lookAtRules({ clients, parts, options }: Looking): Promise<CheckLine[]> {
  const rules = rulesIn(parts);
  const states = await Promise.all(rules.map(({ key }) => clients.events.send(new DescribeRuleCommand(key))));
  const disabled = rules.filter((_, at) => states[at]?.State !== 'ENABLED').map(({ logicalId }) => logicalId);
  return disabled.length === 0
    ? [fulfilled(`${rules.length} schedules and rules are enabled`)]
    : [lacks(`disabled: ${disabled.join(', ')}. Enable them with "npm run ops -- start ${options}"`)];
}

async function lookAtQueues({ clients, parts, options }: Looking): Promise<CheckLine[]> {
  const queues = queuesIn(parts);
  const counts = await Promise.all(
    queues.map(async ({ url: QueueUrl }) => {
      const AttributeNames = ['ApproximateNumberOfMessages' as const];
      const { Attributes } = await clients.queues.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
      return Number(Attributes?.['ApproximateNumberOfMessages'] ?? 0);
    }),
  );
  const filled = queues.filter((_, at) => counts[at] !== 0);
  if (filled.length === 0) return [fulfilled(`${queues.length} queues of failures are empty`)];
  return filled.map(({ name, section }) => {
    const count = counts[queues.findIndex((queue) => queue.name === name)];
    return lacks(
      `${count} in ${name}: read docs/runbook.md#${section}, then "npm run ops -- purge --queue ${name} ${options}"`,
    );
  });
}

/** The alarms of a stack that ring. */
export async function ringingAlarms(
  { cloudWatch }: Pick<OperatorClients, 'cloudWatch'>,
  stackName: string,
): Promise<MetricAlarm[]> {
  const ringing: MetricAlarm[] = [];
  const input = { AlarmNamePrefix: `${stackName}-`, StateValue: 'ALARM' as const };
  for await (const { MetricAlarms = [] } of paginateDescribeAlarms({ client: cloudWatch }, input))
    ringing.push(...MetricAlarms);
  return ringing;
}

async function lookAtAlarms({ clients }: Looking, stackName: string): Promise<CheckLine[]> {
  const ringing = await ringingAlarms(clients, stackName);
  if (ringing.length === 0) return [fulfilled('no alarm rings')];
  return ringing.map(({ AlarmName, AlarmDescription }) => lacks(`${AlarmName} rings: ${AlarmDescription}`));
}

async function lookAtTable({ clients, parts }: Looking): Promise<CheckLine[]> {
  const [table] = parts.filter(({ type }) => type === 'AWS::DynamoDB::Table');
  if (!table) return [lacks('the stack has no table')];
  const TableName = table.physicalId;
  const [{ Table }, { ContinuousBackupsDescription: backups }] = await Promise.all([
    clients.table.send(new DescribeTableCommand({ TableName })),
    clients.table.send(new DescribeContinuousBackupsCommand({ TableName })),
  ]);
  const isRestorable = backups?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus === 'ENABLED';
  return [
    Table?.TableStatus === 'ACTIVE'
      ? fulfilled(`the table ${TableName} is active`)
      : lacks(`the table ${TableName} is ${Table?.TableStatus}`),
    isRestorable
      ? fulfilled('it can be restored to any second of the last 35 days')
      : lacks('it cannot be restored: deploy with --revert-drift, which enables point-in-time recovery again'),
  ];
}

/** The version of a stack, such as `0.2.0+97cf8f7a`, from its outputs. Undefined if it is 0.2.0 or older. */
export const versionOf = ({ Outputs = [] }: Stack): string | undefined =>
  Outputs.find(({ OutputKey }) => OutputKey === 'Version')?.OutputValue;

function lookAtVersion(stack: Stack): CheckLine {
  const version = versionOf(stack);
  if (version === undefined) return remark('the stack does not say its version: it is 0.2.0 or older');
  const text = `the version is ${version}`;
  return version.endsWith('.dirty')
    ? warns(`${text}: it was deployed with changes that are in no commit`)
    : fulfilled(text);
}

/**
 * Reports whether a deployed stack works. It checks version, deployment, functions, schedules, queues, alarms and
 * table, and changes nothing.
 */
export async function readStatus(context: OpsContext): Promise<OpsReport & { findings: CheckLine[] }> {
  const { clients, stackName, config, stage } = context;
  const stack = await getStack(clients.cloudFormation, stackName);
  const { StackStatus = '' } = stack;
  const parts = await stackParts(clients.cloudFormation, stackName);
  const looking = { clients, parts, options: `--merchant ${config.merchant.id} --stage ${stage}` };
  const findings = [
    lookAtVersion(stack),
    /^(CREATE|UPDATE|UPDATE_ROLLBACK|IMPORT)_COMPLETE$/.test(StackStatus)
      ? fulfilled(`${stackName} is ${StackStatus}`)
      : lacks(`${stackName} is ${StackStatus}: see "npx cdk deploy", or "npm run ops -- clean" for a first deployment`),
    ...(await lookAtMoney(looking)),
    ...(await lookAtMapping(looking)),
    ...(await lookAtRules(looking)),
    ...(await lookAtQueues(looking)),
    ...(await lookAtAlarms(looking, stackName)),
    ...(await lookAtTable(looking)),
  ];
  return {
    isFine: findings.every(({ is }) => is !== 'missing'),
    findings,
    json: findings,
    lines: findings.map(describeLine),
  };
}
