import { Arn, Duration, Stack } from 'aws-cdk-lib';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { ConfigurationSet, EmailSendingEvent, EventDestination } from 'aws-cdk-lib/aws-ses';
import { Construct } from 'constructs';
import type { ServiceFunction } from './service-function.ts';

interface ReceiptMailProps {
  /** The sender. SES must know the address or its domain. */
  from: string;
}

/** What SES reports of a mail. It reports opened mails and clicked links too, which nobody here wants to know. */
const events = [
  EmailSendingEvent.DELIVERY,
  EmailSendingEvent.BOUNCE,
  EmailSendingEvent.COMPLAINT,
  EmailSendingEvent.REJECT,
];

/** How long a report is kept for a function that cannot take it now. A later bounce of the same mail is rare. */
const retention = { maxEventAge: Duration.hours(6), retryAttempts: 2 };

/** Sends mail from one address by SES, and lets SES report what becomes of it. */
export class ReceiptMail extends Construct {
  private readonly from: string;
  private readonly set: ConfigurationSet;

  constructor(scope: Construct, id: string, props: ReceiptMailProps) {
    super(scope, id);
    this.from = props.from;
    this.set = new ConfigurationSet(this, 'Set');
    const bus = EventBus.fromEventBusName(this, 'DefaultBus', 'default'); // SES reports to this bus only
    this.set.addEventDestination('Reports', { destination: EventDestination.eventBus(bus), events });
  }

  /** Lets the function send mail from the address, by the configuration set only, and sets the set's name. */
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

  /**
   * Calls the function with each report about a mail that this stack sent with this tag. The bus carries the reports of
   * the whole account.
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
