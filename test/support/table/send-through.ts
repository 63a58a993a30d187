import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** A command of the document client, before it is sent. */
export interface Command {
  constructor: { name: string };
  input: Record<string, unknown>;
}

export type Send = (command: Command) => Promise<Record<string, unknown>>;

/** Makes a client send its commands through another function from now on. Returns a function that undoes it. */
export function sendThrough(client: DynamoDBDocumentClient, wrap: (send: Send) => Send): () => void {
  const { send } = client;
  const real = send.bind(client) as unknown as Send;
  Object.assign(client, { send: wrap(real) });
  return () => void Object.assign(client, { send });
}
