import { Arn, Duration, Stack } from 'aws-cdk-lib';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { ConfigurationSet, EmailSendingEvent, EventDestination } from 'aws-cdk-lib/aws-ses';
import { Construct } from 'constructs';
import type { ServiceFunction } from './service-function.ts';

interface ReceiptMailProps {
  /** The sender's address. SES must have verified it or its domain. */
  from: string;
}

/**
 * The types of reports that we request from SES. It could also report opened mails and clicked links, but nobody here
 * needs that.
 */
const events = [
  EmailSendingEvent.DELIVERY,
  EmailSendingEvent.BOUNCE,
  EmailSendingEvent.COMPLAINT,
  EmailSendingEvent.REJECT,
];

/** For how long a report is retried if the function fails. A later bounce of the same mail is rare. */
const retention = { maxEventAge: Duration.hours(6), retryAttempts: 2 };

/** Sends mail with SES from one address, and makes SES report the result. */
export class ReceiptMail extends Construct {
  private readonly from: string;
  private readonly set: ConfigurationSet;

  constructor(scope: Construct, id: string, props: ReceiptMailProps) {
    super(scope, id);
    this.from = props.from;
    this.set = new ConfigurationSet(this, 'Set');
    const bus = EventBus.fromEventBusName(this, 'DefaultBus', 'default'); // SES sends its reports only to this bus.
    this.set.addEventDestination('Reports', { destination: EventDestination.eventBus(bus), events });
  }

  /**
   * Lets the function send mail from this address, but only with the configuration set. It sets the name of the set.
   */
  grantSend(fn: ServiceFunction): void {
    const identities = [this.from, this.from.slice(this.from.lastIndexOf('@') + 1)];
    const arn = (resource: string, resourceName: string) =>
      Arn.format({ service: 'ses', resource, resourceName }, Stack.of(fn));
    const set = arn('configuration-set', this.set.configurationSetName);
    fn.allow(['ses:SendEmail'], [...identities.map((name) => arn('identity', name)), set], {
      StringEquals: { 'ses:FromAddress': this.from },
    });
    fn.addEnvironment('MAIL_CONFIGURATION_SET', this.set.configurationSetName);
  }

  /** Lets the function read how many mails the account may send. */
  grantQuota(fn: ServiceFunction): void {
    fn.allow(['ses:GetAccount'], ['*']);
    fn.acknowledgeWildcard('*', 'SES has no resource that stands for the limits of the account.');
  }

  /**
   * Calls the function for each report about a mail that this stack sent with this tag. The bus has the reports of the
   * whole account.
   */
  report(tag: string, fn: ServiceFunction): void {
    fn.configureAsyncInvoke(retention);
    const tags = { 'ses:configuration-set': [this.set.configurationSetName], [tag]: [{ exists: true }] };
    new Rule(this, 'OnReport', {
      eventPattern: { source: ['aws.ses'], detail: { mail: { tags } } },
      targets: [new LambdaFunction(fn, retention)],
    });
  }
}
