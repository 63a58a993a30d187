import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  type PutCommandInput,
  QueryCommand,
} from '@aws-sdk/lib-dynamodb';
import { UsageError } from '../../usage-error.ts';
import { raiseCounters } from './raise-counters.ts';
import { type Row, scanPages } from './read-books.ts';
import { rebuildNumbers } from './rebuild-numbers.ts';

interface Restoration {
  /** The name of a table that is a copy from before the damage. */
  from: string;
  to: string;
  /** Partition keys whose rows are replaced by those of the copy. Other existing rows do not change. */
  replace: ReadonlySet<string>;
  now: Date;
  onProgress(read: number): void;
}

interface Restored {
  read: number;
  added: number;
  replaced: number;
  /** The number of document counters that were increased to the highest number. */
  raised: number;
}

/** How many rows are written at the same time. */
const atOnce = 16;

/**
 * Whether a row of the copy is restored. Stored responses are not, because they must not be sent again. Expired rows
 * are not either.
 */
const isWanted = ({ entity, ttl }: Row, now: Date): boolean =>
  entity !== 'IDEM' && (typeof ttl !== 'number' || ttl * 1_000 > now.getTime());

const isEvent = ({ entity }: Row): boolean => entity === 'EVENT';

/**
 * Restores missing rows, and replaces the named ones unless they have changed in between. It can be run again. A
 * restored event is published and its document is issued. So events are restored last, after all numbers.
 */
export async function restoreRows(client: DynamoDBDocumentClient, restoration: Restoration): Promise<Restored> {
  const restored: Restored = { read: 0, added: 0, replaced: 0, raised: 0 };
  await assertInCopy(client, restoration);
  const series = new Set<string>();
  const isBeforeEvents = (row: Row) => {
    if (row['entity'] === 'NUMBER' || row['entity'] === 'SERIES') series.add(String(row['pk']));
    return !isEvent(row);
  };
  await restoreThose(client, restoration, isBeforeEvents, restored);
  for (const pk of await rebuildNumbers(client, restoration.to)) series.add(pk);
  restored.raised = await raiseCounters(client, restoration.to, series);
  await restoreThose(client, restoration, isEvent, restored);
  return restored;
}

/**
 * Refuses a key that is not in the copy, before any row is written. Otherwise a mistyped key would have no effect and
 * cause no error.
 */
async function assertInCopy(client: DynamoDBDocumentClient, { from, replace }: Restoration): Promise<void> {
  for (const pk of replace) {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: from,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': pk },
        Limit: 1,
      }),
    );
    if (Items.length === 0) throw new UsageError(`--replace ${pk} is in no row of ${from}. Nothing was restored.`);
  }
}

async function restoreThose(
  client: DynamoDBDocumentClient,
  restoration: Restoration,
  isTheirTurn: (row: Row) => boolean,
  restored: Restored,
): Promise<void> {
  const { from, now, onProgress } = restoration;
  for await (const page of scanPages(client, from)) {
    const wanted = page.filter((row) => isTheirTurn(row) && isWanted(row, now));
    for (let start = 0; start < wanted.length; start += atOnce) {
      const done = wanted.slice(start, start + atOnce).map((row) => restoreRow(client, restoration, row));
      for (const outcome of await Promise.all(done)) if (outcome) restored[outcome] += 1;
    }
    restored.read += page.filter(isTheirTurn).length;
    onProgress(restored.read);
  }
}

/**
 * The condition that a row is missing. If a session was lost, its place may contain the record of a newer refused
 * request. Then the session also counts as missing.
 */
const isMissing: Condition = {
  ConditionExpression: 'attribute_not_exists(pk) OR entity = :refusal',
  ExpressionAttributeValues: { ':refusal': 'IDEM' },
};

async function restoreRow(
  client: DynamoDBDocumentClient,
  { to, replace }: Restoration,
  row: Row,
): Promise<'added' | 'replaced' | undefined> {
  if (await put(client, to, row, isMissing)) return 'added';
  if (!replace.has(String(row['pk']))) return undefined;
  const { pk, sk } = row;
  const { Item: damaged } = await client.send(new GetCommand({ TableName: to, Key: { pk, sk }, ConsistentRead: true }));
  if (damaged && (await put(client, to, row, isUnchanged(damaged)))) return 'replaced';
  throw new Error(`${pk} changed while it was being restored. Check the books and start again.`);
}

type Condition = Pick<
  PutCommandInput,
  'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;

/** The members of a row that contain its content, by kind of row. A damaged row may lack any of them. */
const contents = ['version', 'data', 'payload'];

/** The condition that the damaged row has not changed since it was read. */
function isUnchanged(damaged: Row): Condition {
  const there = contents.filter((name) => damaged[name] !== undefined);
  const same = contents.map((name) =>
    there.includes(name) ? `#${name} = :${name}` : `attribute_not_exists(#${name})`,
  );
  return {
    ConditionExpression: same.join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(contents.map((name) => [`#${name}`, name])),
    ...(there.length > 0 && {
      ExpressionAttributeValues: Object.fromEntries(there.map((name) => [`:${name}`, damaged[name]])),
    }),
  };
}

async function put(
  client: DynamoDBDocumentClient,
  TableName: string,
  Item: Row,
  condition: Condition,
): Promise<boolean> {
  try {
    await client.send(new PutCommand({ TableName, Item, ...condition }));
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
