import { type DynamoDBClient, paginateListTables } from '@aws-sdk/client-dynamodb';
import type { Stage } from '../../shared/domain/merchant.ts';
import { UsageError } from '../usage-error.ts';
import type { Options, TypedWords } from './kit/command.ts';

/** The stages of a merchant. */
const stages = ['sandbox', 'live'] as const;

/** Options that name the stack of a merchant. */
export const stackOptions = {
  merchant: { value: '<id>', help: 'the merchant, by the name of its file' },
  stage: { value: '<stage>', help: 'the stage', choices: stages },
} satisfies Options;

/** Options that name the table of a stack directly, or the stack. */
export const tableOptions = {
  ...stackOptions,
  table: { value: '<name>', help: 'another table, such as a restored one' },
} satisfies Options;

/** The option for another directory with the files of merchants. */
export const merchantsOption = {
  merchants: { value: '<folder>', help: 'another directory of merchants' },
} satisfies Options;

/** The option for the address of a fake processor on this machine. */
export const processorUrlOption = {
  'processor-url': { value: '<address>', help: 'where this machine plays the processor' },
} satisfies Options;

export function oneOf<Choice extends string>(name: string, value: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((candidate) => candidate === value);
  if (choice) return choice;
  throw new UsageError(`--${name} must be one of ${choices.join(', ')}.`);
}

export const stageOf = (typed: TypedWords): Stage => oneOf('stage', typed.needed('stage'), stages);

/** The tables whose name begins like `tillstack-demo-live-DataTable`, without restored copies. */
export async function tablesNamed(client: DynamoDBClient, prefix: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { TableNames = [] } of paginateListTables({ client }, {}))
    found.push(...TableNames.filter((name) => name.startsWith(prefix) && /^\w+-\w+$/.test(name.slice(prefix.length))));
  return found;
}

/**
 * Finds a stack's table. CloudFormation names it after the stack, such as
 * `tillstack-demo-sandbox-DataTable1A2B3C4D-5E6F7G`. The name of a restored copy is longer.
 */
export async function findTable(client: DynamoDBClient, typed: TypedWords): Promise<string> {
  const named = typed.text('table');
  if (named) return named;
  const prefix = `tillstack-${typed.needed('merchant')}-${stageOf(typed)}-DataTable`;
  const found = await tablesNamed(client, prefix);
  const [table] = found;
  if (table && found.length === 1) return table;
  throw new Error(`There are ${found.length} tables whose names begin with ${prefix}. Choose one with --table.`);
}
