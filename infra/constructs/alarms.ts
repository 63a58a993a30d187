import { Aws, Duration } from 'aws-cdk-lib';
import { Alarm, type IMetric, type Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { type ServiceMetrics, sumOf } from './service-metrics.ts';

export interface AlarmsProps {
  /** What they watch. */
  metrics: ServiceMetrics;
  /** Who is told; without it the alarms are only seen in the console. */
  email?: string;
  /** Whether failing payments are bad, which they are not where test cards are made to fail. */
  watchesPayments: boolean;
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

/** CloudWatch computes an alarm from ten metrics at most. */
const metricsPerAlarm = 10;

/** Tells somebody when money or events are stuck. */
export class Alarms extends Construct {
  private readonly metrics: ServiceMetrics;
  private readonly topic: Topic | undefined;

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    this.metrics = props.metrics;
    this.topic = props.email === undefined ? undefined : this.createTopic(props.email);
    this.watchApi();
    chunks(props.metrics.functions, metricsPerAlarm).forEach((functions, index) => {
      this.watchErrors(`FunctionErrors${index + 1}`, functions.map(props.metrics.errorsOf));
      this.watchThrottles(`Throttles${index + 1}`, functions.map(props.metrics.throttlesOf));
    });
    this.watchEvents();
    this.watchQueues();
    if (props.watchesPayments) this.watchPayments();
  }

  private watchApi(): void {
    this.watch('ApiErrors', {
      metric: this.metrics.serverErrors(),
      atLeast: 5,
      section: 'api-errors',
      meaning: 'Callers got five or more 5xx answers within five minutes.',
    });
  }

  private watchErrors(id: string, errors: Metric[]): void {
    const meaning = 'Functions crashed or timed out three or more times within five minutes.';
    this.watch(id, { metric: sumOf(errors), atLeast: 3, section: 'function-errors', meaning });
  }

  private watchThrottles(id: string, throttles: Metric[]): void {
    const meaning = 'Lambda refused to start a function, because the account has no concurrency left.';
    this.watch(id, { metric: sumOf(throttles), atLeast: 1, section: 'throttles', meaning });
  }

  private watchEvents(): void {
    this.watch('StreamAge', {
      metric: this.metrics.streamAgeMs(),
      atLeast: Duration.minutes(5).toMilliseconds(),
      section: 'stream-age',
      meaning: 'The relay is five minutes behind the table.',
    });
    this.watch('OldestDueEvent', {
      metric: this.metrics.oldestDueEventSeconds(),
      atLeast: Duration.minutes(5).toSeconds(),
      section: 'oldest-due-event',
      meaning: 'An event has waited five minutes to be dispatched, or the sweep no longer runs.',
      silenceIsBad: true,
    });
  }

  private watchQueues(): void {
    const { metrics } = this;
    const queue = (id: string, metric: Metric, section: string, meaning: string) =>
      this.watch(id, { metric, atLeast: 1, section, meaning });
    queue('FailedRelays', metrics.failedRelays(), 'failed-relays', 'The relay gave up on records of the stream.');
    queue('Undelivered', metrics.undelivered(), 'undelivered-events', 'The bus gave up on handing over events.');
    queue('FailedDispatches', metrics.failedDispatches(), 'failed-dispatches', 'The dispatcher gave up on events.');
  }

  private watchPayments(): void {
    this.watch('PaymentFailures', {
      metric: this.metrics.paymentFailureRatio(),
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
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
