import { expect, it } from 'vitest';
import { tableSchema } from '../../shared/store/table/table-schema.ts';
import { templateOf, theOnly } from './synthesized.ts';

const table = theOnly(templateOf('live'), 'AWS::DynamoDB::Table').Properties;
const sandbox = theOnly(templateOf('sandbox'), 'AWS::DynamoDB::Table').Properties;

const keysOf = (keySchema: { AttributeName: string; KeyType: string }[]) =>
  Object.fromEntries(keySchema.map(({ KeyType, AttributeName }) => [KeyType, AttributeName]));

it('the table has the keys and the time-to-live attribute that the stores use', () => {
  expect(keysOf(table.KeySchema)).toEqual({ HASH: 'pk', RANGE: 'sk' });
  for (const { AttributeType } of table.AttributeDefinitions) expect(AttributeType).toBe('S');
  expect(table.TimeToLiveSpecification).toEqual({ AttributeName: tableSchema.timeToLive, Enabled: true });
});

it('each index has the keys and the projection that the stores use', () => {
  const indexes = Object.entries(tableSchema.indexes).map(([name, { partitionKey, sortKey, projected }]) => ({
    name,
    keys: { HASH: partitionKey, RANGE: sortKey },
    projection:
      projected.length > 0
        ? { ProjectionType: 'INCLUDE', NonKeyAttributes: projected }
        : { ProjectionType: 'KEYS_ONLY' },
  }));
  const deployed = table.GlobalSecondaryIndexes.map(
    (index: { IndexName: string; KeySchema: never[]; Projection: object }) => ({
      name: index.IndexName,
      keys: keysOf(index.KeySchema),
      projection: index.Projection,
    }),
  );
  expect(deployed).toEqual(indexes);
});

it('the table is billed per request, encrypted by KMS, and streams new images only', () => {
  expect(table.BillingMode).toBe('PAY_PER_REQUEST');
  expect(table.SSESpecification).toEqual({ SSEEnabled: true });
  expect(table.StreamSpecification).toEqual({ StreamViewType: 'NEW_IMAGE' });
});

it('the table can be restored to any second of the last 35 days, and in live it is protected against deletion', () => {
  for (const { PointInTimeRecoverySpecification } of [table, sandbox])
    expect(PointInTimeRecoverySpecification).toEqual({ PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 35 });
  expect([sandbox.DeletionProtectionEnabled, table.DeletionProtectionEnabled]).toEqual([false, true]);
});
