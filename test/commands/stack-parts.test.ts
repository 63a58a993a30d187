import { CloudFormationClient, CloudFormationServiceException } from '@aws-sdk/client-cloudformation';
import { expect, it } from 'vitest';
import { findStack } from '../../infra/commands/ops/stack-parts.ts';

/** A client for which every call fails. */
const failing = (name: string, message: string): CloudFormationClient => {
  const error = new CloudFormationServiceException({ name, message, $fault: 'client', $metadata: {} });
  return Object.assign(new CloudFormationClient({ region: 'eu-central-1' }), { send: () => Promise.reject(error) });
};

it('a stack is absent if CloudFormation answers with ValidationError, with any message', async () => {
  for (const message of ['Stack with id shop does not exist', 'No such stack'])
    expect(await findStack(failing('ValidationError', message), 'shop')).toBeUndefined();
});

it('an error with another cause does not mean that the stack is absent', async () => {
  const refused = findStack(failing('AccessDenied', 'The role does not exist'), 'shop');
  await expect(refused).rejects.toMatchObject({ name: 'AccessDenied' });
});
