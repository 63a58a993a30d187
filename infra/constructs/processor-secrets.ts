import { Arn, ArnFormat, Stack } from 'aws-cdk-lib';
import type { Stage } from '../../shared/domain/merchant.ts';
import { type ProcessorPart, secretNames } from '../../shared/domain/processor.ts';
import { type ClosedRegister, registerSecretName } from '../../shared/domain/register-secrets.ts';
import type { ServiceFunction } from './service-function.ts';

/**
 * Lets the function read the processor's key, and also the signing secrets if it receives notifications. It sets the
 * names of the parameters. The stack does not create them, because a template would show them. They are encrypted with
 * the account's key for parameters. Every role that may read the parameter can decrypt it.
 */
export function grantProcessorSecrets(fn: ServiceFunction, folder: string, parts: readonly ProcessorPart[]): void {
  const { key, signingSecrets } = secretNames(folder);
  const names = parts.includes('notifications') ? [key, signingSecrets] : [key];
  fn.allow(
    ['ssm:GetParameter'],
    names.map((name) => arnOf(name, fn)),
  );
  fn.addEnvironment('PROCESSOR_SECRETS', folder);
}

interface Registers {
  merchantId: string;
  stage: Stage;
  registers: readonly ClosedRegister[];
}

/**
 * Lets the function read the merchant's credentials for registers of tax ids. It sets the list of registers that have
 * credentials.
 */
export function grantRegisterSecrets(fn: ServiceFunction, { merchantId, stage, registers }: Registers): void {
  const names = registers.map((register) => registerSecretName(merchantId, stage, register));
  fn.allow(
    ['ssm:GetParameter'],
    names.map((name) => arnOf(name, fn)),
  );
  fn.addEnvironment('REGISTERS', registers.join(','));
}

const arnOf = (name: string, fn: ServiceFunction): string =>
  Arn.format(
    {
      service: 'ssm',
      resource: 'parameter',
      resourceName: name.slice(1),
      arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
    },
    Stack.of(fn),
  );
