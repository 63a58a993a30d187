import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { callAt, type TableCall } from './stream/dynamo-wire.ts';
import { directHandler } from './table/direct-handler.ts';
import { DynamoError } from './table/dynamo-error.ts';
import { TableEngine } from './table/engine.ts';
import { serveEngine } from './table/server.ts';
import type { CreateTableRequest } from './table/tables/definition.ts';

/** Creates a table, unless the server already has it. */
export async function createTable(call: TableCall, request: CreateTableRequest): Promise<void> {
  await call('CreateTable', request).catch((error: unknown) => {
    if (!(error instanceof DynamoError && error.name === 'ResourceInUseException')) throw error;
  });
}

/** A server for tables on this machine. */
interface TableServer {
  /** The address at which the SDK, the AWS CLI and other processes find the table. */
  endpoint: string;
  call: TableCall;
  /**
   * Connects a client in this process to the table without a socket, if the table is in the same process. Returns a
   * function that disconnects it.
   */
  connect(client: DynamoDBDocumentClient): () => void;
  /** The engine in this process. Absent if `DYNAMODB_ENDPOINT` names another server. */
  engine?: TableEngine;
  stop(): Promise<void>;
}

/** The table on this machine. */
export interface LocalTable extends TableServer {
  tableName: string;
}

/** The server in `DYNAMODB_ENDPOINT`: DynamoDB Local, or another emulator. */
const serverAt = (endpoint: string): TableServer => ({
  endpoint,
  call: callAt(endpoint),
  connect: () => () => {},
  stop: async () => {},
});

async function openEngine(dataDirectory: string | undefined): Promise<TableEngine> {
  if (!dataDirectory) return new TableEngine();
  await mkdir(dataDirectory, { recursive: true });
  return new TableEngine(join(dataDirectory, 'dynamodb.sqlite'));
}

/**
 * The steps of the SDK that write headers, a signature or a log. Nothing here reads these, and they take half of a
 * call's time.
 */
const forTheNetwork = [
  'loggerMiddleware',
  'contentLengthMiddleware',
  'getUserAgentMiddleware',
  'hostHeaderMiddleware',
  'recursionDetectionMiddleware',
  'httpSigningMiddleware',
];

/** Connects a client to the engine in the same process. Returns a function that disconnects the client. */
function connectDirectly(client: DynamoDBDocumentClient, engine: TableEngine): () => void {
  const { config, middlewareStack } = client;
  const { requestHandler } = config;
  config.requestHandler = directHandler(engine);
  client.middlewareStack = middlewareStack.clone();
  for (const name of forTheNetwork) client.middlewareStack.remove(name);
  return () => {
    config.requestHandler = requestHandler;
    client.middlewareStack = middlewareStack;
  };
}

async function serve(engine: TableEngine): Promise<TableServer> {
  const server = await serveEngine(engine);
  return {
    endpoint: `http://127.0.0.1:${server.port}`,
    call: async (operation, input) => JSON.parse(engine.call(operation, JSON.parse(JSON.stringify(input)))),
    connect: (client) => connectDirectly(client, engine),
    engine,
    stop: async () => {
      await server.close();
      engine.close();
    },
  };
}

/**
 * Starts a server with one table. If `DYNAMODB_ENDPOINT` names no other server, it is in this process, in memory or in
 * a folder.
 */
export async function startTable(request: CreateTableRequest, dataDirectory?: string): Promise<LocalTable> {
  const external = process.env.DYNAMODB_ENDPOINT;
  const server = external ? serverAt(external) : await serve(await openEngine(dataDirectory));
  try {
    await createTable(server.call, request);
    return { ...server, tableName: request.TableName };
  } catch (error) {
    await server.stop();
    throw error;
  }
}
