import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { DynamoError } from '../../../infra/local-aws/table/dynamo-error.ts';
import type { TableEngine } from '../../../infra/local-aws/table/engine.ts';
import type { AttributeMap } from '../../../infra/local-aws/table/values/attribute-value.ts';
import { rowFromWire, rowToWire, withBytes } from './row-forms.ts';

type Members = Record<string, unknown>;

/**
 * The document client's own description of the places of rows in a request or answer. An empty object stands for a row.
 */
interface KeyNodes {
  [member: string]: KeyNodes;
}

interface DocumentCommand {
  input: Members;
  /** The SDK command that does the work. Middleware and permissions identify it by this name. */
  clientCommand?: { constructor: { name: string } };
  inputKeyNodes: KeyNodes;
  outputKeyNodes: KeyNodes;
}

type Send = (command: DocumentCommand, options?: { abortSignal?: AbortSignal }) => Promise<unknown>;

/**
 * Observers of each command that skips the client. They get the command with the name that the SDK's middleware uses.
 */
export const observers = new Set<(name: string, input: unknown) => void>();

const operations: ReadonlyMap<string, string> = new Map(
  [
    ...['GetItem', 'BatchGetItem', 'TransactGetItems', 'Query', 'Scan'],
    ...['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'TransactWriteItems'],
  ].map((operation) => [`${operation}Command`, operation]),
);

/** Copies a request or an answer without its undefined members, and translates the rows in it. */
function translated<Row>(value: unknown, nodes: KeyNodes, translate: (row: Row) => object): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const each = nodes['*'];
  if (!each && Object.keys(nodes).length === 0) return translate(value as Row);
  if (Array.isArray(value)) return each ? value.map((element) => translated(element, each, translate)) : value;
  const copy: Members = {};
  for (const [name, member] of Object.entries(value)) {
    const below = each ?? (Object.hasOwn(nodes, name) ? nodes[name] : undefined);
    if (member !== undefined) copy[name] = below ? translated(member, below, translate) : member;
  }
  return copy;
}

const metadata = (httpStatusCode: number) => ({
  httpStatusCode,
  requestId: undefined,
  extendedRequestId: undefined,
  cfId: undefined,
  attempts: 1,
  totalRetryDelay: 0,
});

/** The errors that stores distinguish. */
const refusals = { ConditionalCheckFailedException, TransactionCanceledException };

function refusalOf(error: unknown): Error | undefined {
  if (!(error instanceof DynamoError && error.name in refusals)) return undefined;
  const Refusal = refusals[error.name as keyof typeof refusals];
  const { message, details } = error;
  return new Refusal({ ...(withBytes(details) as object), message, $metadata: metadata(400) });
}

/** Returns the request in the form of the network, or undefined if only the SDK can translate or refuse it. */
function requestOf({ input, inputKeyNodes }: DocumentCommand): unknown {
  try {
    return translated(input, inputKeyNodes, rowToWire);
  } catch {
    return undefined;
  }
}

function answerOf(answer: string, { outputKeyNodes }: DocumentCommand): object {
  const plain = translated<AttributeMap>(JSON.parse(answer), outputKeyNodes, rowFromWire) as object;
  return Object.assign(plain, { $metadata: metadata(200) });
}

/** Returns how many steps were added to a client's stack since now. Added steps need to see the SDK's work. */
function countSteps({ middlewareStack }: DynamoDBDocumentClient): () => number {
  const { add, addRelativeTo, remove } = middlewareStack;
  let steps = 0;
  Object.assign(middlewareStack, {
    add: (...added: Parameters<typeof add>) => {
      steps += 1;
      add(...added);
    },
    addRelativeTo: (...added: Parameters<typeof addRelativeTo>) => {
      steps += 1;
      addRelativeTo(...added);
    },
    remove: (step: Parameters<typeof remove>[0]) => {
      const isRemoved = remove(step);
      if (isRemoved) steps -= 1;
      return isRemoved;
    },
  });
  return () => steps;
}

/**
 * Lets a connected client's commands reach the table without the SDK's own work, which takes four times as long as the
 * table's. The SDK still handles aborted requests, and values and errors that stores do not know. It handles every
 * command while a middleware or another handler is installed. Returns a function that undoes it.
 */
export function goAroundSdk(client: DynamoDBDocumentClient, engine: TableEngine): () => void {
  const { config, middlewareStack, send } = client;
  const { requestHandler } = config;
  const steps = countSteps(client);
  const isUsual = () =>
    steps() === 0 && client.middlewareStack === middlewareStack && config.requestHandler === requestHandler;
  const through = send.bind(client) as unknown as Send;
  const around: Send = async (command, options) => {
    const name = command.clientCommand?.constructor.name ?? '';
    const operation = operations.get(name);
    const request = operation && isUsual() && !options?.abortSignal?.aborted && requestOf(command);
    if (!request) return through(command, options);
    for (const observe of observers) observe(name, command.input);
    let answer: string;
    try {
      answer = engine.call(operation, request);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal) throw refusal;
      return through(command, options);
    }
    return answerOf(answer, command);
  };
  Object.assign(client, { send: around });
  return () => void Object.assign(client, { send });
}
