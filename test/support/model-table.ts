import {
  type AttributeValue,
  ConditionalCheckFailedException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { scanRows } from '../../infra/books/read-books.ts';
import { table } from '../../shared/runtime.ts';
import { tableSchema } from '../../shared/store/table-schema.ts';
import { type Expression, holds, type Row, updated } from './model-expression.ts';

/** A command of the document client, before anything is sent. */
export interface Command {
  constructor: { name: string };
  input: Record<string, unknown>;
}

export type Send = (command: Command) => Promise<Record<string, unknown>>;

interface Request {
  Key: Row;
  Item: Row;
  IndexName?: keyof typeof tableSchema.indexes;
  ConditionExpression?: string;
  KeyConditionExpression?: string;
  UpdateExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, unknown>;
  ScanIndexForward?: boolean;
  Limit?: number;
  ReturnValues?: string;
  TransactItems?: { Put: Request }[];
  ClientRequestToken?: string;
}

/** A table in this process: what DynamoDB promises of what the stores ask, at the speed of a map. */
export interface ModelTable {
  rows: Map<string, Row>;
  send: Send;
}

const described = { message: 'The conditional request failed', $metadata: { httpStatusCode: 400 } };
const rowKey = ({ pk, sk }: Row): string => `${pk} ${sk}`;
const expressionOf = (request: Request): Expression => ({
  names: request.ExpressionAttributeNames,
  values: request.ExpressionAttributeValues,
});

function typedValue(value: unknown): AttributeValue {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: String(value) };
  return typeof value === 'boolean' ? { BOOL: value } : { NULL: true };
}

/** The plain values of a row, as an error carries them. */
const typed = (row: Row): Record<string, AttributeValue> =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, typedValue(value)]));

export function modelTable(): ModelTable {
  const rows = new Map<string, Row>();
  const tokens = new Set<string>();
  const find = (key: Row): Row | undefined => rows.get(rowKey(key));
  const allows = (request: Request, row: Row | undefined): boolean =>
    holds(request.ConditionExpression, row, expressionOf(request));
  const put = (item: Row): void => void rows.set(rowKey(item), structuredClone(item));

  function refuse(request: Request, row: Row | undefined): void {
    if (allows(request, row)) return;
    throw new ConditionalCheckFailedException({ ...described, ...(row && { Item: typed(row) }) });
  }

  function transact({ TransactItems = [], ClientRequestToken: token = '' }: Request): object {
    if (tokens.has(token)) return {};
    const before = TransactItems.map(({ Put: request }) => ({ request, row: find(request.Item) }));
    if (before.every(({ request, row }) => allows(request, row))) {
      for (const { request } of before) put(request.Item);
      if (token) tokens.add(token);
      return {};
    }
    const CancellationReasons = before.map(({ request, row }) =>
      allows(request, row) ? { Code: 'None' } : { Code: 'ConditionalCheckFailed', ...(row && { Item: typed(row) }) },
    );
    throw new TransactionCanceledException({ ...described, CancellationReasons });
  }

  function update(request: Request): object {
    const row = find(request.Key);
    refuse(request, row);
    const after = updated(row ?? request.Key, request.UpdateExpression ?? '', expressionOf(request));
    put(after);
    return request.ReturnValues === 'ALL_NEW' ? { Attributes: after } : {};
  }

  function query(request: Request): object {
    const { sortKey } = request.IndexName ? tableSchema.indexes[request.IndexName] : tableSchema;
    const direction = request.ScanIndexForward === false ? -1 : 1;
    const found = [...rows.values()]
      .filter((row) => row[sortKey] !== undefined && holds(request.KeyConditionExpression, row, expressionOf(request)))
      .sort((a, b) => (String(a[sortKey]) < String(b[sortKey]) ? -direction : direction));
    const Items = found.slice(0, request.Limit);
    return { Items: structuredClone(Items), ...(found.length > Items.length && { LastEvaluatedKey: Items.at(-1) }) };
  }

  const answers: Record<string, (request: Request) => object> = {
    GetCommand: ({ Key }) => ({ Item: structuredClone(find(Key)) }),
    PutCommand: (request) => {
      refuse(request, find(request.Item));
      put(request.Item);
      return {};
    },
    UpdateCommand: update,
    TransactWriteCommand: transact,
    QueryCommand: query,
  };
  return {
    rows,
    send: async ({ constructor: { name }, input }) => {
      const answer = answers[name];
      if (!answer) throw new Error(`The model of the table knows no ${name}.`);
      return answer(structuredClone(input) as unknown as Request) as Record<string, unknown>;
    },
  };
}

/** Lets a client send through something else from now on; returns the way back. */
export function sendThrough(client: DynamoDBDocumentClient, wrap: (send: Send) => Send): () => void {
  const { send } = client;
  const real = send.bind(client) as unknown as Send;
  Object.assign(client, { send: wrap(real) });
  return () => void Object.assign(client, { send });
}

/** Moves the functions of this process from the emulator to a model, with the rows that are there; returns the model and the way back. */
export async function moveToModel(): Promise<{ model: ModelTable; restore: () => void }> {
  const { client, name } = table();
  const model = modelTable();
  for (const row of await scanRows(client, name)) model.rows.set(rowKey(row), row);
  return { model, restore: sendThrough(client, () => model.send) };
}
