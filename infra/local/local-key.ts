import type { ApiKey } from '../../shared/domain/api-key.ts';
import { hashApiKey } from '../../shared/http/api-key.ts';
import { keys } from '../../shared/store/keys.ts';
import { callDynamo } from './dynamo-wire.ts';

/** Known to everybody, and accepted by the sandbox on this machine alone: no stack has its row. */
export const localKey = 'sk_test_LocalSandboxKeyWorksNowhereElse04O5HgB';

/** Puts the local key into a table on this machine. */
export async function seedLocalKey({ endpoint, tableName }: { endpoint: string; tableName: string }): Promise<void> {
  const key: ApiKey = {
    hash: hashApiKey(localKey),
    name: 'Local sandbox',
    lastFour: localKey.slice(-4),
    access: 'write',
    createdAt: new Date(0).toISOString(),
    expiresAt: null,
    revokedAt: null,
  };
  const Item = { ...marshall(keys.apiKey(key.hash)), entity: { S: 'KEY' }, data: { M: marshall(key) } };
  await callDynamo(endpoint, 'DynamoDB', 'PutItem', { TableName: tableName, Item });
}

const marshall = (values: Record<string, string | null>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value === null ? { NULL: true } : { S: value }]),
  );
