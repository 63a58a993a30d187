import { hash } from 'node:crypto';
import { DynamoError, invalid } from '../dynamo-error.ts';
import { checkedRequest, type TransactWriteRequest, type WriteKind, type WriteRequest } from '../request.ts';
import type { Database } from '../tables/database.ts';
import type { Tables } from '../tables/tables.ts';
import type { AttributeMap } from '../values/attribute-value.ts';
import { consumedCapacities, readUnits, type Units, writeUnits } from '../values/capacity.ts';
import { checkItem, measureItem } from '../values/value-size.ts';
import { isAllowed, type PlannedWrite, planWrite, rowAfter, rowIfWanted } from './planned-write.ts';
import { assertDistinctRows, unitsOf, type Writes } from './writes.ts';

const kinds: readonly WriteKind[] = ['Put', 'Update', 'Delete', 'ConditionCheck'];
const mostItems = 100;
const mostBytes = 4 * 1_024 * 1_024;
const tokenMs = 10 * 60_000;

/** The reason of the cancellation for one write of a transaction. It may be `None`. */
interface CancellationReason {
  Code: 'None' | 'ConditionalCheckFailed' | 'ValidationError';
  Message?: string;
  Item?: AttributeMap;
}

interface Prepared {
  write: PlannedWrite;
  after: AttributeMap | undefined;
  reason: CancellationReason;
}

const none: CancellationReason = { Code: 'None' };

/** Prepares a write. An update that the row does not allow cancels the transaction, like a failed condition. */
function prepare(write: PlannedWrite): Prepared {
  if (!isAllowed(write)) {
    const Message = 'The conditional request failed';
    return { write, after: undefined, reason: { Code: 'ConditionalCheckFailed', Message, ...rowIfWanted(write) } };
  }
  try {
    return { write, after: rowAfter(write), reason: none };
  } catch (error) {
    if (!(error instanceof DynamoError)) throw error;
    return { write, after: undefined, reason: { Code: 'ValidationError', Message: error.message } };
  }
}

function assertPossible(prepared: readonly Prepared[]): void {
  if (prepared.every(({ reason }) => reason === none)) return;
  const CancellationReasons = prepared.map(({ reason }) => reason);
  const codes = CancellationReasons.map(({ Code }) => Code).join(', ');
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  throw new DynamoError('TransactionCanceledException', message, { CancellationReasons });
}

/** Carries out transactions of writes, only once for each token. */
export class Transactions {
  readonly #database: Database;
  readonly #tables: Tables;
  readonly #writes: Writes;

  constructor(database: Database, tables: Tables, writes: Writes) {
    this.#database = database;
    this.#tables = tables;
    this.#writes = writes;
  }

  /** Carries out `TransactWriteItems`. */
  write(input: unknown): object {
    const {
      TransactItems,
      ClientRequestToken: token,
      ReturnConsumedCapacity,
    } = checkedRequest<TransactWriteRequest>(input);
    assertCount(TransactItems);
    const digest = token === undefined ? '' : hash('sha256', JSON.stringify(TransactItems), 'base64');
    const writes = TransactItems.map((item) => this.#plan(item));
    if (token !== undefined && this.#isRepeated(token, digest))
      return consumedCapacities(ReturnConsumedCapacity, unitsOfRepetition(writes), 'ReadCapacityUnits');
    assertDistinctRows(writes, 'Transaction request cannot include multiple operations on one item');
    assertSize(writes);
    const prepared = writes.map(prepare);
    assertPossible(prepared);
    const units = this.#database.atomically(() => {
      if (token !== undefined) this.#remember(token, digest);
      return this.#apply(prepared);
    });
    return consumedCapacities(ReturnConsumedCapacity, units, 'WriteCapacityUnits');
  }

  #plan(item: TransactWriteRequest['TransactItems'][number]): PlannedWrite {
    const [kind, ...others] = Object.keys(item) as WriteKind[];
    if (!kind || others.length > 0 || !kinds.includes(kind))
      throw invalid('TransactItems can only contain one of Check, Put, Update or Delete');
    return planWrite(this.#tables, kind, checkedRequest<WriteRequest>(item[kind]));
  }

  #apply(prepared: readonly Prepared[]): Map<string, Units> {
    const units = new Map<string, Units>();
    for (const { write, after } of prepared)
      if (write.kind === 'ConditionCheck') unitsOf(units, write).table += 2 * writeUnits(write.current.bytes);
      else this.#writes.apply(write, after, unitsOf(units, write), 2);
    return units;
  }

  /** Whether the same request with this token was already carried out. */
  #isRepeated(token: string, digest: string): boolean {
    const known = this.#database.statement('SELECT digest, at FROM tokens WHERE token = ?').get(token);
    if (!known || Number(known['at']) < Date.now() - tokenMs) return false;
    if (known['digest'] === digest) return true;
    throw new DynamoError(
      'IdempotentParameterMismatchException',
      'Request rejected because it was retried with the same client token but different parameters',
    );
  }

  #remember(token: string, digest: string): void {
    const now = Date.now();
    const { changes } = this.#database.statement('DELETE FROM tokens WHERE token = ?').run(token);
    this.#database.statement('INSERT INTO tokens VALUES (?, ?, ?)').run(token, digest, now);
    if (changes === 0) this.#forgetBefore(now - tokenMs);
  }

  #remembered = 0;

  /** Sometimes deletes old tokens, to keep their table small. */
  #forgetBefore(time: number): void {
    this.#remembered += 1;
    if (this.#remembered % 1_000 === 0) this.#database.statement('DELETE FROM tokens WHERE at < ?').run(time);
  }
}

function assertCount(items: TransactWriteRequest['TransactItems'] | undefined): void {
  const count = items?.length ?? 0;
  if (count >= 1 && count <= mostItems) return;
  const bound = count < 1 ? 'greater than or equal to 1' : `less than or equal to ${mostItems}`;
  throw invalid(
    `1 validation error detected: Value at 'transactItems' failed to satisfy constraint: Member must have length ${bound}`,
  );
}

function sizeOfKey(key: AttributeMap): number {
  checkItem(key);
  return measureItem(key);
}

function assertSize(writes: readonly PlannedWrite[]): void {
  const total = writes.reduce(
    (sum, { request: { Item, Key = {} } }) => sum + (Item ? measureItem(Item) : sizeOfKey(Key)),
    0,
  );
  if (total > mostBytes) throw invalid('Transaction request size exceeds the maximum of 4 MB');
}

/** The units of a repeated transaction, which only reads. */
function unitsOfRepetition(writes: readonly PlannedWrite[]): Map<string, Units> {
  const units = new Map<string, Units>();
  for (const write of writes) unitsOf(units, write).table += 2 * readUnits(write.current.bytes, true);
  return units;
}
