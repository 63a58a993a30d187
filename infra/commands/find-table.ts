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

/** The command that the words name. Without one, or with more, the usage is the error. */
export function commandOf<Command>(
  commands: Readonly<Record<string, Command>>,
  words: string[],
  usage: string,
): Command {
  const [name = '', ...more] = words;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command && more.length === 0) return command;
  throw new UsageError(usage);
}

export const stageOf = (typed: TableChoice): Stage => oneOf('stage', required(typed, 'stage'), ['sandbox', 'live']);

/** The tables of a stack that begin with `tillstack-demo-live-DataTable`, without restored copies. */
export async function tablesNamed(client: DynamoDBClient, prefix: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { TableNames = [] } of paginateListTables({ client }, {}))
    found.push(...TableNames.filter((name) => name.startsWith(prefix) && /^\w+-\w+$/.test(name.slice(prefix.length))));
  return found;
}

/**
 * Finds a stack's table. CloudFormation names it after the stack,
 * `tillstack-demo-sandbox-DataTable1A2B3C4D-5E6F7G`; a restored copy has a longer name.
 */
export async function findTable(client: DynamoDBClient, typed: TableChoice): Promise<string> {
  if (typed.table) return typed.table;
  const prefix = `tillstack-${required(typed, 'merchant')}-${stageOf(typed)}-DataTable`;
  const found = await tablesNamed(client, prefix);
  const [table] = found;
  if (table && found.length === 1) return table;
  throw new Error(`There are ${found.length} tables whose names begin with ${prefix}. Choose one with --table.`);
}
