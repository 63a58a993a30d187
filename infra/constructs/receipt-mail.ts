import { Arn, Stack } from 'aws-cdk-lib';
import type { ServiceFunction } from './service-function.ts';

/** Lets the function mail from one address, which SES must know: by itself, or by its domain. */
export function grantReceiptMail(fn: ServiceFunction, from: string): void {
  const identities = [from, from.slice(from.lastIndexOf('@') + 1)];
  const stack = Stack.of(fn);
  fn.allow(
    ['ses:SendEmail'],
    identities.map((resourceName) => Arn.format({ service: 'ses', resource: 'identity', resourceName }, stack)),
    { StringEquals: { 'ses:FromAddress': from } },
  );
}
