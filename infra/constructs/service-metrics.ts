import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Stage } from '../../shared/domain/merchant.ts';
import { metricNames, metricNamespace } from '../metric-names.ts';
import type { HttpApi } from './http-api.ts';
import type { PaymentEvents } from './payment-events.ts';
import type { ServiceFunction } from './service-function.ts';

export interface ServiceMetricsProps {
  /** The merchant: a dimension of each metric that the functions measure. */
  merchant: string;
  /** The stage. Each metric has the merchant and the stage as its dimensions. */
  stage: Stage;
  /** The API whose requests are counted. */
  api: HttpApi;
  /** The bus of events and its queues. Messages that stay in these queues show a problem. */
  events: PaymentEvents;
  /** The function that reads the table's stream. */
  relay: ServiceFunction;
  /** The function that runs each minute. */
  sweeper: ServiceFunction;
  /** The workers that events and the minute call. They are the first to notice that no concurrency is left. */
  busyWorkers: readonly ServiceFunction[];
  /** Counts the failed calls of the functions that no caller waits for. */
  failures: MetricFilter;
  /** Every function. */
  functions: readonly ServiceFunction[];
  /** The table, which may be throttled. */
  table: ITable;
  /** The certificate of the merchant's own domain, if it is in the region of the stack. */
  certificateArn?: string | undefined;
}

const period = Duration.minutes(5);
const hourly = { period: Duration.hours(1) };
const added = { period, statistic: Stats.SUM };
const highest = { period, statistic: Stats.MAXIMUM };

/** The metrics of a stack, every five minutes, for alarms and the dashboard. */
export class ServiceMetrics {
  readonly functions: readonly ServiceFunction[];
  private readonly props: ServiceMetricsProps;

  constructor(props: ServiceMetricsProps) {
    this.props = props;
    this.functions = props.functions;
  }

  requests = (): Metric => this.props.api.stage.metricCount({ period });
  clientErrors = (): Metric => this.props.api.stage.metricClientError(added);
  serverErrors = (): Metric => this.props.api.stage.metricServerError(added);
  latencyMs = (statistic: 'p50' | 'p99'): Metric => this.props.api.stage.metricLatency({ period, statistic });

  errorsOf = (fn: ServiceFunction): Metric => fn.metricErrors(added);

  /** The failed calls of workers, from their log. AWS counts them for each function, and each metric costs money. */
  workerErrors = (): Metric => this.props.failures.metric(added);

  /**
   * The calls of workers that Lambda refused. If the account has no concurrency left, the sweep finds it within a minute,
   * and the relay at the next event. A function with its own concurrency finds only that used up, so if one has it, all
   * busy workers are watched, and each that has it.
   */
  throttles(): MathExpression {
    const { sweeper, relay, busyWorkers, functions } = this.props;
    const limited = functions.filter(({ isLimited }) => isLimited);
    const watched = limited.length === 0 ? [sweeper, relay] : [...new Set([...busyWorkers, ...limited])];
    return sumOf(watched.map((fn) => fn.metricThrottles(added)));
  }

  /**
   * The failed calls of the sweep. AWS measures a zero for a call that succeeds, so there is no data only if the sweep
   * does not run. It needs no log, so it also counts if the sweep's role has lost all its rights.
   */
  sweepErrors = (): Metric => this.errorsOf(this.props.sweeper);

  streamAgeMs = (): Metric => this.props.relay.metric('IteratorAge', highest);
  oldestDueEventSeconds = (): Metric => this.measured(metricNames.oldestDueEvent, Stats.MAXIMUM);
  oldestUndoneDocumentSeconds = (): Metric => this.measured(metricNames.oldestUndoneDocument, Stats.MAXIMUM);

  moneyAlerts = (): Metric => this.measured(metricNames.moneyAlerts, Stats.SUM);

  /** The reads and writes that the table refused temporarily. Most succeed at the next try. */
  throttledCalls(): MathExpression {
    const { tableName } = this.props.table;
    return sumOf(
      ['ReadThrottleEvents', 'WriteThrottleEvents'].map(
        (metricName) =>
          new Metric({ namespace: 'AWS/DynamoDB', metricName, dimensionsMap: { TableName: tableName }, ...added }),
      ),
    );
  }

  /** The requests that were refused with 429, by the gateway's limits or by ours. */
  tooManyRequests = (): Metric => this.props.api.tooManyRequests.metric(added);

  endpointsDisabled = (): Metric => this.measured(metricNames.endpointsDisabled, Stats.SUM);

  /** The number of days until the certificate of the own domain expires. Undefined without a certificate. */
  certificateDays(): Metric | undefined {
    const { certificateArn: CertificateArn } = this.props;
    if (CertificateArn === undefined) return undefined;
    return new Metric({
      namespace: 'AWS/CertificateManager',
      metricName: 'DaysToExpiry',
      dimensionsMap: { CertificateArn },
      statistic: Stats.MINIMUM,
      period: Duration.days(1),
    });
  }

  /** The number of stuck payments in an hour. Each one is measured at least once an hour. */
  stuckPayments = (): Metric => this.measured(metricNames.stuckPayments, Stats.SUM).with(hourly);

  salesStopped = (): Metric => this.measured(metricNames.salesStopped, Stats.MAXIMUM).with(hourly);
  booksOutOfBalance = (): Metric => this.measured(metricNames.booksOutOfBalance, Stats.SUM).with(hourly);
  keysEnding = (): Metric => this.measured(metricNames.keysEnding, Stats.MAXIMUM).with(hourly);

  unansweredRows = (): Metric => this.measured(metricNames.unansweredRows, Stats.SUM);

  /** The age of the exchange rates. It is measured each hour. */
  exchangeRatesAgeSeconds = (): Metric =>
    this.measured(metricNames.exchangeRatesAge, Stats.MAXIMUM).with({ period: Duration.hours(6) });

  failedRelays = (): Metric => depthOf(this.props.events.failedRelays);
  undelivered = (): Metric => depthOf(this.props.events.undelivered);
  failedDispatches = (): Metric => depthOf(this.props.events.failedDispatches);
  failedDocuments = (): Metric => depthOf(this.props.events.failedDocuments);

  paymentsSucceeded = (): Metric => this.measured(metricNames.paymentsSucceeded, Stats.SUM);
  paymentsFailed = (): Metric => this.measured(metricNames.paymentsFailed, Stats.SUM);

  /** The share of an hour's payments that failed. It is 0 if there were fewer than ten payments. */
  paymentFailureRatio(): MathExpression {
    const all = 'SUM([FILL(succeeded, 0), FILL(failed, 0)])';
    return new MathExpression({
      label: 'failed payments / payments',
      expression: `IF(${all} >= 10, failed / ${all}, 0)`,
      usingMetrics: { succeeded: this.paymentsSucceeded(), failed: this.paymentsFailed() },
      period: Duration.hours(1),
    });
  }

  /** One line for each version. Its first point shows when the version was deployed. */
  versionStarts(): MathExpression {
    const { merchant, stage } = this.props;
    const wanted = `MetricName="${metricNames.versionStarts}" merchant="${merchant}" stage="${stage}"`;
    const expression = `SEARCH('{${metricNamespace},merchant,stage,version} ${wanted}', 'Sum', ${period.toSeconds()})`;
    return new MathExpression({ expression, label: '', usingMetrics: {}, period });
  }

  private measured(metricName: string, statistic: string): Metric {
    const dimensionsMap = { merchant: this.props.merchant, stage: this.props.stage };
    return new Metric({ namespace: metricNamespace, metricName, dimensionsMap, period, statistic });
  }
}

/** The sum of metrics. Some of them may have no data. */
function sumOf(metrics: readonly Metric[]): MathExpression {
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric]));
  return new MathExpression({ expression: `SUM([${Object.keys(usingMetrics).join(', ')}])`, usingMetrics, period });
}

const depthOf = (queue: Queue): Metric => queue.metricApproximateNumberOfMessagesVisible(highest);
