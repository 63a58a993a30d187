import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { hashApiKey } from '../../shared/http/api-key.ts';
import { apiKeyStore } from '../../shared/store/api-key-store.ts';
import { localAws } from './local-aws.ts';

/** Known to everybody, and accepted by the sandbox on this machine alone: no stack has its row. */
export const localKey = 'sk_test_LocalSandboxKeyWorksNowhereElse04O5HgB';

/** Makes a table on this machine accept the local key, for reading and writing. */
export async function seedLocalKey({ endpoint, tableName }: { endpoint: string; tableName: string }): Promise<void> {
  const client = new DynamoDBClient({ endpoint, region: localAws.region, credentials: localAws });
  await apiKeyStore({ name: tableName, client: DynamoDBDocumentClient.from(client) }).save({
    hash: hashApiKey(localKey),
    name: 'Local sandbox',
    lastFour: localKey.slice(-4),
    access: 'write',
    createdAt: new Date(0).toISOString(),
    expiresAt: null,
    revokedAt: null,
  });
  client.destroy();
}
