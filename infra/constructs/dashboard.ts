import { Dashboard as CloudWatchDashboard, GraphWidget, type IMetric, TextWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { ServiceMetrics } from './service-metrics.ts';

interface DashboardProps {
  /** The title above the graphs. */
  title: string;
  /** The metrics to draw. */
  metrics: ServiceMetrics;
}

/** A CloudWatch dashboard with the metrics that the alarms watch. */
export class Dashboard extends Construct {
  constructor(scope: Construct, id: string, { title, metrics }: DashboardProps) {
    super(scope, id);
    const text = new TextWidget({ markdown: `# ${title}\nWhat to do: docs/runbook.md`, width: 24, height: 2 });
    const widgets = [[text], callers(metrics), workers(metrics), [graph('Versions', [metrics.versionStarts()])]];
    new CloudWatchDashboard(this, 'Dashboard', { widgets });
  }
}

const callers = (metrics: ServiceMetrics): GraphWidget[] => [
  graph('Requests', [metrics.requests(), metrics.clientErrors(), metrics.serverErrors()]),
  graph('Latency, ms', [metrics.latencyMs('p50'), metrics.latencyMs('p99')]),
  graph('Payments', [metrics.paymentsSucceeded(), metrics.paymentsFailed()]),
];

const workers = (metrics: ServiceMetrics): GraphWidget[] => [
  graph('Errors of functions', metrics.functions.map(metrics.errorsOf)),
  graph(
    'Oldest due event and document, s, and age of the stream, ms',
    [metrics.oldestDueEventSeconds(), metrics.oldestUndoneDocumentSeconds()],
    [metrics.streamAgeMs()],
  ),
  graph('Dead letters', [
    metrics.failedRelays(),
    metrics.undelivered(),
    metrics.failedDispatches(),
    metrics.failedDocuments(),
  ]),
];

const graph = (title: string, left: IMetric[], right: IMetric[] = []): GraphWidget =>
  new GraphWidget({ title, left, right, width: 8, height: 6 });
