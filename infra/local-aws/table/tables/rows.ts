import type { AttributeMap } from '../values/attribute-value.ts';
import type { Database } from './database.ts';
import type { TableDefinition } from './definition.ts';
import { type EncodedKey, indexKeyOf } from './keys.ts';

/** A stored row. Readers get its JSON without a change. */
export interface StoredRow {
  body: string;
  /** Its size in bytes, counted like DynamoDB. */
  bytes: number;
}

/** The start and the order of a page, in SQL. */
export interface RowRange {
  where: string;
  orderBy: string;
  parameters: readonly string[];
}

/** The names of an index's two columns. Both are null if the row is not in the index. */
export const indexColumns = (position: number): EncodedKey => [`p${position}`, `s${position}`];

/** The rows of one table. It is a table in SQLite, and its indexes are SQLite indexes on the index keys. */
export class Rows {
  readonly #database: Database;
  readonly #name: string;
  readonly #definition: TableDefinition;
  readonly #sql: { find: string; put: string; remove: string };

  constructor(database: Database, id: number, definition: TableDefinition) {
    this.#database = database;
    this.#name = `rows_${id}`;
    this.#definition = definition;
    const values = `?, ?, ?, ?${', ?, ?'.repeat(definition.indexes.length)}`;
    this.#sql = {
      find: `SELECT body, bytes FROM ${this.#name} WHERE pk = ? AND sk = ?`,
      put: `INSERT OR REPLACE INTO ${this.#name} VALUES (${values})`,
      remove: `DELETE FROM ${this.#name} WHERE pk = ? AND sk = ?`,
    };
  }

  create(): void {
    const columns = this.#definition.indexes.map((_, position) => indexColumns(position));
    const declared = columns.flat().map((column) => `, ${column} TEXT`);
    this.#database.execute(
      `CREATE TABLE ${this.#name} (pk TEXT, sk TEXT, body TEXT NOT NULL, bytes INTEGER NOT NULL${declared.join('')}, PRIMARY KEY (pk, sk)) WITHOUT ROWID`,
    );
    for (const [partition, sort] of columns)
      this.#database.execute(
        `CREATE INDEX ${this.#name}_${partition} ON ${this.#name} (${partition}, ${sort}, pk, sk) WHERE ${partition} IS NOT NULL`,
      );
  }

  drop(): void {
    this.#database.execute(`DROP TABLE ${this.#name}`);
  }

  find(key: EncodedKey): StoredRow | undefined {
    return this.#database.statement(this.#sql.find).get(...key) as unknown as StoredRow | undefined;
  }

  put(key: EncodedKey, item: AttributeMap, row: StoredRow): void {
    const columns = this.#definition.indexes.flatMap((index) => indexKeyOf(index, item) ?? [null, null]);
    this.#database.statement(this.#sql.put).run(...key, row.body, row.bytes, ...columns);
  }

  remove(key: EncodedKey): void {
    this.#database.statement(this.#sql.remove).run(...key);
  }

  /** Reads the rows of a range one by one, and stops when the caller stops. */
  range({ where, orderBy, parameters }: RowRange): Iterable<StoredRow> {
    const sql = `SELECT body, bytes FROM ${this.#name} WHERE ${where} ORDER BY ${orderBy}`;
    return this.#database.statement(sql).iterate(...parameters) as unknown as Iterable<StoredRow>;
  }

  count(): number {
    return Number(this.#database.statement(`SELECT count(*) AS rows FROM ${this.#name}`).get()?.['rows']);
  }
}
