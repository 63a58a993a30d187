import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { Database } from '../../infra/local-aws/table/tables/database.ts';
import { median } from '../bench/measure.ts';
import { microsecondsOf } from '../support/cpu.ts';
import { times } from '../support/seeded.ts';

const insert = "INSERT INTO tokens (token, digest, at) VALUES (?, printf('%1000s', ''), 1)";

function write(database: Database, rows: number): void {
  for (const _ of times(rows)) database.statement(insert).run(randomUUID());
}

/** A database in memory with this number of rows, of which a few fit on a page. */
function databaseOf(rows: number): Database {
  const database = new Database();
  database.atomically(() => write(database, rows));
  return database;
}

it('a database on a full disk reports it, rolls back the failed write, and keeps working', () => {
  const database = databaseOf(0);
  database.execute('PRAGMA max_page_count = 100');
  database.atomically(() => write(database, 10));
  expect(() => database.atomically(() => write(database, 1_000))).toThrow('database or disk is full');
  expect(database.statement('SELECT count(*) AS rows FROM tokens').get()).toEqual({ rows: 10 });
  database.atomically(() => write(database, 1));
  database.close();
});

it('a write in memory takes about the same time with few and with many rows', async () => {
  const [few, many] = [databaseOf(100), databaseOf(30_000)];
  const costOf = (database: Database) =>
    microsecondsOf(() => {
      for (const _ of times(100)) database.atomically(() => write(database, 1));
    });
  const ratios: number[] = [];
  for (const _ of times(9)) ratios.push((await costOf(many)) / (await costOf(few)));
  for (const database of [few, many]) database.close();
  // the median is about 1.6; it was 7 and more where each commit went through all pages
  expect(median(ratios)).toBeLessThan(4);
});
