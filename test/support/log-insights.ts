/** A log line as CloudWatch stores it. */
export interface PlayedLine {
  /** `2026-01-31 10:00:00.000` */
  at: string;
  stream: string;
  message: string;
}

/** The field that one of our filters reads, and its regular expression. */
const filterPattern = /^filter @(message|logStream) like \/(.*)\/$/;

/** Answers the queries of `shared/domain/log-queries.ts` like CloudWatch Logs Insights, which runs only in AWS. */
export function askLines(lines: readonly PlayedLine[], query: string) {
  const stages = query.split('\n| ');
  const filters = stages.flatMap((stage) => {
    const [, field, pattern = ''] = filterPattern.exec(stage) ?? [];
    if (stage.startsWith('filter') && !field) throw new Error(`This filter is not played: ${stage}`);
    return field ? [{ field, pattern: new RegExp(pattern) }] : [];
  });
  const found = lines.filter(({ stream, message }) =>
    filters.every(({ field, pattern }) => pattern.test(field === 'message' ? message : stream)),
  );
  const order = stages.includes('sort @timestamp asc') ? 1 : -1;
  const most = Number(/limit (\d+)/.exec(query)?.[1]);
  return found
    .toSorted((a, b) => order * a.at.localeCompare(b.at))
    .slice(0, most)
    .map(({ at, stream, message }) => [
      { field: '@timestamp', value: at },
      { field: '@message', value: `${message}\n` },
      { field: '@logStream', value: stream },
    ]);
}
