import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { emptySeries, Series } from '../../../shared/domain/documents/document-series.ts';
import { numbersOf, SerialRow, seriesWrite } from '../../../shared/store/documents/document-rows.ts';
import { keys } from '../../../shared/store/keys.ts';
import { commit } from '../../../shared/store/table/transaction.ts';
import type { Row } from './read-books.ts';

/** Reads the counter and the row with the highest numbers of a series: `SERIES` sorts after all numbers. */
async function lastRows(client: DynamoDBDocumentClient, TableName: string, pk: string): Promise<Row[]> {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
      ConsistentRead: true,
      ScanIndexForward: false,
      Limit: 2,
    }),
  );
  return Items;
}

/**
 * Increases the counter of each series, such as `SERIES#INV#2026`, to its highest number. After a backup is restored,
 * the counter is too low, and gives no new number until this is done. Returns how many counters were changed.
 */
export async function raiseCounters(
  client: DynamoDBDocumentClient,
  tableName: string,
  partitions: ReadonlySet<string>,
): Promise<number> {
  let raised = 0;
  for (const pk of partitions) {
    const [, kind, year] = pk.split('#');
    const of = Series.pick({ kind: true, year: true }).parse({ kind, year });
    const rows = await lastRows(client, tableName, pk);
    const counter = rows.find(({ sk }) => sk === keys.series(of.kind, of.year).sk);
    const series = counter ? Series.parse(counter['data']) : emptySeries(of.kind, of.year);
    const highest = rows
      .filter((row) => row !== counter)
      .flatMap((row) => numbersOf(SerialRow.parse(row)))
      .toSorted((a, b) => a.serial - b.serial)
      .at(-1);
    if (!highest || highest.serial <= series.last) continue;
    const moved = { ...series, last: highest.serial, lastIssuedAt: highest.issuedAt };
    await commit({ client, name: tableName }, [seriesWrite(moved)]);
    raised += 1;
  }
  return raised;
}
