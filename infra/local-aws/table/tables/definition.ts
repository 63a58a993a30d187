import { localAws } from '../../local-aws.ts';
import { invalid } from '../dynamo-error.ts';

/** The names of the two attributes by which rows are found. Both are strings. */
export interface KeyNames {
  partitionKey: string;
  sortKey: string;
}

/** A global secondary index. It is sparse: it does not contain rows without its keys. */
export interface IndexDefinition extends KeyNames {
  name: string;
  /** The attributes in the index besides the keys. If undefined, it contains all attributes of the row. */
  projected: readonly string[] | undefined;
}

interface KeySchemaElement {
  AttributeName: string;
  KeyType: 'HASH' | 'RANGE';
}

/** The options of `CreateTable` that this product uses. */
export interface CreateTableRequest {
  TableName: string;
  KeySchema: KeySchemaElement[];
  AttributeDefinitions: { AttributeName: string; AttributeType: string }[];
  GlobalSecondaryIndexes?: {
    IndexName: string;
    KeySchema: KeySchemaElement[];
    Projection: { ProjectionType: string; NonKeyAttributes?: string[] };
  }[];
  StreamSpecification?: { StreamEnabled: boolean; StreamViewType?: string };
  LocalSecondaryIndexes?: unknown;
  BillingMode?: string;
}

export interface TableDefinition extends KeyNames {
  name: string;
  indexes: readonly IndexDefinition[];
  /** Which images the records of the stream contain. Without this setting, a table has no stream. */
  streamViewType: string | undefined;
  request: CreateTableRequest;
}

function keyNamesOf(schema: readonly KeySchemaElement[] | undefined, { AttributeDefinitions }: CreateTableRequest) {
  const [partition, sort, ...others] = schema ?? [];
  const isTwoStrings = [partition, sort].every((element) =>
    AttributeDefinitions?.some(
      ({ AttributeName, AttributeType }) => AttributeName === element?.AttributeName && AttributeType === 'S',
    ),
  );
  if (!partition || !sort || others.length > 0 || !isTwoStrings)
    throw invalid('The table on this machine has keys of two strings: a partition key and a sort key');
  return { partitionKey: partition.AttributeName, sortKey: sort.AttributeName };
}

const tableName = /^[\w.-]{3,255}$/;

/**
 * The definition of a table from a request.
 * @throws DynamoError for options that this product does not use, such as other keys or local indexes
 */
export function definitionOf(request: CreateTableRequest): TableDefinition {
  const { TableName, GlobalSecondaryIndexes = [], StreamSpecification: stream } = request;
  if (!tableName.test(TableName ?? ''))
    throw invalid(
      "Invalid table/index name.  Table/index names must be between 3 and 255 characters long, and may contain only the characters a-z, A-Z, 0-9, '_', '-', and '.'",
    );
  if (request.LocalSecondaryIndexes) throw invalid('The table on this machine has no local secondary indexes');
  return {
    name: TableName,
    ...keyNamesOf(request.KeySchema, request),
    indexes: GlobalSecondaryIndexes.map(({ IndexName, KeySchema, Projection }) => ({
      name: IndexName,
      ...keyNamesOf(KeySchema, request),
      projected: Projection.ProjectionType === 'ALL' ? undefined : (Projection.NonKeyAttributes ?? []),
    })),
    streamViewType: stream?.StreamEnabled ? (stream.StreamViewType ?? 'NEW_AND_OLD_IMAGES') : undefined,
    request,
  };
}

const arnOf = (name: string): string => `arn:aws:dynamodb:${localAws.region}:${localAws.account}:table/${name}`;

/** The ARN of a table's stream. A table has the same stream during its whole life. */
export const streamArnOf = (name: string): string => `${arnOf(name)}/stream/2026-01-01T00:00:00.000`;

/** The table's name, from its name, its ARN or the ARN of its stream. */
export const tableNameIn = (nameOrArn: string): string => /^arn:[^/]*:table\/([^/]+)/.exec(nameOrArn)?.[1] ?? nameOrArn;

/** The answer of `DescribeTable`. */
export function describeTable({ name, request, streamViewType }: TableDefinition): object {
  const { GlobalSecondaryIndexes } = request;
  return {
    ...request,
    ...(GlobalSecondaryIndexes && {
      GlobalSecondaryIndexes: GlobalSecondaryIndexes.map((index) => ({
        ...index,
        IndexStatus: 'ACTIVE',
        IndexArn: `${arnOf(name)}/index/${index.IndexName}`,
      })),
    }),
    TableArn: arnOf(name),
    TableStatus: 'ACTIVE',
    ...(streamViewType && {
      LatestStreamArn: streamArnOf(name),
      LatestStreamLabel: streamArnOf(name).split('/').at(-1),
    }),
  };
}
