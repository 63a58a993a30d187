import { paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import { dayMs, hourMs } from '../../../shared/domain/duration.ts';
import { constructIdOf, functionNames } from '../../function-names.ts';
import { UsageError } from '../../usage-error.ts';
import type { OpsDesk, OpsReport } from './desk.ts';
import { isConstruct, stackParts } from './stack-parts.ts';

interface LogLine {
  at: string;
  source: string;
  message: string;
}

const spans: Readonly<Record<string, number>> = { m: 60_000, h: hourMs, d: dayMs };

function millisecondsOf(span: string): number {
  const [, count, unit = ''] = /^([1-9]\d{0,3})([mhd])$/.exec(span) ?? [];
  const unitMs = spans[unit];
  if (count && unitMs) return Number(count) * unitMs;
  throw new UsageError('--since must be a span such as 30m, 6h or 2d.');
}

/** `refunds/create-refund`, or `create-refund`. */
function functionNamed(text: string): string {
  const name = functionNames.find((one) => one === text || one.endsWith(`/${text}`));
  if (name) return name;
  throw new UsageError(`There is no function ${text}. docs/integrators.md lists them, such as create-refund.`);
}

/** CloudWatch's pattern for lines with a text, errors only if that is wanted. It has no way to quote a quote. */
function patternOf({ find, errors }: OpsDesk['options']): string | undefined {
  if (find !== undefined && /["\\]/.test(find)) throw new UsageError('--find takes no quotes and no backslashes.');
  const terms = [...(errors ? ['"level" "error"'] : []), ...(find === undefined ? [] : [`"${find}"`])];
  return terms.length > 0 ? terms.join(' ') : undefined;
}

/** As many as a person reads. */
const mostLines = 1_000;

async function readGroup(
  { clients, options }: OpsDesk,
  { logGroupName, source }: { logGroupName: string; source: string },
): Promise<LogLine[]> {
  const pattern = patternOf(options);
  const input = {
    logGroupName,
    startTime: Date.now() - millisecondsOf(options.since),
    ...(pattern && { filterPattern: pattern }),
  };
  const lines: LogLine[] = [];
  for await (const { events = [] } of paginateFilterLogEvents({ client: clients.logs }, input)) {
    for (const { timestamp = 0, message = '' } of events)
      lines.push({ at: new Date(timestamp).toISOString(), source, message: message.trimEnd() });
    if (lines.length >= mostLines) break;
  }
  return lines;
}

/** How many groups are read at once; CloudWatch Logs limits how often it is asked. */
const groupsAtOnce = 4;

/** The lines of all functions of a stack, or of one, in the order of their times. */
export async function readLogs(desk: OpsDesk): Promise<OpsReport> {
  const { clients, options, stackName } = desk;
  const wanted = options.function === undefined ? undefined : constructIdOf(functionNamed(options.function));
  const groups = (await stackParts(clients.cloudFormation, stackName))
    .filter((part) => part.type === 'AWS::Logs::LogGroup' && (!wanted || isConstruct(part, `${wanted}Logs`)))
    .map(({ physicalId, logicalId }) => ({
      logGroupName: physicalId,
      source: logicalId.replace(/(Logs)?[0-9A-F]{8}$/, ''),
    }));
  const lines: LogLine[] = [];
  for (let start = 0; start < groups.length; start += groupsAtOnce)
    lines.push(
      ...(await Promise.all(groups.slice(start, start + groupsAtOnce).map((group) => readGroup(desk, group)))).flat(),
    );
  const sorted = lines.sort((a, b) => (a.at < b.at ? -1 : 1)).slice(-mostLines);
  const found = sorted.map(({ at, source, message }) => `${at}  ${source}  ${message}`);
  const none = `No line since ${options.since}, in ${groups.length} log groups.`;
  return { isFine: true, json: sorted, lines: found.length > 0 ? found : [none] };
}
