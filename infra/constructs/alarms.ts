import { Aws, Duration } from 'aws-cdk-lib';
import {
  Alarm,
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TextWidget,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Stage } from '../../shared/domain/merchant.ts';
import type { HttpApi } from './http-api.ts';
import type { PaymentEvents } from './payment-events.ts';
import type { ServiceFunction } from './service-function.ts';

export interface AlarmsProps {
  /** Whose metrics they are: a dimension of each metric that the functions emit. */
  merchant: string;
  /** The other dimension. */
  stage: Stage;
  /** Who is told; without it the alarms are only seen in the console. */
  email?: string;
  /** Whose server errors count. */
  api: HttpApi;
  /** Whose queues must be empty. */
  events: PaymentEvents;
  /** The reader of the table's stream. */
  relay: ServiceFunction;
  /** Every function, the relay included. */
  functions: readonly ServiceFunction[];
}

/** When a figure is bad, and where the runbook says what to do. */
interface Condition {
  metric: IMetric;
  /** Bad from this figure up. */
  atLeast: number;
  /** The anchor of its section in `docs/runbook.md`. */
  section: string;
  /** One sentence. */
  meaning: string;
  /** Whether silence is bad as well. Default: no. */
  silenceIsBad?: boolean;
}

/** The metrics that the functions emit, with the dimensions `merchant` and `stage`. */
export const metricNamespace = 'Tillstack';
export const metricNames = {
  oldestDueEvent: 'OldestDueEventAgeSeconds',
  paymentsSucceeded: 'PaymentsSucceeded',
  paymentsFailed: 'PaymentsFailed',
} as const;

const period = Duration.minutes(5);

/** CloudWatch computes an alarm from ten metrics at most. */
const metricsPerAlarm = 10;

/** Tells somebody when money or events are stuck, and shows the same figures on a dashboard. */
export class Alarms extends Construct {
  private readonly props: AlarmsProps;
  private readonly topic: Topic | undefined;

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    this.props = props;
    this.topic = props.email === undefined ? undefined : this.createTopic(props.email);
    this.watchApi();
    this.watchFunctions();
    this.watchEvents();
    this.watchQueues();
    if (props.stage === 'live') this.watchPayments();
    this.createDashboard();
  }

  private watchApi(): void {
    this.watch('ApiErrors', {
      metric: this.props.api.stage.metricServerError({ period, statistic: Stats.SUM }),
      atLeast: 5,
      section: 'api-errors',
      meaning: 'Callers got five or more 5xx answers within five minutes.',
    });
  }

  private watchFunctions(): void {
    chunks(this.props.functions, metricsPerAlarm).forEach((functions, index) => {
      this.watch(`FunctionErrors${index + 1}`, {
        metric: sum(functions.map((fn) => fn.metricErrors({ period, statistic: Stats.SUM }))),
        atLeast: 3,
        section: 'function-errors',
        meaning: 'Functions crashed or timed out three or more times within five minutes.',
      });
      this.watch(`Throttles${index + 1}`, {
        metric: sum(functions.map((fn) => fn.metricThrottles({ period, statistic: Stats.SUM }))),
        atLeast: 1,
        section: 'throttles',
        meaning: 'Lambda refused to start a function, because the account has no concurrency left.',
      });
    });
  }

  private watchEvents(): void {
    this.watch('StreamAge', {
      metric: this.streamAge(),
      atLeast: Duration.minutes(5).toMilliseconds(),
      section: 'stream-age',
      meaning: 'The relay is five minutes behind the table.',
    });
    this.watch('OldestDueEvent', {
      metric: this.emitted(metricNames.oldestDueEvent, Stats.MAXIMUM),
      atLeast: Duration.minutes(5).toSeconds(),
      section: 'oldest-due-event',
      meaning: 'An event has waited five minutes to be dispatched, or the sweep no longer runs.',
      silenceIsBad: true,
    });
  }

  private watchQueues(): void {
    const { failedRelays, undelivered, failedDispatches } = this.props.events;
    this.watchQueue('FailedRelays', failedRelays, 'failed-relays', 'The relay gave up on records of the stream.');
    this.watchQueue('Undelivered', undelivered, 'undelivered-events', 'The bus gave up on handing over events.');
    this.watchQueue('FailedDispatches', failedDispatches, 'failed-dispatches', 'The dispatcher gave up on events.');
  }

  private watchQueue(id: string, queue: Queue, section: string, meaning: string): void {
    const metric = queue.metricApproximateNumberOfMessagesVisible({ period, statistic: Stats.MAXIMUM });
    this.watch(id, { metric, atLeast: 1, section, meaning });
  }

  /** In live only: failing is what the sandbox's test cards are for. */
  private watchPayments(): void {
    this.watch('PaymentFailures', {
      metric: this.paymentFailureRatio(),
      atLeast: 0.5,
      section: 'payment-failures',
      meaning: 'Within an hour at least half of ten or more payments failed.',
    });
  }

  private watch(id: string, condition: Condition): void {
    const alarm = new Alarm(this, id, {
      metric: condition.metric,
      threshold: condition.atLeast,
      evaluationPeriods: 1,
      alarmDescription: `${condition.meaning} What to do: docs/runbook.md#${condition.section}`,
      treatMissingData: condition.silenceIsBad ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    if (this.topic === undefined) return;
    alarm.addAlarmAction(new SnsAction(this.topic));
    alarm.addOkAction(new SnsAction(this.topic));
  }

  /** A policy that demands TLS replaces the one that let the account's alarms in, so it lets them in itself. */
  private createTopic(email: string): Topic {
    const topic = new Topic(this, 'Topic', { enforceSSL: true });
    const conditions = { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } };
    topic.grantPublish(new ServicePrincipal('cloudwatch.amazonaws.com', { conditions }));
    topic.addSubscription(new EmailSubscription(email));
    return topic;
  }

  private streamAge(): Metric {
    return this.props.relay.metric('IteratorAge', { period, statistic: Stats.MAXIMUM });
  }

  private emitted(metricName: string, statistic: string): Metric {
    const dimensionsMap = { merchant: this.props.merchant, stage: this.props.stage };
    return new Metric({ namespace: metricNamespace, metricName, dimensionsMap, period, statistic });
  }

  private paymentFailureRatio(): MathExpression {
    const succeeded = this.emitted(metricNames.paymentsSucceeded, Stats.SUM);
    const failed = this.emitted(metricNames.paymentsFailed, Stats.SUM);
    return new MathExpression({
      label: 'failed payments / payments',
      expression: 'IF(SUM([succeeded, failed]) >= 10, failed / SUM([succeeded, failed]), 0)',
      usingMetrics: { succeeded, failed },
      period: Duration.hours(1),
    });
  }

  private createDashboard(): void {
    const { api, events, functions } = this.props;
    const dashboard = new Dashboard(this, 'Dashboard');
    dashboard.addWidgets(
      new TextWidget({ markdown: `# ${this.title()}\nWhat to do: docs/runbook.md`, width: 24, height: 2 }),
    );
    dashboard.addWidgets(
      graph('Requests', [
        api.stage.metricCount({ period }),
        api.stage.metricClientError({ period }),
        api.stage.metricServerError({ period }),
      ]),
      graph('Latency, ms', [
        api.stage.metricLatency({ period, statistic: 'p50' }),
        api.stage.metricLatency({ period, statistic: 'p99' }),
      ]),
      graph('Payments', [
        this.emitted(metricNames.paymentsSucceeded, Stats.SUM),
        this.emitted(metricNames.paymentsFailed, Stats.SUM),
      ]),
    );
    dashboard.addWidgets(
      graph(
        'Errors of functions',
        functions.map((fn) => fn.metricErrors({ period })),
      ),
      graph('Behind, s and ms', [this.emitted(metricNames.oldestDueEvent, Stats.MAXIMUM)], [this.streamAge()]),
      graph('Dead letters', [events.failedRelays, events.undelivered, events.failedDispatches].map(depth)),
    );
  }

  private title(): string {
    return `${this.props.merchant}, ${this.props.stage}`;
  }
}

const depth = (queue: Queue): Metric =>
  queue.metricApproximateNumberOfMessagesVisible({ period, statistic: Stats.MAXIMUM });

const graph = (title: string, left: IMetric[], right: IMetric[] = []): GraphWidget =>
  new GraphWidget({ title, left, right, width: 8, height: 6 });

/** The sum of metrics of which any may be silent. */
function sum(metrics: readonly IMetric[]): MathExpression {
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric]));
  return new MathExpression({ expression: `SUM([${Object.keys(usingMetrics).join(', ')}])`, usingMetrics, period });
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
