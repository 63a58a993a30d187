import { DatabaseSync, type StatementSync } from 'node:sqlite';

/** Thrown if another process has opened the data. */
export class DataInUseError extends Error {
  constructor(path: string) {
    super(`Another process uses the data in ${path}. Stop that process, or choose another folder with --data.`);
    this.name = 'DataInUseError';
  }
}

/**
 * Settings for a database in a file. Each response is on disk before it is sent, and a second process cannot open the
 * file.
 */
const inFile = 'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;';
const inMemory = 'PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;';

/**
 * The name of a database in memory, of at most 1 GB. Only its opener can use it. `:memory:` would be slower, because a
 * commit there visits every page that was ever written.
 */
const memory = 'file:table?vfs=memdb';

const schema = `
  CREATE TABLE IF NOT EXISTS definitions (id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, request TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS records (sequence INTEGER PRIMARY KEY, definition INTEGER NOT NULL, body TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS tokens (token TEXT PRIMARY KEY, digest TEXT NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;`;

function open(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  try {
    database.exec(`${path === memory ? inMemory : inFile} ${schema}`);
    return database;
  } catch (error) {
    database.close();
    throw error instanceof Error && /locked/.test(error.message) ? new DataInUseError(path) : error;
  }
}

/** An SQLite database, in memory or in a file. A file survives a crash at any moment. */
export class Database {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #isInTransaction = false;

  constructor(path = memory) {
    this.#database = open(path);
  }

  /** A prepared statement. Each SQL text is prepared only once. */
  statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  execute(sql: string): void {
    this.#database.exec(sql);
  }

  /** Runs the work in a transaction. A nested call joins the outer transaction. */
  atomically<Result>(work: () => Result): Result {
    if (this.#isInTransaction) return work();
    this.statement('BEGIN IMMEDIATE').run();
    this.#isInTransaction = true;
    try {
      const result = work();
      this.statement('COMMIT').run();
      return result;
    } catch (error) {
      // If the disk was full, SQLite has already rolled back.
      if (this.#database.isTransaction) this.statement('ROLLBACK').run();
      throw error;
    } finally {
      this.#isInTransaction = false;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }
}
