import { randomUUID } from 'node:crypto';
import { localAws } from '../../local-aws.ts';
import { joined, membersOf } from '../answer-text.ts';
import { DynamoError, invalid } from '../dynamo-error.ts';
import type { Database } from '../tables/database.ts';
import { streamArnOf, type TableDefinition, tableNameIn } from '../tables/definition.ts';
import { type EncodedKey, keyAttributes } from '../tables/keys.ts';
import type { StoredRow } from '../tables/rows.ts';
import type { StoredTable } from '../tables/tables.ts';
import { measureItem } from '../values/value-size.ts';

/** One row before and after a write, for a stream record. A new row has no content before. */
interface RowChange {
  key: EncodedKey;
  before: Partial<StoredRow>;
  after: StoredRow | undefined;
}

const mostKept = 20_000;
const mostPerRead = 1_000;
const shardId = 'shardId-00000000000000000000-00000001';

const eventNameOf = ({ before, after }: RowChange): string => {
  if (!after) return 'REMOVE';
  return before.body === undefined ? 'INSERT' : 'MODIFY';
};

const imageOf = (name: string, row: Partial<StoredRow> | undefined): string =>
  row?.body === undefined ? '' : `"${name}":${row.body}`;

const holdsNew = (view: string): boolean => view.startsWith('NEW');
const holdsOld = (view: string): boolean => view.includes('OLD');

interface IteratorRequest {
  StreamArn: string;
  ShardId: string;
  ShardIteratorType: string;
  SequenceNumber?: string;
}

/** The streams of all tables. Each has one shard in the order of writing, with the last 20,000 records. */
export class StreamRecords {
  readonly #database: Database;
  #last: number;

  constructor(database: Database) {
    this.#database = database;
    const row = database.statement('SELECT coalesce(max(sequence), 0) AS last FROM records').get();
    this.#last = Number(row?.['last']);
  }

  /** Adds a record in the same transaction as its write. */
  add({ id, definition }: StoredTable, view: string, change: RowChange): void {
    const sequence = this.#last + 1;
    const body = this.#record(definition, view, change, sequence);
    this.#database.statement('INSERT INTO records VALUES (?, ?, ?)').run(sequence, id, body);
    this.#last = sequence;
    if (sequence % mostPerRead === 0) this.#trim();
  }

  #trim(): void {
    this.#database.statement('DELETE FROM records WHERE sequence <= ?').run(this.#last - mostKept);
  }

  /** The JSON of a record. Its images are the rows as they are stored. */
  #record(definition: TableDefinition, view: string, change: RowChange, sequence: number): string {
    const { before, after, key } = change;
    const keys = keyAttributes(definition, key);
    const [newImage, oldImage] = [holdsNew(view) ? after : undefined, holdsOld(view) ? before : undefined];
    const head = {
      eventID: randomUUID().replaceAll('-', ''),
      eventName: eventNameOf(change),
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: localAws.region,
    };
    const rest = {
      ApproximateCreationDateTime: Math.floor(Date.now() / 1_000),
      Keys: keys,
      SequenceNumber: String(sequence).padStart(21, '0'),
      SizeBytes: measureItem(keys) + (newImage?.bytes ?? 0) + (oldImage?.bytes ?? 0),
      StreamViewType: view,
    };
    const images = [imageOf('NewImage', newImage), imageOf('OldImage', oldImage)];
    return joined([membersOf(head), `"dynamodb":${joined([membersOf(rest), ...images])}`]);
  }

  describe({ definition }: StoredTable): object {
    return {
      StreamArn: streamArnOf(definition.name),
      StreamLabel: streamArnOf(definition.name).split('/').at(-1),
      StreamStatus: 'ENABLED',
      StreamViewType: definition.streamViewType,
      TableName: definition.name,
      KeySchema: definition.request.KeySchema,
      Shards: [{ ShardId: shardId, SequenceNumberRange: { StartingSequenceNumber: '000000000000000000001' } }],
    };
  }

  iterator({ StreamArn, ShardId, ShardIteratorType: type, SequenceNumber: number }: IteratorRequest): string {
    if (ShardId !== shardId)
      throw new DynamoError('ResourceNotFoundException', `Requested resource not found: Shard: ${ShardId} not found`);
    return `${StreamArn}|${this.#before(type, number)}`;
  }

  /** The number of the record after which an iterator reads. */
  #before(type: string, number: string | undefined): number {
    if (type === 'TRIM_HORIZON') return 0;
    if (type === 'LATEST') return this.#last;
    if (number === undefined || !/^\d+$/.test(number)) throw invalid('Invalid SequenceNumber');
    return Number(number) - (type === 'AT_SEQUENCE_NUMBER' ? 1 : 0);
  }

  /** Carries out `GetRecords`, and returns the JSON of the answer. */
  read(table: StoredTable, iterator: string, limit = mostPerRead): string {
    const after = Number(iterator.split('|')[1]);
    const sql = 'SELECT sequence, body FROM records WHERE sequence > ? AND definition = ? ORDER BY sequence LIMIT ?';
    const found = this.#database.statement(sql).all(after, table.id, Math.min(limit, mostPerRead));
    const next = `${iterator.split('|')[0]}|${found.at(-1)?.['sequence'] ?? after}`;
    return `{"Records":[${found.map(({ body }) => body).join(',')}],"NextShardIterator":${JSON.stringify(next)}}`;
  }
}

/** The table whose records an iterator reads. */
export const tableOfIterator = (iterator: string): string => tableNameIn(iterator.split('|')[0] ?? '');
