import { expect, it } from 'vitest';
import { localKey, seedLocalKey } from '../../infra/local/local-key.ts';
import { startLocalTable } from '../../infra/local/local-table.ts';
import { callDynamo } from '../../infra/local-aws/stream/dynamo-wire.ts';
import { hashApiKey, stageOfKey } from '../../shared/http/api-key.ts';

it('the local key is a well-formed key of the sandbox', () => {
  expect(stageOfKey(localKey)).toBe('sandbox');
});

it('the local key is stored in a table only as a hash', async () => {
  const table = await startLocalTable();
  await seedLocalKey(table);
  await seedLocalKey(table);
  const rows = await callDynamo<{ Items: { pk: { S: string } }[] }>(table.endpoint, 'DynamoDB', 'Scan', {
    TableName: table.tableName,
  });
  expect(rows.Items.map(({ pk }) => pk.S).filter((pk) => pk !== 'KEY')).toEqual([`KEY#${hashApiKey(localKey)}`]);
  expect(JSON.stringify(rows)).not.toContain(localKey);
  await table.stop();
});
