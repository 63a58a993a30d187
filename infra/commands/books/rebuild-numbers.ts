import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { TakenNumber } from '../../../shared/domain/documents/document-series.ts';
import { numbersOf, SerialRow } from '../../../shared/store/documents/document-rows.ts';
import { documentStore } from '../../../shared/store/documents/document-store.ts';
import { keys } from '../../../shared/store/keys.ts';
import { type Row, scanPages } from './read-books.ts';

/** A number of a series, as the row of its payment or refund has it. */
interface Kept extends TakenNumber {
  subjectId: string;
}

const nameOf = (pk: string, serial: number): string => `${pk} ${serial}`;

/** The number in the row of a payment or refund. */
function keptIn(row: Row): [name: string, Kept] {
  const taken = TakenNumber.parse(row);
  const subjectId = String(row['pk']).replace(/^DOCUMENT#/, '');
  return [nameOf(keys.series(taken.kind, taken.year).pk, taken.serial), { ...taken, subjectId }];
}

const namesIn = (row: Row): string[] =>
  numbersOf(SerialRow.parse(row)).map(({ serial }) => nameOf(String(row['pk']), serial));

/** The numbers that payments and refunds have, but that are missing in their series. */
async function lostNumbers(client: DynamoDBDocumentClient, tableName: string): Promise<Kept[]> {
  const kept = new Map<string, Kept>();
  const serials = new Set<string>();
  for await (const page of scanPages(client, tableName)) {
    for (const row of page.filter(({ entity }) => entity === 'NUMBER'))
      for (const name of namesIn(row)) serials.add(name);
    for (const row of page.filter(({ entity }) => entity === 'DOCUMENT_NUMBER')) kept.set(...keptIn(row));
  }
  return [...kept].filter(([name]) => !serials.has(name)).map(([, taken]) => taken);
}

/**
 * Adds numbers to a series that payments and refunds have, but that the series lacks. They may have been issued after
 * the backup. Otherwise, the counter would give them a second time. Returns the partition keys of the changed series.
 */
export async function rebuildNumbers(client: DynamoDBDocumentClient, tableName: string): Promise<string[]> {
  const documents = documentStore({ client, name: tableName });
  const partitions: string[] = [];
  for (const { kind, year, serial, issuedAt, subjectId } of await lostNumbers(client, tableName)) {
    const { rows } = await documents.numbers(kind, year, serial - 1, 1);
    partitions.push(keys.series(kind, year).pk);
    if (rows[0]?.serial === serial) continue;
    const Item = { ...keys.documentNumber(kind, year, serial), entity: 'NUMBER', serial, issuedAt, subjectId };
    await client.send(new PutCommand({ TableName: tableName, Item, ConditionExpression: 'attribute_not_exists(pk)' }));
  }
  return partitions;
}
