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

/**
 * Reads metrics in one call: the points of each, the newest first. It fails if CloudWatch does not answer all points of
 * all metrics, because a missing point would count as 0.
 */
export async function readMetrics(
  { cloudWatch }: Pick<OperatorClients, 'cloudWatch'>,
  metrics: readonly MetricTerms[],
  { from, to, periodSeconds }: Span,
): Promise<MetricPoint[][]> {
  const points = metrics.map((): MetricPoint[] => []);
  const MetricDataQueries = metrics.map((metric, at) => queryOf(metric, `m${at}`, periodSeconds));
  const input = { MetricDataQueries, StartTime: from, EndTime: to, ScanBy: 'TimestampDescending' as const };
  const states = new Map<string, string | undefined>();
  for await (const { MetricDataResults = [] } of paginateGetMetricData({ client: cloudWatch }, input))
    for (const { Id = '', StatusCode, Timestamps = [], Values = [] } of MetricDataResults) {
      states.set(Id, StatusCode);
      points[Number(Id.slice(1))]?.push(...Timestamps.map((at, index) => ({ at, value: Values[index] ?? 0 })));
    }
  assertComplete(metrics, states);
  return points;
}

/** Refuses metrics whose last page is not complete. One without points is complete, too. */
function assertComplete(metrics: readonly MetricTerms[], states: ReadonlyMap<string, string | undefined>): void {
  const broken = metrics.flatMap(({ name }, at) => {
    const state = states.get(`m${at}`) ?? 'no answer';
    return state === 'Complete' ? [] : [`${name}: ${state}`];
  });
  if (broken.length > 0) throw new Error(`CloudWatch does not read all metrics: ${broken.join(', ')}.`);
}
