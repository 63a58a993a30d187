import { Arn, Stack } from 'aws-cdk-lib';
import type { ServiceFunction } from './service-function.ts';

/**
 * Lets the function send mail from one address. SES must know the address or its domain, and may require the
 * domain's configuration set.
 */
export function grantReceiptMail(fn: ServiceFunction, from: string): void {
  const identities = [from, from.slice(from.lastIndexOf('@') + 1)];
  const arn = (resource: string, resourceName: string) =>
    Arn.format({ service: 'ses', resource, resourceName }, Stack.of(fn));
  const sets = arn('configuration-set', '*');
  fn.allow(['ses:SendEmail'], [...identities.map((name) => arn('identity', name)), sets], {
    StringEquals: { 'ses:FromAddress': from },
  });
  fn.acknowledgeWildcard(
    'arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:configuration-set/*',
    'Which set the identity of the address has by default is not known here; from another address nothing can be sent.',
  );
}
