import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** The one table and the client that speaks to it. */
export interface Table {
  name: string;
  client: DynamoDBDocumentClient;
}

const translation = { marshallOptions: { removeUndefinedValues: true } };

/** Retries are ours where a repetition could hide the first outcome; the client repeats only what never reached the table. */
export function openTable(name: string): Table {
  const client = new DynamoDBClient({ maxAttempts: 3 });
  return { name, client: DynamoDBDocumentClient.from(client, translation) };
}
