import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Stage } from '../../../shared/domain/merchant.ts';
import { secretNames, secretsFolder } from '../../../shared/domain/processor.ts';
import { env } from '../../../shared/env.ts';
import type { ParameterAccess } from '../../../shared/outside/parameters/parameter-store.ts';
import { readSecret, removeSecrets, writeSecret } from '../../../shared/outside/parameters/secret.ts';
import { isOnThisMachine } from '../../../shared/outside/processor/played-address.ts';
import type { AccountAccess, NotificationSetup } from '../../../shared/outside/processor/processor-description.ts';
import type { ProcessorName } from '../../../shared/outside/processor/registry.ts';
import { UsageError } from '../../usage-error.ts';

/** The merchant and the stage whose processor it is. */
export interface Shop {
  merchantId: string;
  stage: Stage;
  processor: ProcessorName;
}

/** Reads and writes the secrets of a stage, for an operator. */
export interface StoredSecrets extends Omit<NotificationSetup, 'address'> {
  key(): Promise<string | undefined>;
  saveKey(key: string): Promise<void>;
  removeAll(): Promise<void>;
}

/** Uses the credentials and the region of the environment or of a profile, like the AWS CLI. */
function accessOfOperator(): ParameterAccess & { regionOf: () => Promise<string> } {
  const { config } = new DynamoDBClient();
  const credentials = async () => config.credentials();
  return { region: '', regionOf: () => config.region(), credentials, endpoint: env.parameterStoreUrl() };
}

export async function openSecrets({ merchantId, stage, processor }: Shop): Promise<StoredSecrets> {
  const { regionOf, ...found } = accessOfOperator();
  const access = { ...found, region: await regionOf() };
  const { key, signingSecrets } = secretNames(secretsFolder(merchantId, stage, processor));
  return {
    key: () => readSecret(access, key),
    saveKey: (value) => writeSecret(access, key, value),
    signingSecrets: async () => ((await readSecret(access, signingSecrets)) ?? '').split('\n').filter(Boolean),
    saveSigningSecrets: (secrets) => writeSecret(access, signingSecrets, secrets.join('\n')),
    removeAll: () => removeSecrets(access, [key, signingSecrets]),
  };
}

/**
 * The access to the account of a key. The key is sent only to the processor, or to a fake processor on this machine.
 */
export function accessTo(key: string, processorUrl: string | undefined): AccountAccess {
  if (processorUrl !== undefined && !isOnThisMachine(processorUrl))
    throw new UsageError('--processor-url must be an address on this machine, such as http://127.0.0.1:4001.');
  return { key: async () => key, baseUrl: processorUrl };
}
