import { type DynamoError, invalid } from '../dynamo-error.ts';
import { type AttributeMap, type AttributeValue, attributeOf, attributeTypeOf } from '../values/attribute-value.ts';
import type { IndexDefinition, KeyNames, TableDefinition } from './definition.ts';

/** The partition key and the sort key of a row. */
export type EncodedKey = readonly [partition: string, sort: string];

const wrong = (reason: string): DynamoError => invalid(`One or more parameter values were invalid: ${reason}`);

const mostPartitionBytes = 2_048;
const mostSortBytes = 1_024;

export const emptyKey = (name: string): DynamoError =>
  invalid(
    `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`,
  );

function assertText(name: string, text: string): void {
  if (text === '') throw emptyKey(name);
  if (!text.isWellFormed()) throw wrong(`The key ${name} is not well-formed Unicode`);
}

/** Checks that both keys are non-empty strings within DynamoDB's length limits. */
function checkedKey({ partitionKey, sortKey }: KeyNames, partition: string, sort: string): EncodedKey {
  assertText(partitionKey, partition);
  assertText(sortKey, sort);
  if (Buffer.byteLength(partition) > mostPartitionBytes)
    throw wrong('Size of hashkey has exceeded the maximum size limit of2048 bytes');
  if (Buffer.byteLength(sort) > mostSortBytes)
    throw wrong('Aggregated size of all range keys has exceeded the size limit of 1024 bytes');
  return [partition, sort];
}

/** The key of a row that is about to be put. */
export function keyOfItem(table: KeyNames, item: AttributeMap): EncodedKey {
  const [partition = '', sort = ''] = [table.partitionKey, table.sortKey].map((name) => {
    const value = attributeOf(item, name);
    if (!value) throw wrong(`Missing the key ${name} in the item`);
    if (value.S === undefined)
      throw wrong(`Type mismatch for key ${name} expected: S actual: ${attributeTypeOf(value)}`);
    return value.S;
  });
  return checkedKey(table, partition, sort);
}

/** The key in a request. It must have its two attributes, and no others. */
export function keyOfRequest(table: KeyNames, key: AttributeMap | undefined): EncodedKey {
  const [partition, sort] = [table.partitionKey, table.sortKey].map((name) => attributeOf(key, name)?.S);
  if (partition === undefined || sort === undefined || Object.keys(key ?? {}).length !== 2)
    throw invalid('The provided key element does not match the schema');
  return checkedKey(table, partition, sort);
}

/** The attributes of a key. */
export const keyAttributes = ({ partitionKey, sortKey }: KeyNames, [partition, sort]: EncodedKey): AttributeMap => ({
  [partitionKey]: { S: partition },
  [sortKey]: { S: sort },
});

function assertIndexKey({ name }: IndexDefinition, attribute: string, value: AttributeValue | undefined): void {
  if (!value) return;
  if (value.S === undefined)
    throw wrong(
      `Type mismatch for Index Key ${attribute} Expected: S Actual: ${attributeTypeOf(value)} IndexName: ${name}`,
    );
  if (value.S === '')
    throw invalid(
      `One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: ${name}, IndexKey: ${attribute}`,
    );
}

/** Checks that every index key in a row is a non-empty string. A row without the key is not in the index. */
export function assertIndexKeys({ indexes }: TableDefinition, item: AttributeMap): void {
  for (const index of indexes)
    for (const attribute of [index.partitionKey, index.sortKey])
      assertIndexKey(index, attribute, attributeOf(item, attribute));
}

/** The key of a row in an index; undefined if the row is not in it. */
export function indexKeyOf(index: IndexDefinition, item: AttributeMap | undefined): EncodedKey | undefined {
  const [partition, sort] = [attributeOf(item, index.partitionKey)?.S, attributeOf(item, index.sortKey)?.S];
  return partition === undefined || sort === undefined ? undefined : [partition, sort];
}

/** The attributes of a row that an index contains. */
export function indexEntryOf(table: TableDefinition, index: IndexDefinition, item: AttributeMap): AttributeMap {
  if (!index.projected) return item;
  const names = new Set([table.partitionKey, table.sortKey, index.partitionKey, index.sortKey, ...index.projected]);
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.has(name)));
}
