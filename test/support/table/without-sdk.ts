import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { TableCall } from '../../../infra/local/aws/stream/dynamo-wire.ts';
import { DynamoError } from '../../../infra/local/aws/table/dynamo-error.ts';
import type { AttributeMap, AttributeValue } from '../../../infra/local/aws/table/values/attribute-value.ts';
import { type Command, sendThrough } from './send-through.ts';

const operations: Readonly<Record<string, string>> = {
  GetCommand: 'GetItem',
  PutCommand: 'PutItem',
  UpdateCommand: 'UpdateItem',
  DeleteCommand: 'DeleteItem',
  QueryCommand: 'Query',
  ScanCommand: 'Scan',
  BatchGetCommand: 'BatchGetItem',
  BatchWriteCommand: 'BatchWriteItem',
  TransactGetCommand: 'TransactGetItems',
  TransactWriteCommand: 'TransactWriteItems',
};

/** The members of requests and answers that are rows, or parts of them. */
const rows = /^(Key|Item|Attributes|ExpressionAttributeValues|ExclusiveStartKey|LastEvaluatedKey)$/;
/** The members that are lists of rows. */
const rowLists = /^(Keys|Items)$/;

type Members = Record<string, unknown>;
type Translate = (row: Members) => Members;

function wireValue(value: unknown): AttributeValue {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (value instanceof Uint8Array) return { B: Buffer.from(value).toString('base64') };
  return Array.isArray(value) ? { L: value.map(wireValue) } : { M: toWire(value as Members) as AttributeMap };
}

const toWire: Translate = (row) =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => (value === undefined ? [] : [[name, wireValue(value)]])),
  );

function plainValue({ S, N, BOOL, NULL, B, L, M }: AttributeValue): unknown {
  if (M) return fromWire(M as Members);
  if (L) return L.map(plainValue);
  if (N !== undefined) return Number(N);
  if (B !== undefined) return new Uint8Array(Buffer.from(B, 'base64'));
  return NULL ? null : (S ?? BOOL);
}

const fromWire: Translate = (row) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plainValue(value as AttributeValue)]));

/** Translates every row in a request, or in an answer. */
function translated(value: unknown, translate: Translate): unknown {
  if (Array.isArray(value)) return value.map((element) => translated(element, translate));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (rows.test(name) && member) return [name, translate(member)];
      if (rowLists.test(name)) return [name, (member as Members[]).map(translate)];
      return [name, translated(member, translate)];
    }),
  );
}

/** The rows of a batch lie under the names of their tables. */
const answered = ({ Responses, ...answer }: Members): Members => ({
  ...(translated(answer, fromWire) as Members),
  ...(Array.isArray(Responses) && { Responses: translated(Responses, fromWire) }),
  ...(Responses && !Array.isArray(Responses)
    ? { Responses: Object.fromEntries(Object.entries(Responses).map(([name, found]) => [name, found.map(fromWire)])) }
    : {}),
});

function toSdkError(error: unknown): unknown {
  if (!(error instanceof DynamoError)) return error;
  const described = { message: error.message, $metadata: { httpStatusCode: 400 }, ...error.details };
  if (error.name === 'ConditionalCheckFailedException') return new ConditionalCheckFailedException(described);
  if (error.name === 'TransactionCanceledException') return new TransactionCanceledException(described);
  return Object.assign(new Error(error.message), { name: error.name });
}

/**
 * Lets a client's commands reach the table without the SDK's own work: a test of ten thousand commands is four times as
 * fast, and between two awaits of a store lies nothing but the table. Returns the way back.
 */
export const goAroundSdk = (client: DynamoDBDocumentClient, call: TableCall): (() => void) =>
  sendThrough(client, () => async ({ constructor: { name }, input }: Command) => {
    const operation = operations[name];
    if (!operation) throw new Error(`There is no way around the SDK for ${name}.`);
    return call<Members>(operation, translated(input, toWire) as object).then(answered, (error) => {
      throw toSdkError(error);
    });
  });
