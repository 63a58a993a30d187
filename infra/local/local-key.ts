import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { hashApiKey } from '../../shared/http/api-key.ts';
import { apiKeyStore } from '../../shared/store/access/api-key-store.ts';
import { now } from '../../shared/wiring/runtime.ts';
import { localAws } from '../local-aws/local-aws.ts';
import type { LocalTable } from '../local-aws/table.ts';

/**
 * The API key of the sandbox. It is public. Only the sandbox on this machine accepts it, because no stack has a row for
 * it.
 */
export const localKey = 'sk_test_LocalSandboxKeyWorksNowhereElse04O5HgB';

/** The address of a table, and the direct connection to it if there is one. */
type KeyedTable = Pick<LocalTable, 'endpoint' | 'tableName'> & Partial<Pick<LocalTable, 'connect'>>;

/** Makes a table on this machine accept the local key with full access. */
export async function seedLocalKey(
  { endpoint, tableName, connect }: KeyedTable,
  name = 'Local sandbox',
): Promise<void> {
  const base = new DynamoDBClient({ endpoint, region: localAws.region, credentials: localAws });
  const client = DynamoDBDocumentClient.from(base);
  connect?.(client);
  await apiKeyStore({ name: tableName, client }).save({
    hash: hashApiKey(localKey),
    name,
    lastFour: localKey.slice(-4),
    access: 'admin',
    refunds: { perDay: null },
    createdBy: null,
    createdAt: now().toISOString(),
    expiresAt: null,
    revokedAt: null,
  });
  base.destroy();
}
