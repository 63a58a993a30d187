import { Duration, Stack, Validations } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus, type EventPattern, Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { AccountPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { ServiceFunction } from './service-function.ts';

interface PaymentEventsProps {
  /** The events that the bus's archive keeps. */
  kept: EventPattern;
  /** The other accounts that may put rules on the bus. By default, there are none. */
  ruleAccounts: readonly string[] | undefined;
}

/** The most records in one call of the relay. One PutEvents call accepts ten entries. */
const relayBatchSize = 10;

/** What CloudFormation in another account does with a rule. Nobody else may put events on the bus. */
const ruleActions = [
  'PutRule',
  'DescribeRule',
  'EnableRule',
  'DisableRule',
  'DeleteRule',
  'PutTargets',
  'ListTargetsByRule',
  'RemoveTargets',
  'TagResource',
  'UntagResource',
  'ListTagsForResource',
];

/** For how long the delivery of an event is retried. */
const retention = { maxEventAge: Duration.hours(1) };

/**
 * Carries events from the table's stream to the functions, through the bus and a queue. A sweep repeats each minute
 * what has failed. Failed events stay in one of four queues for 14 days. The sweep publishes them again anyway. So
 * nothing is retried for more than an hour, and then an alarm is raised.
 */
export class PaymentEvents extends Construct {
  /** Stream records that the relay could not publish. */
  readonly failedRelays: Queue;
  /** Events that the bus could not deliver to the function. */
  readonly undelivered: Queue;
  /** Events for which the dispatcher failed three times. */
  readonly failedDispatches: Queue;
  /** Events whose document could not be issued in three tries. If only the mail fails, the sweep sends it later. */
  readonly failedDocuments: Queue;
  /** The bus with all events. A merchant's own rules may use it. */
  readonly bus: EventBus;

  constructor(scope: Construct, id: string, props: PaymentEventsProps) {
    super(scope, id);
    this.bus = new EventBus(this, 'Bus');
    this.bus.archive('Archive', { eventPattern: props.kept, retention: Duration.days(30) });
    if (props.ruleAccounts) this.shareBus(props.ruleAccounts);
    this.failedRelays = this.createDeadLetterQueue('FailedRelays');
    this.undelivered = this.createDeadLetterQueue('Undelivered');
    this.failedDispatches = this.createDeadLetterQueue('FailedDispatches');
    this.failedDocuments = this.createQueue('FailedDocuments');
  }

  /**
   * Lets other accounts put rules on the bus. Each account sees and changes only its own rules: a rule that does not exist
   * yet has no creator, so the condition applies only if there is one.
   */
  private shareBus(accounts: readonly string[]): void {
    const resourceName = `${this.bus.eventBusName}/*`;
    // biome-ignore lint/suspicious/noTemplateCurlyInString: IAM replaces it with the account that calls
    const ownRules = { StringEqualsIfExists: { 'events:creatorAccount': '${aws:PrincipalAccount}' } };
    this.bus.addToResourcePolicy(
      new PolicyStatement({
        sid: 'RulesOfOtherAccounts',
        principals: accounts.map((account) => new AccountPrincipal(account)),
        actions: ruleActions.map((action) => `events:${action}`),
        resources: [Stack.of(this).formatArn({ service: 'events', resource: 'rule', resourceName })],
        conditions: ownRules,
      }),
    );
  }

  /** Lets the function publish on the bus and send to the queue of documents, and sets the bus's name and the queue's address. */
  grantPublish(fn: ServiceFunction, documents: Queue): void {
    fn.addEnvironment('BUS_NAME', this.bus.eventBusName);
    fn.allow(['events:PutEvents'], [this.bus.eventBusArn]);
    fn.addEnvironment('DOCUMENT_QUEUE_URL', documents.queueUrl);
    fn.allow([sqs('SendMessage')], [documents.queueArn]);
  }

  /** Lets the function count the messages of the queue of documents. */
  grantCount(fn: ServiceFunction, documents: Queue): void {
    fn.allow([sqs('GetQueueAttributes')], [documents.queueArn]);
  }

  /**
   * Sends the matching records of the table's stream to the function. Records that fail are put into a queue of
   * failures.
   */
  relay(table: Table, filter: object, fn: ServiceFunction): void {
    const streamArn = table.tableStreamArn;
    if (streamArn === undefined) throw new Error('The table has no stream to relay.');
    fn.allow(['GetRecords', 'GetShardIterator', 'DescribeStream', 'ListStreams'].map(dynamodb), [streamArn]);
    new EventSourceMapping(this, 'Relay', {
      target: fn,
      eventSourceArn: streamArn,
      startingPosition: StartingPosition.TRIM_HORIZON,
      filters: [FilterCriteria.filter(filter)],
      batchSize: relayBatchSize,
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      retryAttempts: 10,
      maxRecordAge: Duration.hours(1),
      onFailure: setAside(fn, this.failedRelays),
    });
  }

  /** Sends every matching entry of the bus to the function. */
  dispatch(pattern: EventPattern, fn: ServiceFunction): void {
    fn.configureAsyncInvoke({ ...retention, retryAttempts: 2, onFailure: setAside(fn, this.failedDispatches) });
    const target = new LambdaFunction(fn, { ...retention, deadLetterQueue: this.undelivered });
    new Rule(this, fn.node.id, { eventBus: this.bus, eventPattern: pattern, targets: [target] });
  }

  /** Creates a queue that sends its messages in batches to the function, with at most `atOnce` calls at the same time. */
  queueFor(fn: ServiceFunction, batch: { most: number; seconds: number; atOnce: number }): Queue {
    const queue = this.createQueue(`${fn.node.id}Queue`, {
      visibilityTimeout: Duration.seconds(6 * (fn.timeout?.toSeconds() ?? 0)),
      deadLetterQueue: { queue: this.failedDocuments, maxReceiveCount: 3 },
    });
    fn.allow(['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'].map(sqs), [queue.queueArn]);
    new EventSourceMapping(this, `${fn.node.id}Batches`, {
      target: fn,
      eventSourceArn: queue.queueArn,
      batchSize: batch.most,
      maxBatchingWindow: Duration.seconds(batch.seconds),
      maxConcurrency: batch.atOnce,
      reportBatchItemFailures: true,
    });
    return queue;
  }

  /**
   * Calls the function at a fixed interval. A call that fails is not repeated, because the next call finds the same
   * work.
   */
  sweep(everyMinutes: number, fn: ServiceFunction): void {
    const once = { maxEventAge: Duration.minutes(1), retryAttempts: 0 };
    fn.configureAsyncInvoke(once);
    new Rule(this, 'Sweep', {
      schedule: Schedule.rate(Duration.minutes(everyMinutes)),
      targets: [new LambdaFunction(fn, once)],
    });
  }

  /** Calls the function at a fixed interval, and repeats a call that fails. */
  repeat(id: string, everyMinutes: number, fn: ServiceFunction): void {
    const schedule = Schedule.rate(Duration.minutes(everyMinutes));
    new Rule(this, id, { schedule, targets: [new LambdaFunction(fn)] });
  }

  /** A dead-letter queue. Lambda or the bus puts messages into it directly, which cdk-nag cannot detect. */
  private createDeadLetterQueue(id: string): Queue {
    const queue = this.createQueue(id);
    const reason = 'It is a dead-letter queue itself: Lambda or the bus names it where cdk-nag does not look.';
    Validations.of(queue).acknowledge({ id: 'AwsSolutions-SQS3', reason });
    return queue;
  }

  private createQueue(id: string, props: QueueProps = {}): Queue {
    const retentionPeriod = Duration.days(14);
    return new Queue(this, id, {
      ...props,
      retentionPeriod,
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
    });
  }
}

/** Makes Lambda put failed events into this queue, with the role of the function. */
function setAside(fn: ServiceFunction, queue: Queue): { bind(): { destination: string } } {
  fn.allow([sqs('SendMessage')], [queue.queueArn]);
  return { bind: () => ({ destination: queue.queueArn }) };
}

const dynamodb = (action: string): string => `dynamodb:${action}`;
const sqs = (action: string): string => `sqs:${action}`;
