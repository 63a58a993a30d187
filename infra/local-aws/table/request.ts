import { type DynamoError, invalid, malformed } from './dynamo-error.ts';
import type { AttributeMap } from './values/attribute-value.ts';

/** The parameters of a write or a condition check, alone or in a transaction. */
export interface WriteRequest {
  TableName: string;
  Key?: AttributeMap;
  Item?: AttributeMap;
  ConditionExpression?: string;
  UpdateExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: AttributeMap;
  ReturnValues?: string;
  ReturnValuesOnConditionCheckFailure?: string;
  ReturnConsumedCapacity?: string;
}

/** The parameters of a read. It reads one row, a partition of the table or an index, or everything. */
export interface ReadRequest {
  TableName: string;
  Key?: AttributeMap;
  IndexName?: string;
  ConsistentRead?: boolean;
  KeyConditionExpression?: string;
  FilterExpression?: string;
  ProjectionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: AttributeMap;
  ExclusiveStartKey?: AttributeMap;
  ScanIndexForward?: boolean;
  Limit?: number;
  Select?: string;
  ReturnConsumedCapacity?: string;
}

/** The parameters for the keys of one table in a batch. */
export type BatchOfKeys = Omit<ReadRequest, 'TableName' | 'Key'> & { Keys: AttributeMap[] };

export interface BatchGetRequest {
  RequestItems: Record<string, BatchOfKeys>;
  ReturnConsumedCapacity?: string;
}

export type BatchedWrite = { PutRequest?: { Item: AttributeMap }; DeleteRequest?: { Key: AttributeMap } };

export interface BatchWriteRequest {
  RequestItems: Record<string, BatchedWrite[]>;
  ReturnConsumedCapacity?: string;
}

export type WriteKind = 'Put' | 'Update' | 'Delete' | 'ConditionCheck';

export interface TransactWriteRequest {
  TransactItems: Partial<Record<WriteKind, WriteRequest>>[];
  ClientRequestToken?: string;
  ReturnConsumedCapacity?: string;
}

export interface TransactGetRequest {
  TransactItems: { Get: ReadRequest }[];
  ReturnConsumedCapacity?: string;
}

type JsonType = 'string' | 'number' | 'boolean' | 'object' | 'array';

/** Every supported member of a request, and its JSON type. */
const members: Readonly<Record<string, JsonType>> = {
  TableName: 'string',
  Key: 'object',
  Item: 'object',
  Keys: 'array',
  IndexName: 'string',
  ConditionExpression: 'string',
  UpdateExpression: 'string',
  KeyConditionExpression: 'string',
  FilterExpression: 'string',
  ProjectionExpression: 'string',
  ExpressionAttributeNames: 'object',
  ExpressionAttributeValues: 'object',
  ReturnValues: 'string',
  ReturnValuesOnConditionCheckFailure: 'string',
  ReturnConsumedCapacity: 'string',
  ReturnItemCollectionMetrics: 'string',
  ConsistentRead: 'boolean',
  ScanIndexForward: 'boolean',
  Limit: 'number',
  Select: 'string',
  ExclusiveStartKey: 'object',
  RequestItems: 'object',
  TransactItems: 'array',
  ClientRequestToken: 'string',
};

const choices: Readonly<Record<string, readonly string[]>> = {
  ReturnConsumedCapacity: ['INDEXES', 'TOTAL', 'NONE'],
  ReturnItemCollectionMetrics: ['SIZE', 'NONE'],
  ReturnValues: ['ALL_NEW', 'UPDATED_OLD', 'ALL_OLD', 'NONE', 'UPDATED_NEW'],
  ReturnValuesOnConditionCheckFailure: ['ALL_OLD', 'NONE'],
  Select: ['SPECIFIC_ATTRIBUTES', 'COUNT', 'ALL_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES'],
};

const jsonTypeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);

function assertMember(name: string, value: unknown): void {
  const type = Object.hasOwn(members, name) ? members[name] : undefined;
  if (!type) throw invalid(`The table on this machine does not support the parameter ${name}`);
  if (jsonTypeOf(value) !== type) throw malformed(`${name} is not of the type ${type}`);
  const choice = choices[name];
  if (choice && !choice.includes(value as string)) throw notIn(choice, name, value as string);
}

function notIn(choice: readonly string[], name: string, value: string): DynamoError {
  const parameter = name.charAt(0).toLowerCase() + name.slice(1);
  return invalid(
    `1 validation error detected: Value '${value}' at '${parameter}' failed to satisfy constraint: Member must satisfy enum value set: [${choice.join(', ')}]`,
  );
}

/**
 * Checks the types of a request's members. It refuses unknown members, because ignoring one could change the meaning of
 * the request.
 */
export function checkedRequest<Request>(input: unknown): Request {
  if (jsonTypeOf(input) !== 'object' || input === null) throw malformed('A request is an object');
  const request = input as Record<string, unknown>;
  for (const name of Object.keys(request))
    if (request[name] === null) delete request[name];
    else assertMember(name, request[name]);
  return request as Request;
}
