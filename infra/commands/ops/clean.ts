import {
  type CloudFormationClient,
  DeleteStackCommand,
  type Stack,
  UpdateTerminationProtectionCommand,
  waitUntilStackDeleteComplete,
} from '@aws-sdk/client-cloudformation';
import { DeleteTableCommand, ScanCommand, UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { DeleteBucketCommand, ListObjectVersionsCommand } from '@aws-sdk/client-s3';
import { UsageError } from '../../usage-error.ts';
import { tablesNamed } from '../find-table.ts';
import type { OpsContext, OpsReport } from './context.ts';
import { findStack, stackParts } from './stack-parts.ts';

/** The states of a stack that was never deployed successfully: its first deployment failed, or was only planned. */
const neverThere = /^(ROLLBACK_COMPLETE|ROLLBACK_FAILED|CREATE_FAILED|REVIEW_IN_PROGRESS|DELETE_FAILED)$/;

/** What a failed first deployment may leave behind: the stack, and resources that are kept without it. */
interface Leftovers {
  stack: Stack | undefined;
  tables: string[];
  buckets: string[];
}

async function findLeftovers({ clients, stackName }: OpsContext): Promise<Leftovers> {
  const stack = await findStack(clients.cloudFormation, stackName);
  if (stack && !neverThere.test(stack.StackStatus ?? ''))
    throw new Error(`${stackName} is ${stack.StackStatus}: only a first deployment that failed is cleaned up.`);
  const parts = stack ? await stackParts(clients.cloudFormation, stackName) : [];
  const tables = await tablesNamed(clients.table, `${stackName}-DataTable`);
  const buckets = parts.flatMap(({ type, physicalId }) =>
    type === 'AWS::S3::Bucket' && physicalId !== '' ? [physicalId] : [],
  );
  return { stack, tables, buckets };
}

/** Refuses to continue if the table has a row. Such a table is never removed. */
async function assertEmptyTable({ clients }: OpsContext, TableName: string): Promise<void> {
  const { Items = [] } = await clients.table.send(new ScanCommand({ TableName, Limit: 1, ConsistentRead: true }));
  if (Items.length > 0) throw new Error(`The table ${TableName} has rows, so it stays. Nothing was removed.`);
}

const isMissingBucket = (error: unknown): boolean => error instanceof Error && /NoSuchBucket|NotFound/.test(error.name);

/** Whether the bucket exists and is empty. Throws if it has an object, because such a bucket is never removed. */
async function isEmptyBucket({ clients }: OpsContext, Bucket: string): Promise<boolean> {
  try {
    const { Versions = [] } = await clients.bucket.send(new ListObjectVersionsCommand({ Bucket, MaxKeys: 1 }));
    if (Versions.length === 0) return true;
  } catch (error) {
    if (isMissingBucket(error)) return false;
    throw error;
  }
  throw new Error(`The bucket ${Bucket} has objects, so it stays. Nothing was removed.`);
}

const removalSeconds = 1_800;

async function removeStack(client: CloudFormationClient, { StackName, StackId = '' }: Stack): Promise<void> {
  await client.send(new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection: false }));
  await client.send(new DeleteStackCommand({ StackName }));
  const waiting = { client, maxWaitTime: removalSeconds, minDelay: 1, maxDelay: 10 };
  await waitUntilStackDeleteComplete(waiting, { StackName: StackId });
}

/**
 * Removes everything that a failed first deployment of a stack left behind, so that the next deployment can start. If
 * the table has a row or the bucket has an object, nothing is removed.
 */
export async function cleanUp(context: OpsContext): Promise<OpsReport> {
  const { clients, stackName, options } = context;
  const { stack, tables, buckets } = await findLeftovers(context);
  for (const table of tables) await assertEmptyTable(context, table);
  const there: string[] = [];
  for (const bucket of buckets) if (await isEmptyBucket(context, bucket)) there.push(bucket);
  const removed = [...(stack ? [stackName] : []), ...tables, ...there];
  if (removed.length === 0) return { isFine: true, json: { removed }, lines: [`Nothing is left of ${stackName}.`] };
  if (!options.yes) throw new UsageError(`Nothing was removed. Add --yes to remove ${removed.join(', ')}.`);
  if (stack) await removeStack(clients.cloudFormation, stack);
  for (const table of tables) await removeTable(context, table);
  for (const bucket of there) await removeBucket(context, bucket);
  return { isFine: true, json: { removed }, lines: [...removed.map((name) => `removed ${name}`), 'Deploy again.'] };
}

/** Removes the table. It may already be gone with the stack, if the stack does not keep it. */
async function removeTable({ clients, stackName }: OpsContext, TableName: string): Promise<void> {
  if (!(await tablesNamed(clients.table, `${stackName}-DataTable`)).includes(TableName)) return;
  await clients.table.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false }));
  await clients.table.send(new DeleteTableCommand({ TableName }));
}

async function removeBucket({ clients }: OpsContext, Bucket: string): Promise<void> {
  try {
    await clients.bucket.send(new DeleteBucketCommand({ Bucket }));
  } catch (error) {
    if (!isMissingBucket(error)) throw error;
  }
}
