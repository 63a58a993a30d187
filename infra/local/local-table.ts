import { randomUUID } from 'node:crypto';
import { tableSchema } from '../../shared/store/table/table-schema.ts';
import type { TableCall } from '../local-aws/stream/dynamo-wire.ts';
import type { CreateTableRequest } from '../local-aws/table/tables/definition.ts';
import { createTable, type LocalTable, startTable } from '../local-aws/table.ts';

interface Keys {
  partitionKey: string;
  sortKey: string;
}

const keySchema = ({ partitionKey, sortKey }: Keys) => [
  { AttributeName: partitionKey, KeyType: 'HASH' as const },
  { AttributeName: sortKey, KeyType: 'RANGE' as const },
];

const projection = (projected: readonly string[]) =>
  projected.length > 0
    ? { ProjectionType: 'INCLUDE', NonKeyAttributes: [...projected] }
    : { ProjectionType: 'KEYS_ONLY' };

const indexes = Object.entries(tableSchema.indexes).map(([name, index]) => ({
  IndexName: name,
  KeySchema: keySchema(index),
  Projection: projection(index.projected),
}));

const keyAttributes = [tableSchema, ...Object.values(tableSchema.indexes)]
  .flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey])
  .map((AttributeName) => ({ AttributeName, AttributeType: 'S' }));

/** The definition of the one table. It is the same as in the stack. */
const requestFor = (tableName: string): CreateTableRequest => ({
  TableName: tableName,
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: keyAttributes,
  KeySchema: keySchema(tableSchema),
  GlobalSecondaryIndexes: indexes,
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
});

/** Creates the one table like the stack, unless it exists. A table's name needs at least three characters. */
export const createLocalTable = (call: TableCall, tableName: string): Promise<void> =>
  createTable(call, requestFor(tableName));

interface LocalTableOptions {
  /** The name of the table. By default, it is random, because tests share a server. */
  tableName?: string;
  /** The folder of the data. By default, the rows are in memory. */
  dataDirectory?: string;
}

/** Starts a server on this machine with the one table. */
export const startLocalTable = ({
  tableName = `test-${randomUUID()}`,
  dataDirectory,
}: LocalTableOptions = {}): Promise<LocalTable> => startTable(requestFor(tableName), dataDirectory);
