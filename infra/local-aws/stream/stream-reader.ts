import type { DynamoDBRecord } from 'aws-lambda';
import type { TableCall } from './dynamo-wire.ts';

interface Shard {
  id: string;
  /** The place of the next read. Absent before the first read, and after a failed one. */
  iterator: string | undefined;
  /** The number of the last record that was read. */
  after: string | undefined;
  closed: boolean;
}

/** Where reading a new shard begins. */
type Start = 'LATEST' | 'TRIM_HORIZON';

/** Reads a table's stream shard by shard. It begins at the moment when it was opened. */
export class StreamReader {
  readonly streamArn: string;
  readonly #call: TableCall;
  readonly #shards = new Map<string, Shard>();
  /** Whether a shard has ended. Then new shards must be looked for. */
  #endedShard = false;

  private constructor(call: TableCall, streamArn: string) {
    this.#call = call;
    this.streamArn = streamArn;
  }

  /** Opens a reader. It reads everything that is written after this promise resolves. */
  static async open(call: TableCall, tableName: string): Promise<StreamReader> {
    const { Streams } = await call<{ Streams: { StreamArn: string }[] }>('ListStreams', { TableName: tableName });
    if (!Streams[0]) throw new Error(`The table ${tableName} has no stream.`);
    const reader = new StreamReader(call, Streams[0].StreamArn);
    await reader.#findShards('LATEST');
    return reader;
  }

  /**
   * Reads the new records of the first shard that has any. Older shards are read first, which keeps the order of
   * writing. After an error, the next call continues after the last record, or at the beginning of the stream. So a
   * record can come twice, but none is lost.
   */
  async read(): Promise<DynamoDBRecord[]> {
    const open = await this.#openShards();
    for (const shard of open) {
      const records = await this.#readShard(shard);
      if (records.length > 0) return records;
    }
    return [];
  }

  /** The shards to read. If one has ended, its successor is looked for first. */
  async #openShards(): Promise<Shard[]> {
    const isOpen = (shard: Shard) => !shard.closed;
    if (this.#endedShard) await this.#findShards('TRIM_HORIZON');
    this.#endedShard = ![...this.#shards.values()].some(isOpen);
    return [...this.#shards.values()].filter(isOpen);
  }

  async #readShard(shard: Shard): Promise<DynamoDBRecord[]> {
    const iterator = shard.iterator ?? (await this.#iterator(shard, 'TRIM_HORIZON'));
    shard.iterator = undefined;
    const answer = await this.#call<{ Records: DynamoDBRecord[]; NextShardIterator?: string | null }>('GetRecords', {
      ShardIterator: iterator,
    });
    shard.iterator = answer.NextShardIterator ?? undefined;
    shard.after = answer.Records.at(-1)?.dynamodb?.SequenceNumber ?? shard.after;
    shard.closed = !shard.iterator;
    this.#endedShard ||= shard.closed;
    return answer.Records;
  }

  async #findShards(start: Start): Promise<void> {
    const { StreamDescription } = await this.#call<{ StreamDescription: { Shards: { ShardId: string }[] } }>(
      'DescribeStream',
      { StreamArn: this.streamArn },
    );
    for (const { ShardId: id } of StreamDescription.Shards) {
      if (this.#shards.has(id)) continue;
      const shard: Shard = { id, iterator: undefined, after: undefined, closed: false };
      shard.iterator = await this.#iterator(shard, start);
      this.#shards.set(id, shard);
    }
  }

  async #iterator(shard: Shard, start: Start): Promise<string> {
    const place = shard.after
      ? { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: shard.after }
      : { ShardIteratorType: start };
    const input = { StreamArn: this.streamArn, ShardId: shard.id, ...place };
    return (await this.#call<{ ShardIterator: string }>('GetShardIterator', input)).ShardIterator;
  }
}
