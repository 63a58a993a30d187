import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { apiKeyIdOf, createApiKey, findApiKey, revokeApiKey } from '../shared/domain/api-key.ts';
import { formatApiKey, hashApiKey } from '../shared/http/api-key.ts';
import { type ApiKeyStore, apiKeyStore } from '../shared/store/api-key-store.ts';
import { findTable, oneOf, required, stageOf, tableOptions } from './find-table.ts';

const usage = `API keys of a deployed stack, by the table itself: for the first key, and for when there is none left.

  npm run keys -- create --merchant demo --stage sandbox --name "Web shop" [--access write]
  npm run keys -- list   --merchant demo --stage sandbox
  npm run keys -- revoke --merchant demo --stage sandbox --id key_…

AWS credentials and region come from the environment, as for the AWS CLI. --table names the table, if it cannot be found.
A new key is printed once, here, and kept nowhere.`;

const options = {
  ...tableOptions,
  name: { type: 'string' },
  access: { type: 'string', default: 'write' },
  id: { type: 'string' },
} as const;

type Typed = ReturnType<typeof parse>['values'];

const parse = (args: string[]) => parseArgs({ args, options, allowPositionals: true });

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
