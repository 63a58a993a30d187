import { type DynamoDBClient, paginateListTables } from '@aws-sdk/client-dynamodb';
import type { Stage } from '../../shared/domain/merchant.ts';
import { UsageError } from '../usage-error.ts';

/** Options that name the table of a stack. */
export const tableOptions = {
  merchant: { type: 'string' },
  stage: { type: 'string' },
  table: { type: 'string' },
} as const;

interface TableChoice {
  merchant?: string | undefined;
  stage?: string | undefined;
  table?: string | undefined;
}

export function oneOf<Choice extends string>(name: string, value: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((candidate) => candidate === value);
  if (choice) return choice;
  throw new UsageError(`--${name} must be one of ${choices.join(', ')}.`);
}

export function required<Name extends string>(typed: { [N in Name]?: string | undefined }, name: Name): string {
  const value = typed[name];
  if (value) return value;
  throw new UsageError(`--${name} is required.`);
}

export const stageOf = (typed: TableChoice): Stage => oneOf('stage', required(typed, 'stage'), ['sandbox', 'live']);

/**
 * Finds a stack's table. CloudFormation names it after the stack,
 * `tillstack-demo-sandbox-DataTable1A2B3C4D-5E6F7G`; a restored copy has a longer name.
 */
export async function findTable(client: DynamoDBClient, typed: TableChoice): Promise<string> {
  if (typed.table) return typed.table;
  const prefix = `tillstack-${required(typed, 'merchant')}-${stageOf(typed)}-DataTable`;
  const found: string[] = [];
  for await (const { TableNames = [] } of paginateListTables({ client }, {}))
    found.push(...TableNames.filter((name) => name.startsWith(prefix) && /^\w+-\w+$/.test(name.slice(prefix.length))));
  const [table] = found;
  if (table && found.length === 1) return table;
  throw new UsageError(`There are ${found.length} tables whose names begin with ${prefix}. Choose one with --table.`);
}
