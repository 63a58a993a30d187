import { errorLines, messageLike, newestQuery } from '../../../shared/domain/log-queries.ts';
import { functionNames } from '../../function-names.ts';
import { UsageError } from '../../usage-error.ts';
import type { OpsDesk, OpsReport } from './desk.ts';
import { findLogs, queryLines, reportLines, type StackLogs } from './log-lines.ts';

/** `refunds/create-refund`, or `create-refund`. */
function functionNamed(text: string): string {
  const name = functionNames.find((one) => one === text || one.endsWith(`/${text}`));
  if (name) return name;
  throw new UsageError(`There is no function ${text}. docs/integrators.md lists them, such as create-refund.`);
}

/** A text as a regular expression between slashes. */
const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

function streamsOf(name: string, { functions }: StackLogs): string {
  const part = functions.find((one) => one.name === name);
  if (part) return `@logStream like /\\/${literal(part.physicalId)}\\[/`;
  throw new Error(`The stack has no function ${name}: it is of another release.`);
}

/** The newest lines of all functions of a stack and of the access log, or of one function, in the order of their times. */
export async function readLogs(desk: OpsDesk): Promise<OpsReport> {
  const { errors, find, since = '1h' } = desk.options;
  const name = desk.options.function === undefined ? undefined : functionNamed(desk.options.function);
  const logs = await findLogs(desk);
  const filters = [
    ...(name === undefined ? [] : [streamsOf(name, logs)]),
    ...(errors ? [errorLines] : []),
    ...(find === undefined ? [] : [messageLike(literal(find))]),
  ];
  const lines = await queryLines(desk, logs, { query: newestQuery(filters), since });
  return reportLines(lines, `No line since ${since}.`);
}
