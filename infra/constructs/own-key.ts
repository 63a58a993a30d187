import { Stack } from 'aws-cdk-lib';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { ServiceFunction } from './service-function.ts';

/** The merchant's own key. It exists before the stack, and the stack never removes it. */
export const ownKey = (scope: Construct, arn: string): IKey => Key.fromKeyArn(scope, 'OwnKey', arn);

/** The actions on the key for reading and for writing. A role that only reads data may only decrypt. */
const uses = [
  'kms:Decrypt',
  'kms:DescribeKey',
  'kms:Encrypt',
  'kms:GenerateDataKey',
  'kms:ReEncryptFrom',
  'kms:ReEncryptTo',
];

/** Lets the function use the merchant's key, but only through the service that stores the data. */
export function grantKey(fn: ServiceFunction, key: IKey | undefined, service: 'dynamodb' | 's3'): void {
  if (key === undefined) return;
  const { region, urlSuffix } = Stack.of(fn);
  fn.allow(uses, [key.keyArn], { StringEquals: { 'kms:ViaService': `${service}.${region}.${urlSuffix}` } });
}
