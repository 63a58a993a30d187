import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { LeftOutField } from '../domain/reports/left-out-field.ts';
import { keys } from './keys.ts';
import { unavailable } from './table/errors.ts';
import { findItem } from './table/read.ts';
import type { Table } from './table/table.ts';

export interface LeftOutFieldStore {
  /** Stores that requests on this day contained these fields. */
  note(names: readonly string[], day: string): Promise<void>;
  /** All stored fields, sorted by name. */
  all(): Promise<LeftOutField[]>;
}

/**
 * The store of ignored fields. One row has all of them. Each is an attribute with its last day. The number of such
 * fields in the API limits the row.
 */
export const leftOutFieldStore = (table: Table): LeftOutFieldStore => ({
  note: async (names, day) => {
    const command = new UpdateCommand({
      TableName: table.name,
      Key: keys.leftOutFields(),
      UpdateExpression: `SET ${names.map((_, index) => `#field${index} = :day`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(names.map((name, index) => [`#field${index}`, name])),
      ExpressionAttributeValues: { ':day': day },
    });
    await table.client.send(command).catch(unavailable);
  },
  all: async () => {
    const { pk: _, sk: __, ...days } = (await findItem(table, keys.leftOutFields())) ?? {};
    return Object.entries(days)
      .map(([name, lastDay]) => ({ name, lastDay: String(lastDay) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  },
});
