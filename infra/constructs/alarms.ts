import { Aws, Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, type Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { ServiceMetrics } from './service-metrics.ts';

interface AlarmsProps {
  /** The metrics to watch. */
  metrics: ServiceMetrics;
  /**
   * The mail address that receives the alarms. If there is no address and no topic, alarms appear only in the console.
   */
  email?: string | undefined;
  /** The ARN of the merchant's own topic that receives them. */
  topicArn?: string | undefined;
  /**
   * Whether many failed payments raise an alarm. In a sandbox, they do not, because some test cards fail on purpose.
   */
  watchesPayments: boolean;
}

/**
 * The condition on which a metric raises an alarm: at least or at most a value. It also names the runbook's section.
 */
type Condition = Watched &
  ({ /** From this value upwards. */ atLeast: number } | { /** From this value downwards. */ atMost: number });

interface Watched {
  metric: IMetric;
  /** The anchor of its section in `docs/runbook.md`. */
  section: string;
  /** The meaning of the alarm, in one sentence. */
  meaning: string;
  /** Whether missing data also raises the alarm. By default, it does not. */
  silenceIsBad?: boolean;
}

/** Alarms for money or events that are stuck. */
export class Alarms extends Construct {
  private readonly metrics: ServiceMetrics;
  private readonly topics: readonly ITopic[];

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    this.metrics = props.metrics;
    this.topics = this.topicsOf(props);
    this.watchApi();
    this.watchWorkers();
    this.watchEvents();
    this.watchQueues();
    this.watchMoney();
    this.watchRates();
    this.watchLimits();
    if (props.watchesPayments) {
      this.watchPayments();
      this.watchProcessor();
    }
  }

  private watchApi(): void {
    this.watch('ApiErrors', {
      metric: this.metrics.serverErrors(),
      atLeast: 5,
      section: 'api-errors',
      meaning: 'Callers got five or more 5xx answers within five minutes.',
    });
  }

  /** Watches only background functions. Errors of API functions are already counted as 5xx of the API. */
  private watchWorkers(): void {
    this.watch('WorkerErrors', {
      metric: this.metrics.workerErrors(),
      atLeast: 3,
      section: 'worker-errors',
      meaning: 'Workers crashed or timed out three or more times within five minutes.',
    });
    this.watch('Throttles', {
      metric: this.metrics.throttles(),
      atLeast: 1,
      section: 'throttles',
      meaning:
        'Lambda could not start a worker, because no concurrency is left, of the account or reserved for the worker.',
    });
    this.watch('Heartbeat', {
      metric: this.metrics.sweepErrors(),
      atLeast: 3,
      section: 'heartbeat',
      meaning:
        'The sweep failed three or more times within five minutes, or did not run, so nothing that is due happens.',
      silenceIsBad: true,
    });
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
      meaning: 'An event has waited five minutes to be dispatched.',
    });
    this.watch('OldestUndoneDocument', {
      metric: this.metrics.oldestUndoneDocumentSeconds(),
      atLeast: Duration.minutes(15).toSeconds(),
      section: 'oldest-undone-document',
      meaning: 'An invoice or credit note has waited fifteen minutes to be issued or mailed.',
    });
  }

  private watchQueues(): void {
    const { metrics } = this;
    const queue = (id: string, metric: Metric, section: string, meaning: string) =>
      this.watch(id, { metric, atLeast: 1, section, meaning });
    queue('FailedRelays', metrics.failedRelays(), 'failed-relays', 'The relay gave up on records of the stream.');
    queue('Undelivered', metrics.undelivered(), 'undelivered-events', 'The bus gave up on delivering events.');
    queue('FailedDispatches', metrics.failedDispatches(), 'failed-dispatches', 'The dispatcher gave up on events.');
    queue('FailedDocuments', metrics.failedDocuments(), 'failed-documents', 'A document was not issued.');
  }

  private watchMoney(): void {
    this.watch('MoneyAlerts', {
      metric: this.metrics.moneyAlerts(),
      atLeast: 1,
      section: 'money-alerts',
      meaning: 'Something happened to money that a person has to look at, such as a dispute.',
    });
    this.watch('BooksOutOfBalance', {
      metric: this.metrics.booksOutOfBalance(),
      atLeast: 1,
      section: 'books-out-of-balance',
      meaning: 'The amounts of a payment contradict each other, or its refunds and disputes.',
    });
  }

  private watchLimits(): void {
    this.watch('ThrottledTable', {
      metric: this.metrics.throttledCalls(),
      atLeast: 50,
      section: 'throttled-table',
      meaning: 'The table refused fifty or more reads and writes within five minutes, because they came too fast.',
    });
    this.watch('TooManyRequests', {
      metric: this.metrics.tooManyRequests(),
      atLeast: 300,
      section: 'too-many-requests',
      meaning: 'Three hundred or more requests were refused with 429 within five minutes.',
    });
    this.watch('EndpointsDisabled', {
      metric: this.metrics.endpointsDisabled(),
      atLeast: 1,
      section: 'disabled-endpoints',
      meaning: 'An endpoint was disabled because its webhooks failed for days, so an integration hears nothing.',
    });
    this.watch('KeysEnding', {
      metric: this.metrics.keysEnding(),
      atLeast: 1,
      section: 'keys-about-to-end',
      meaning: 'An API key ends within seven days, and what uses it will be refused.',
    });
    const certificateDays = this.metrics.certificateDays();
    if (certificateDays)
      this.watch('Certificate', {
        metric: certificateDays,
        atMost: 20,
        section: 'certificate',
        meaning: 'The certificate of the own domain ends within twenty days and was not renewed.',
      });
  }

  /**
   * Watches the age of the exchange rates. The publisher pauses for at most four days, at Easter, so the rates are
   * never older than six days.
   */
  private watchRates(): void {
    this.watch('ExchangeRates', {
      metric: this.metrics.exchangeRatesAgeSeconds(),
      atLeast: Duration.days(7).toSeconds(),
      section: 'exchange-rates',
      meaning: 'No exchange rates have been fetched for a week. After ten days, invoices that need one wait.',
    });
  }

  private watchPayments(): void {
    this.watch('SalesStopped', {
      metric: this.metrics.salesStopped(),
      atLeast: 1,
      section: 'sales-stopped',
      meaning: 'Nothing has been sold for hours in which the shop sold something on each of the last seven days.',
    });
    this.watch('StuckPayments', {
      metric: this.metrics.stuckPayments(),
      atLeast: 1,
      section: 'stuck-payments',
      meaning: 'A payment has been open at the processor for three hours, or processing there for two weeks.',
    });
    this.watch('PaymentFailures', {
      metric: this.metrics.paymentFailureRatio(),
      atLeast: 0.5,
      section: 'payment-failures',
      meaning: 'At least half of ten or more payments failed within an hour.',
    });
  }

  /**
   * Watches requests that the processor did not answer. A row is asked about once a minute, so five failures in five
   * minutes can belong to one row.
   */
  private watchProcessor(): void {
    this.watch('UnansweredRows', {
      metric: this.metrics.unansweredRows(),
      atLeast: 4,
      section: 'unanswered-rows',
      meaning: 'The processor could not be asked about a payment, a refund or a dispute for five minutes.',
    });
  }

  private watch(id: string, condition: Condition): void {
    const alarm = new Alarm(this, id, {
      metric: condition.metric,
      ...('atLeast' in condition
        ? { threshold: condition.atLeast }
        : { threshold: condition.atMost, comparisonOperator: ComparisonOperator.LESS_THAN_OR_EQUAL_TO_THRESHOLD }),
      evaluationPeriods: 1,
      alarmDescription: `${condition.meaning} What to do: docs/runbook.md#${condition.section}`,
      treatMissingData: condition.silenceIsBad ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    const actions = this.topics.map((topic) => new SnsAction(topic));
    alarm.addAlarmAction(...actions);
    alarm.addOkAction(...actions);
  }

  private topicsOf({ email, topicArn }: AlarmsProps): ITopic[] {
    return [
      ...(email === undefined ? [] : [this.createTopic(email)]),
      ...(topicArn === undefined ? [] : [Topic.fromTopicArn(this, 'OwnTopic', topicArn)]),
    ];
  }

  /**
   * Creates the topic of the alarms with a policy that requires TLS. A policy replaces the default permission for the
   * alarms of the account, so it contains that permission too.
   */
  private createTopic(email: string): Topic {
    const topic = new Topic(this, 'Topic', { enforceSSL: true });
    const conditions = { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } };
    topic.grantPublish(new ServicePrincipal('cloudwatch.amazonaws.com', { conditions }));
    topic.addSubscription(new EmailSubscription(email));
    return topic;
  }
}
