import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** The one table, and the client for it. */
export interface Table {
  name: string;
  client: DynamoDBDocumentClient;
}

const translation = { marshallOptions: { removeUndefinedValues: true } };

/**
 * Opens a table. If a repetition could hide the first outcome, our code retries. The client itself repeats only
 * requests that never reached the table.
 */
export function openTable(name: string): Table {
  const client = new DynamoDBClient({ maxAttempts: 3 });
  return { name, client: DynamoDBDocumentClient.from(client, translation) };
}
