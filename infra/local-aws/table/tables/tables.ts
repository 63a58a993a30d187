import { DynamoError } from '../dynamo-error.ts';
import type { Database } from './database.ts';
import { type CreateTableRequest, definitionOf, type TableDefinition, tableNameIn } from './definition.ts';
import { Rows } from './rows.ts';

/** A table with its rows. */
export interface StoredTable {
  id: number;
  definition: TableDefinition;
  rows: Rows;
}

/** The tables of one database, by name. */
export class Tables {
  readonly #database: Database;
  readonly #tables = new Map<string, StoredTable>();

  constructor(database: Database) {
    this.#database = database;
    for (const { id, request } of database.statement('SELECT id, request FROM definitions').all())
      this.#open(Number(id), definitionOf(JSON.parse(String(request))));
  }

  #open(id: number, definition: TableDefinition): StoredTable {
    const table = { id, definition, rows: new Rows(this.#database, id, definition) };
    this.#tables.set(definition.name, table);
    return table;
  }

  /**
   * Creates a table.
   * @throws DynamoError if a table with that name exists
   */
  create(request: CreateTableRequest): StoredTable {
    const definition = definitionOf(request);
    if (this.#tables.has(definition.name))
      throw new DynamoError('ResourceInUseException', `Table already exists: ${definition.name}`);
    return this.#database.atomically(() => {
      const insert = this.#database.statement('INSERT INTO definitions (name, request) VALUES (?, ?)');
      const { lastInsertRowid } = insert.run(definition.name, JSON.stringify(request));
      const table = this.#open(Number(lastInsertRowid), definition);
      table.rows.create();
      return table;
    });
  }

  remove(table: StoredTable): void {
    this.#database.atomically(() => {
      this.#database.statement('DELETE FROM definitions WHERE id = ?').run(table.id);
      this.#database.statement('DELETE FROM records WHERE definition = ?').run(table.id);
      table.rows.drop();
    });
    this.#tables.delete(table.definition.name);
  }

  /**
   * Finds a table.
   * @throws DynamoError if no table has that name
   */
  get(nameOrArn: string | undefined): StoredTable {
    const table = this.#tables.get(tableNameIn(nameOrArn ?? ''));
    if (!table) throw new DynamoError('ResourceNotFoundException', 'Requested resource not found');
    return table;
  }

  names(): string[] {
    return [...this.#tables.keys()].sort();
  }

  all(): StoredTable[] {
    return [...this.#tables.values()];
  }
}
