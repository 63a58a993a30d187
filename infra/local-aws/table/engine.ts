import { DynamoError } from './dynamo-error.ts';
import { Queries } from './reading/queries.ts';
import { Reads } from './reading/reads.ts';
import { Database } from './tables/database.ts';
import { type CreateTableRequest, describeTable, streamArnOf } from './tables/definition.ts';
import { type StoredTable, Tables } from './tables/tables.ts';
import { StreamRecords, tableOfIterator } from './writing/stream-records.ts';
import { Transactions } from './writing/transactions.ts';
import { Writes } from './writing/writes.ts';

/** An operation. It returns an answer, or the JSON of an answer. */
type Operation = (input: never) => object | string;

/**
 * The part of DynamoDB that this product uses. Keys are two strings, and reads are consistent. There is no throttling
 * and no conflict. It runs in this process and handles one request after the other.
 */
export class TableEngine {
  readonly #database: Database;
  readonly #tables: Tables;
  readonly #records: StreamRecords;
  readonly #operations: Readonly<Record<string, Operation>>;

  /**
   * Keeps the data in memory, or in a file. After a crash, the file contains everything that was answered.
   * @throws DataInUseError if another process has opened the file
   */
  constructor(path?: string) {
    this.#database = new Database(path);
    this.#tables = new Tables(this.#database);
    this.#records = new StreamRecords(this.#database);
    this.#operations = { ...this.#tableOperations(), ...this.#rowOperations(), ...this.#streamOperations() };
  }

  #rowOperations(): Record<string, Operation> {
    const reads = new Reads(this.#tables);
    const queries = new Queries(this.#tables);
    const writes = new Writes(this.#database, this.#tables, this.#records);
    const transactions = new Transactions(this.#database, this.#tables, writes);
    return {
      GetItem: (input) => reads.get(input),
      BatchGetItem: (input) => reads.batch(input),
      TransactGetItems: (input) => reads.transact(input),
      Query: (input) => queries.query(input),
      Scan: (input) => queries.scan(input),
      PutItem: (input) => writes.single('Put', input),
      UpdateItem: (input) => writes.single('Update', input),
      DeleteItem: (input) => writes.single('Delete', input),
      BatchWriteItem: (input) => writes.batch(input),
      TransactWriteItems: (input) => transactions.write(input),
    };
  }

  #tableOperations(): Record<string, Operation> {
    const describe = ({ definition, rows }: StoredTable) => ({ ...describeTable(definition), ItemCount: rows.count() });
    return {
      CreateTable: (request: CreateTableRequest) => ({ TableDescription: describe(this.#tables.create(request)) }),
      DescribeTable: ({ TableName }: TableName) => ({ Table: describe(this.#tables.get(TableName)) }),
      DeleteTable: ({ TableName }: TableName) => {
        const table = this.#tables.get(TableName);
        this.#tables.remove(table);
        return { TableDescription: { ...describeTable(table.definition), TableStatus: 'DELETING' } };
      },
      ListTables: () => ({ TableNames: this.#tables.names() }),
    };
  }

  #streamOperations(): Record<string, Operation> {
    const tableOf = (arn: string) => this.#tables.get(arn);
    return {
      ListStreams: ({ TableName }: Partial<TableName>) => ({ Streams: this.#streams(TableName) }),
      DescribeStream: ({ StreamArn }: StreamArn) => ({ StreamDescription: this.#records.describe(tableOf(StreamArn)) }),
      GetShardIterator: (request: StreamArn & Parameters<StreamRecords['iterator']>[0]) => {
        tableOf(request.StreamArn);
        return { ShardIterator: this.#records.iterator(request) };
      },
      GetRecords: ({ ShardIterator, Limit }: { ShardIterator: string; Limit?: number }) =>
        this.#records.read(tableOf(tableOfIterator(ShardIterator)), ShardIterator, Limit),
    };
  }

  #streams(tableName: string | undefined): object[] {
    return this.#tables
      .all()
      .filter(({ definition: { name, streamViewType } }) => streamViewType && (tableName ?? name) === name)
      .map(({ definition: { name } }) => ({
        StreamArn: streamArnOf(name),
        TableName: name,
        StreamLabel: streamArnOf(name).split('/').at(-1),
      }));
  }

  /**
   * Carries out one operation, such as `GetItem`.
   * @returns the JSON of the answer
   * @throws DynamoError if the operation is refused
   */
  call(operation: string, input: unknown): string {
    const operate = Object.hasOwn(this.#operations, operation) ? this.#operations[operation] : undefined;
    if (!operate) throw new DynamoError('UnknownOperationException', `The table on this machine has no ${operation}`);
    const answer = operate(input as never);
    return typeof answer === 'string' ? answer : JSON.stringify(answer);
  }

  hasTable(name: string): boolean {
    return this.#tables.names().includes(name);
  }

  /** Runs several calls in one transaction. */
  atomically(work: () => void): void {
    this.#database.atomically(work);
  }

  close(): void {
    this.#database.close();
  }
}

interface TableName {
  TableName: string;
}

interface StreamArn {
  StreamArn: string;
}
