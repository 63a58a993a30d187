import { callDynamo } from '../../infra/local/dynamo-wire.ts';
import { canonicalJson } from '../../shared/http/idempotency.ts';
import type { Api } from './api.ts';

interface Item {
  entity?: { S: string };
}

/** How many rows of each entity the table holds, API keys aside: what a refused request must not change. */
export async function countRows({
  endpoint,
  tableName,
}: Pick<Api, 'endpoint' | 'tableName'>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  let ExclusiveStartKey: unknown;
  do {
    const page = { TableName: tableName, ...(ExclusiveStartKey ? { ExclusiveStartKey } : {}) };
    const answer = (await callDynamo(endpoint, 'DynamoDB', 'Scan', page)) as {
      Items: Item[];
      LastEvaluatedKey?: unknown;
    };
    for (const { entity } of answer.Items) {
      const name = entity?.S ?? 'UNKNOWN';
      if (name !== 'KEY') counts[name] = (counts[name] ?? 0) + 1;
    }
    ExclusiveStartKey = answer.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return counts;
}

/** Every row by its key, as canonical text: two of these are the same when nothing was written in between. */
export async function tableRows({ endpoint, tableName }: Pick<Api, 'endpoint' | 'tableName'>): Promise<string[]> {
  const rows: string[] = [];
  let ExclusiveStartKey: unknown;
  do {
    const page = { TableName: tableName, ConsistentRead: true, ...(ExclusiveStartKey ? { ExclusiveStartKey } : {}) };
    const answer = (await callDynamo(endpoint, 'DynamoDB', 'Scan', page)) as {
      Items: unknown[];
      LastEvaluatedKey?: unknown;
    };
    rows.push(...answer.Items.map(canonicalJson));
    ExclusiveStartKey = answer.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return rows.sort();
}
