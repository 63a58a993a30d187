import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { GetAccountSettingsCommand } from '@aws-sdk/client-lambda';
import { GetServiceQuotaCommand } from '@aws-sdk/client-service-quotas';
import { GetAccountCommand } from '@aws-sdk/client-sesv2';
import { documentWorkersOf, publicWriteDivisor, type StageSettings } from '../../stage-settings.ts';
import type { OpsContext, OpsReport } from './context.ts';
import { partOf, stackParts } from './stack-parts.ts';

/**
 * What one buyer needs, as the tables of docs/costs.md measure it: the requests of a checkout by its pages, the seconds
 * of functions that run for it, workers included, and the table's write units.
 * A buyer pays here, or on the processor's page.
 */
export const perBuyer = {
  direct: { requests: 10, functionSeconds: 0.41, writeUnits: 24.4 },
  remote: { requests: 14, functionSeconds: 1.19, writeUnits: 29.4 },
} as const;

/**
 * How many documents a worker issues in a second, in calls of 99 messages: 28 ms for a document at 256 MB, as the table
 * of docs/costs.md says for 322 ms less its waits, and 22 ms more to compose and send its mail.
 */
export const documentsPerSecond = { mailed: 20, unmailed: 33 };

/** The times that a buyer asks for a total on the page. */
const quotesPerBuyer = 3;
/** The writes of a buyer that go to one partition of an index: a payment, or its event, comes to what is due and leaves. */
const writesOfOnePartition = 2;
/** DynamoDB's limit for one partition. It cannot be raised. */
const partitionWrites = 1_000;

/** What AWS and the merchant's file allow. */
export interface Allowances {
  /** The requests a second to all APIs of the account and region. Undefined if the quota cannot be read. */
  gatewayRequests: number | undefined;
  /** The functions that the account runs at once, without those that are reserved. */
  concurrency: number;
  /** The write units a second that the table accepts now. It accepts more by itself after a while. */
  tableWrites: number;
  /** The mails a second and in 24 hours. Undefined if the stack sends none. */
  mails: { perSecond: number; perDay: number; sentToday: number } | undefined;
}

/** AWS's own default. */
const usualGatewayRequests = 10_000;
/** What a new on-demand table accepts, if DynamoDB does not say. */
const usualTableWrites = 4_000;

interface Limit {
  name: string;
  buyersPerSecond: number;
  /** How to get more. */
  more: string;
}

const quotaAdvice = (service: string, code: string): string =>
  `aws service-quotas request-service-quota-increase --service-code ${service} --quota-code ${code} --desired-value …`;

type LimitingSettings = Pick<
  StageSettings,
  'throttle' | 'processor' | 'documentWorkers' | 'reservedConcurrency' | 'accountConcurrency'
>;

/** Each limit in buyers a second, the lowest first. */
export function capacityLimits(
  { gatewayRequests, concurrency, tableWrites, mails }: Allowances,
  { throttle, processor, ...workers }: LimitingSettings,
): Limit[] {
  const buyer = perBuyer[processor ? 'remote' : 'direct'];
  const throttled = 'raise throttle.ratePerSecond of the stage in the merchant’s file';
  const assumed = gatewayRequests === undefined ? ', by AWS’s default, because the quota cannot be read' : '';
  return [
    {
      name: 'payments, by the throttle of the stage',
      buyersPerSecond: throttle.ratePerSecond / publicWriteDivisor,
      more: throttled,
    },
    {
      name: 'totals, by the throttle of the stage',
      buyersPerSecond: throttle.ratePerSecond / quotesPerBuyer,
      more: throttled,
    },
    {
      name: `requests to the APIs of the account${assumed}`,
      buyersPerSecond: (gatewayRequests ?? usualGatewayRequests) / buyer.requests,
      more: quotaAdvice('apigateway', 'L-8A5B8E43'),
    },
    {
      name: 'functions at once, while they are warm',
      buyersPerSecond: concurrency / buyer.functionSeconds,
      more: quotaAdvice('lambda', 'L-B99A9384'),
    },
    {
      name: 'writes of the table, as it is prepared now',
      buyersPerSecond: tableWrites / buyer.writeUnits,
      more: 'aws dynamodb update-table --table-name <TableName> --warm-throughput WriteUnitsPerSecond=…,ReadUnitsPerSecond=…',
    },
    {
      name: 'documents, by their workers; more wait in their queue',
      buyersPerSecond: documentWorkersOf(workers) * documentsPerSecond[mails ? 'mailed' : 'unmailed'],
      more: 'raise documentWorkers of the stage in the merchant’s file',
    },
    {
      name: 'writes of one partition of an index',
      buyersPerSecond: partitionWrites / writesOfOnePartition,
      more: 'none: DynamoDB has no higher one',
    },
  ].toSorted((a, b) => a.buyersPerSecond - b.buyersPerSecond);
}

/** A number of buyers a second: whole ones, or tenths below ten. */
const rate = (value: number): string => String(value < 10 ? Math.floor(value * 10) / 10 : Math.floor(value));

/** The lines about a stage's limits, for a person. */
export function describeCapacity(limits: readonly Limit[], { mails }: Allowances): string[] {
  const [first] = limits;
  return [
    'buyers a second  limit',
    ...limits.map(({ name, buyersPerSecond }) => `${rate(buyersPerSecond).padStart(16)}  ${name}`),
    ...(mails
      ? [
          `Mails: ${mails.perSecond} a second and ${mails.perDay} in 24 hours, of which ${mails.sentToday} are sent. Each sale has one.`,
          'More sales wait for theirs: confirmations of waivers go first, and nothing is lost.',
        ]
      : []),
    ...(first
      ? [
          `This stage serves ${rate(first.buyersPerSecond)} buyers a second. Then it is short of: ${first.name}.`,
          `For more: ${first.more}`,
        ]
      : []),
  ];
}

async function askGateway({ clients }: OpsContext): Promise<number | undefined> {
  const quota = new GetServiceQuotaCommand({ ServiceCode: 'apigateway', QuotaCode: 'L-8A5B8E43' });
  const { Quota: found } = await clients.quotas.send(quota).catch((error: Error) => {
    if (/AccessDenied|NoSuchResource/.test(error.name)) return { Quota: undefined };
    throw error;
  });
  return found?.Value;
}

async function askAllowances(context: OpsContext): Promise<Allowances> {
  const { clients, stackName, config } = context;
  const parts = await stackParts(clients.cloudFormation, stackName);
  const TableName = partOf(parts, 'AWS::DynamoDB::Table', 'DataTable')?.physicalId;
  const { Table: table } = await clients.table.send(new DescribeTableCommand({ TableName }));
  const { AccountLimit: limits } = await clients.lambda.send(new GetAccountSettingsCommand({}));
  const quota = config.merchant.receipts && (await clients.mail.send(new GetAccountCommand({}))).SendQuota;
  const writable = [table, ...(table?.GlobalSecondaryIndexes ?? [])].map(
    (one) => one?.WarmThroughput?.WriteUnitsPerSecond ?? usualTableWrites,
  );
  return {
    gatewayRequests: await askGateway(context),
    concurrency: limits?.UnreservedConcurrentExecutions ?? limits?.ConcurrentExecutions ?? 0,
    tableWrites: Math.min(...writable),
    mails: quota && {
      perSecond: quota.MaxSendRate ?? 0,
      perDay: quota.Max24HourSend ?? 0,
      sentToday: quota.SentLast24Hours ?? 0,
    },
  };
}

/** Says how many buyers a second a deployed stage serves, and which limit comes first. It changes nothing. */
export async function readCapacity(context: OpsContext): Promise<OpsReport> {
  const allowances = await askAllowances(context);
  const limits = capacityLimits(allowances, context.settings);
  return { isFine: true, json: { ...allowances, limits }, lines: describeCapacity(limits, allowances) };
}
