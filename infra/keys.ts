import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { DynamoDBClient, paginateListTables } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { apiKeyIdOf, createApiKey, findApiKey, revokeApiKey } from '../shared/domain/api-key.ts';
import type { Stage } from '../shared/domain/merchant.ts';
import { formatApiKey, hashApiKey } from '../shared/http/api-key.ts';
import { type ApiKeyStore, apiKeyStore } from '../shared/store/api-key-store.ts';

const usage = `API keys of a deployed stack, by the table itself: for the first key, and for when there is none left.

  npm run keys -- create --merchant demo --stage sandbox --name "Web shop" [--access write]
  npm run keys -- list   --merchant demo --stage sandbox
  npm run keys -- revoke --merchant demo --stage sandbox --id key_…

AWS credentials and region come from the environment, as for the AWS CLI. --table names the table, if it cannot be found.
A new key is printed once, here, and kept nowhere.`;

/** What was typed makes no sense; the message says what does. */
class UsageError extends Error {}

const options = {
  merchant: { type: 'string' },
  stage: { type: 'string' },
  table: { type: 'string' },
  name: { type: 'string' },
  access: { type: 'string', default: 'write' },
  id: { type: 'string' },
} as const;

type Typed = ReturnType<typeof parse>['values'];

const parse = (args: string[]) => parseArgs({ args, options, allowPositionals: true });

function required(typed: Typed, name: 'merchant' | 'stage' | 'name' | 'id'): string {
  const value = typed[name];
  if (value) return value;
  throw new UsageError(`--${name} is missing.`);
}

function oneOf<Choice extends string>(name: string, value: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((candidate) => candidate === value);
  if (choice) return choice;
  throw new UsageError(`--${name} is one of ${choices.join(', ')}.`);
}

const stageOf = (typed: Typed): Stage => oneOf('stage', required(typed, 'stage'), ['sandbox', 'live']);

/** CloudFormation names the table after its stack: `tillstack-demo-sandbox-DataTable…`. */
async function findTable(client: DynamoDBClient, typed: Typed): Promise<string> {
  if (typed.table) return typed.table;
  const prefix = `tillstack-${required(typed, 'merchant')}-${stageOf(typed)}-DataTable`;
  const found: string[] = [];
  for await (const { TableNames = [] } of paginateListTables({ client }, {}))
    found.push(...TableNames.filter((name) => name.startsWith(prefix)));
  const [table] = found;
  if (table && found.length === 1) return table;
  throw new UsageError(`There are ${found.length} tables that begin with ${prefix}: name one by --table.`);
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomText = (length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

const commands: Record<string, (keys: ApiKeyStore, typed: Typed) => Promise<string>> = {
  create: async (keys, typed) => {
    const key = formatApiKey(stageOf(typed), randomText(32));
    const access = oneOf('access', typed.access, ['read', 'write']);
    const fields = { name: required(typed, 'name'), access, expiresAt: null };
    const origin = { hash: hashApiKey(key), lastFour: key.slice(-4), now: new Date().toISOString() };
    await keys.save(createApiKey(fields, origin));
    return key;
  },
  list: async (keys) => {
    const { keys: all } = await keys.list();
    const lines = all.map((key) =>
      [apiKeyIdOf(key), key.access.padEnd(5), `…${key.lastFour}`, key.revokedAt ? 'revoked' : 'in use ', key.name].join(
        '  ',
      ),
    );
    return lines.join('\n') || 'There are no keys.';
  },
  revoke: async (keys, typed) => {
    const key = revokeApiKey(findApiKey(await keys.list(), required(typed, 'id')), new Date().toISOString());
    await keys.save(key);
    return `${apiKeyIdOf(key)} is revoked: the next call with it is refused.`;
  },
};

async function run(args: string[]): Promise<string> {
  const { positionals, values } = parse(args);
  const command = commands[positionals[0] ?? ''];
  if (!command || positionals.length > 1) return usage;
  const client = new DynamoDBClient();
  const table = { name: await findTable(client, values), client: DynamoDBDocumentClient.from(client) };
  return command(apiKeyStore(table), values);
}

try {
  process.stdout.write(`${await run(process.argv.slice(2))}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
