import { errorLines, messageLike, newestQuery } from '../../../shared/domain/log-queries.ts';
import { functionNames } from '../../function-names.ts';
import { UsageError } from '../../usage-error.ts';
import type { OpsContext, OpsReport } from './context.ts';
import { findLogs, queryLines, reportLines, type StackLogs } from './log-lines.ts';

/** The name of a function that the operator typed: `refunds/create-refund`, or only `create-refund`. */
function functionNamed(text: string): string {
  const name = functionNames.find((one) => one === text || one.endsWith(`/${text}`));
  if (name) return name;
  throw new UsageError(`There is no function ${text}. docs/integrators.md lists them, such as create-refund.`);
}

/** Escapes a text for use in a regular expression between slashes. */
const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

function streamsOf(name: string, { functions }: StackLogs): string {
  const part = functions.find((one) => one.name === name);
  if (part) return `@logStream like /\\/${literal(part.physicalId)}\\[/`;
  throw new Error(`The stack has no function ${name}: it is of another release.`);
}

/**
 * The newest lines in order of time. They are from one function, or from all functions of a stack and the access log.
 */
export async function readLogs(context: OpsContext): Promise<OpsReport> {
  const { errors, find, since = '1h' } = context.options;
  const name = context.options.function === undefined ? undefined : functionNamed(context.options.function);
  const logs = await findLogs(context);
  const filters = [
    ...(name === undefined ? [] : [streamsOf(name, logs)]),
    ...(errors ? [errorLines] : []),
    ...(find === undefined ? [] : [messageLike(literal(find))]),
  ];
  const lines = await queryLines(context, logs, { query: newestQuery(filters), since });
  return reportLines(lines, `No line since ${since}.`);
}
