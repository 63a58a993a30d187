import { setTimeout as pause } from 'node:timers/promises';
import {
  DeleteTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  RestoreTableToPointInTimeCommand,
} from '@aws-sdk/client-dynamodb';
import { UsageError } from '../../usage-error.ts';

/** The status of a table, or undefined if the table does not exist. */
async function statusOf(client: DynamoDBClient, TableName: string): Promise<string | undefined> {
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    return Table?.TableStatus;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

/** Throws if the table does not exist. The error has the table's name, which DynamoDB's own message lacks. */
export async function assertThere(client: DynamoDBClient, name: string): Promise<void> {
  if ((await statusOf(client, name)) === undefined)
    throw new Error(`There is no table ${name} in ${await client.config.region()}.`);
}

/** A time in the last 35 days, or the latest time that can be restored. */
function momentOf(at: string | undefined): { RestoreDateTime: Date } | { UseLatestRestorableTime: true } {
  if (at === undefined) return { UseLatestRestorableTime: true };
  const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(at) ? new Date(at) : undefined;
  if (moment && !Number.isNaN(moment.getTime())) return { RestoreDateTime: moment };
  throw new UsageError('--at must be a time such as 2026-01-31T12:00:00Z.');
}

/** Matches the end of every copy's name. Only tables whose name ends like this are removed. */
const copyEnd = /-restored-\d{14}$/;

interface Copying {
  source: string;
  at?: string | undefined;
  now: Date;
  /** How long to wait before the copy's status is read again. */
  pauseMs?: number;
}

/** Restores a table to a point in time, always into a new table, and waits until it can be read. Returns its name. */
export async function copyTable(
  client: DynamoDBClient,
  { source, at, now, pauseMs = 5_000 }: Copying,
): Promise<string> {
  const moment = momentOf(at);
  const TargetTableName = `${source}-restored-${now.toISOString().replace(/\D/g, '').slice(0, 14)}`;
  await client.send(new RestoreTableToPointInTimeCommand({ SourceTableName: source, TargetTableName, ...moment }));
  while ((await statusOf(client, TargetTableName)) !== 'ACTIVE') await pause(pauseMs);
  return TargetTableName;
}

/** Removes a copy that `copyTable` has made. It refuses any other table. */
export async function dropCopy(client: DynamoDBClient, name: string): Promise<void> {
  if (!copyEnd.test(name)) throw new UsageError(`${name} is not a copy that "copy" has made, so it stays.`);
  await assertThere(client, name);
  await client.send(new DeleteTableCommand({ TableName: name }));
}
