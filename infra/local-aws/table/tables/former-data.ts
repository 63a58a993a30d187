import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { TableEngine } from '../engine.ts';
import type { AttributeMap } from '../values/attribute-value.ts';
import { type CreateTableRequest, definitionOf } from './definition.ts';

/** The rows that the sandbox of version 0.1 kept in a file: the format of dynoxide 1.2. */
function* formerRows(path: string, tableName: string): Generator<AttributeMap> {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const isThere = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(tableName);
    if (!isThere) return;
    for (const { item_json: body } of database.prepare(`SELECT item_json FROM "${tableName}"`).iterate())
      yield JSON.parse(String(body));
  } finally {
    database.close();
  }
}

/** Creates a table with all rows of version 0.1, if its file exists and the table does not. */
export function takeOverFormerRows(engine: TableEngine, request: CreateTableRequest, path: string): void {
  const { name } = definitionOf(request);
  if (!existsSync(path) || engine.hasTable(name)) return;
  engine.atomically(() => {
    engine.call('CreateTable', request);
    for (const Item of formerRows(path, name)) engine.call('PutItem', { TableName: name, Item });
  });
}
