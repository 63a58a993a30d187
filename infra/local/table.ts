import { randomUUID } from 'node:crypto';
import { tableSchema } from '../../shared/store/table-schema.ts';
import { callDynamo, DynamoError } from './dynamo-wire.ts';
import { startTableServer, type TableServer } from './dynoxide.ts';

interface Keys {
  partitionKey: string;
  sortKey: string;
}

const keySchema = ({ partitionKey, sortKey }: Keys) => [
  { AttributeName: partitionKey, KeyType: 'HASH' },
  { AttributeName: sortKey, KeyType: 'RANGE' },
];

const projection = (projected: readonly string[]) =>
  projected.length > 0 ? { ProjectionType: 'INCLUDE', NonKeyAttributes: projected } : { ProjectionType: 'KEYS_ONLY' };

const indexes = Object.entries(tableSchema.indexes).map(([name, index]) => ({
  IndexName: name,
  KeySchema: keySchema(index),
  Projection: projection(index.projected),
}));

const keyAttributes = [tableSchema, ...Object.values(tableSchema.indexes)]
  .flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey])
  .map((AttributeName) => ({ AttributeName, AttributeType: 'S' }));

/**
 * Creates the one table, as the stack does, unless the server has it already. Names have three characters at least.
 * Without its stream, which nobody may miss, the emulator does not slow down with every write.
 */
export async function createTable(endpoint: string, tableName: string, hasStream = true): Promise<void> {
  const definition = {
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: keyAttributes,
    KeySchema: keySchema(tableSchema),
    GlobalSecondaryIndexes: indexes,
    ...(hasStream && { StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' } }),
  };
  await callDynamo(endpoint, 'DynamoDB', 'CreateTable', definition).catch((error: unknown) => {
    if (!(error instanceof DynamoError && error.name === 'ResourceInUseException')) throw error;
  });
}

/** The table on this machine. */
export interface LocalTable extends TableServer {
  tableName: string;
}

interface TableOptions {
  tableName?: string;
  dataDirectory?: string;
  hasStream?: boolean;
}

/** A server with the one table on it; without a name the table gets one of its own, as a test wants it. */
export async function startTable(options: TableOptions = {}): Promise<LocalTable> {
  const { tableName = `test-${randomUUID()}`, dataDirectory, hasStream } = options;
  const server = await startTableServer(dataDirectory ? { dataDirectory } : {});
  try {
    await createTable(server.endpoint, tableName, hasStream);
    return { ...server, tableName };
  } catch (error) {
    await server.stop();
    throw error;
  }
}
