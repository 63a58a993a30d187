import { type MetricDataQuery, paginateGetMetricData } from '@aws-sdk/client-cloudwatch';
import type { OperatorClients } from '../ops/context.ts';

interface MetricTerms {
  namespace: string;
  name: string;
  dimensions: Readonly<Record<string, string>>;
  statistic: 'Sum' | 'Maximum';
}

interface Span {
  from: Date;
  to: Date;
  /** The seconds of one point. */
  periodSeconds: number;
}

interface MetricPoint {
  at: Date;
  value: number;
}

const queryOf = ({ namespace, name, dimensions, statistic }: MetricTerms, id: string, period: number) =>
  ({
    Id: id,
    MetricStat: {
      Metric: {
        Namespace: namespace,
        MetricName: name,
        Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
      },
      Period: period,
      Stat: statistic,
    },
  }) satisfies MetricDataQuery;

/** Reads metrics in one call: the points of each, the newest first. */
export async function readMetrics(
  { cloudWatch }: Pick<OperatorClients, 'cloudWatch'>,
  metrics: readonly MetricTerms[],
  { from, to, periodSeconds }: Span,
): Promise<MetricPoint[][]> {
  const points = metrics.map((): MetricPoint[] => []);
  const MetricDataQueries = metrics.map((metric, at) => queryOf(metric, `m${at}`, periodSeconds));
  const input = { MetricDataQueries, StartTime: from, EndTime: to, ScanBy: 'TimestampDescending' as const };
  for await (const { MetricDataResults = [] } of paginateGetMetricData({ client: cloudWatch }, input))
    for (const { Id = '', Timestamps = [], Values = [] } of MetricDataResults)
      points[Number(Id.slice(1))]?.push(...Timestamps.map((at, index) => ({ at, value: Values[index] ?? 0 })));
  return points;
}
