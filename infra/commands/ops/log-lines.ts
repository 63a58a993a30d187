import { setTimeout as pause } from 'node:timers/promises';
import { GetQueryResultsCommand, type ResultField, StartQueryCommand } from '@aws-sdk/client-cloudwatch-logs';
import { dayMs, hourMs } from '../../../shared/domain/duration.ts';
import { UsageError } from '../../usage-error.ts';
import type { OpsContext, OpsReport } from './context.ts';
import { type DeployedPart, functionsIn, partOf, type StackPart, stackParts } from './stack-parts.ts';

interface LogLine {
  at: string;
  /** The function of the route table that wrote the line, or `access-log`. */
  source: string;
  message: string;
}

/** The logs of a stack, and the names of its functions in them. */
export interface StackLogs {
  groups: string[];
  functions: readonly DeployedPart[];
}

const spans: Readonly<Record<string, number>> = { m: 60_000, h: hourMs, d: dayMs };

function millisecondsOf(span: string): number {
  const [, count, unit = ''] = /^([1-9]\d{0,3})([mhd])$/.exec(span) ?? [];
  const unitMs = spans[unit];
  if (count && unitMs) return Number(count) * unitMs;
  throw new UsageError('--since must be a span such as 30m, 6h or 2d.');
}

/** Finds the log groups of the functions, and the access log of the API. */
export async function findLogs({ clients, stackName }: OpsContext): Promise<StackLogs> {
  const parts = await stackParts(clients.cloudFormation, stackName);
  const group = (path: string): StackPart | undefined => partOf(parts, 'AWS::Logs::LogGroup', path);
  const functionLogs = group('FunctionLogs');
  if (!functionLogs)
    throw new Error(`${stackName} is of an older release, with a log for each function. Deploy it again.`);
  const groups = [functionLogs, group('WorkerLogs'), group('HttpAccessLog')].flatMap((part) => part?.physicalId ?? []);
  return { groups, functions: functionsIn(parts) };
}

/**
 * The function in the name of a log stream: `2026/01/31/<function>[<version>]<instance>`. A stream of the access log
 * has no function in its name.
 */
function sourceOf(stream: string, functions: readonly DeployedPart[]): string {
  const [, physicalId] = /^\d+\/\d+\/\d+\/([^[]+)\[/.exec(stream) ?? [];
  if (physicalId === undefined) return 'access-log';
  return functions.find((part) => part.physicalId === physicalId)?.name ?? physicalId;
}

const pollMs = 500;
const mostPolls = 240;

async function resultsOf({ clients }: OpsContext, queryId: string | undefined): Promise<ResultField[][]> {
  for (let poll = 0; poll < mostPolls; poll += 1) {
    const { status, results = [] } = await clients.logs.send(new GetQueryResultsCommand({ queryId }));
    if (status === 'Complete') return results;
    if (status !== 'Scheduled' && status !== 'Running') throw new Error(`CloudWatch ended the query: ${status}.`);
    await pause(pollMs);
  }
  throw new Error('CloudWatch has not answered within two minutes. Look at a shorter span.');
}

/** Runs a query in Logs Insights, and returns the lines in order of time. */
export async function queryLines(
  context: OpsContext,
  { groups, functions }: StackLogs,
  { query, since }: { query: string; since: string },
): Promise<LogLine[]> {
  const now = Date.now();
  const { queryId } = await context.clients.logs.send(
    new StartQueryCommand({
      logGroupNames: groups,
      queryString: query,
      startTime: Math.floor((now - millisecondsOf(since)) / 1_000),
      endTime: Math.ceil(now / 1_000) + 1,
    }),
  );
  const lines = (await resultsOf(context, queryId)).map((fields) => lineOf(fields, functions));
  return lines.sort((a, b) => (a.at < b.at ? -1 : 1));
}

function lineOf(fields: readonly ResultField[], functions: readonly DeployedPart[]): LogLine {
  const field = (name: string): string => fields.find((one) => one.field === name)?.value ?? '';
  return {
    at: `${field('@timestamp').replace(' ', 'T')}Z`,
    source: sourceOf(field('@logStream'), functions),
    message: field('@message').trimEnd(),
  };
}

/** Prints the lines for a person, and gives them as data for a program. */
export function reportLines(lines: readonly LogLine[], none: string): OpsReport {
  const found = lines.map(({ at, source, message }) => `${at}  ${source}  ${message}`);
  return { isFine: true, json: lines, lines: found.length > 0 ? found : [none] };
}
