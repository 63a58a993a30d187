/**
 * A query in the language of CloudWatch Logs Insights. Functions of a stack share a log group. Lambda names a
 * stream `2026/01/31/<function>[<version>]<instance>`, so log lines need not repeat the function's name.
 */
const query = (filters: readonly string[], order: 'asc' | 'desc'): string =>
  [
    'fields @timestamp, @message, @logStream, @log',
    'parse @logStream "*/*/*/*[*" as year, month, day, function_name, instance',
    ...filters.map((filter) => `filter ${filter}`),
    `sort @timestamp ${order}`,
    `limit ${mostLines}`,
    'display @timestamp, function_name, @message, @logStream, @log',
  ].join('\n| ');

/** The most lines of an answer, because a person reads them. */
const mostLines = 1_000;

/** Lines that contain one of the ids in any field, the oldest first. */
export const followQuery = (ids: readonly string[]): string => query([messageLike(ids.join('|'))], 'asc');

/** A filter of a query: the line matches the regular expression. */
export const messageLike = (pattern: string): string => `@message like /${pattern}/`;

/** Matches errors that the functions and the runtime of Node log, and Lambda's reports of timeouts and crashes. */
export const errorLines = messageLike('"level":"(error|ERROR)"|"type":"platform.report"');

/** The newest lines that pass all filters, the newest first. */
export const newestQuery = (filters: readonly string[]): string => query(filters, 'desc');

export const errorsQuery = newestQuery([errorLines]);
