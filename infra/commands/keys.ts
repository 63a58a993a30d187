import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Access, accessLevels, type RefundRight, usualRefunds } from '../../shared/domain/access/access.ts';
import { apiKeyIdOf, newApiKey } from '../../shared/domain/access/api-key.ts';
import type { AuditedCommand } from '../../shared/domain/access/audit.ts';
import { type Member, memberEmail } from '../../shared/domain/access/member.ts';
import { memberWithEmail, ownersOf } from '../../shared/domain/access/member-list.ts';
import { base62 } from '../../shared/domain/base62.ts';
import type { CommandRecord } from '../../shared/domain/idempotency.ts';
import { isCurrency } from '../../shared/domain/money/currency.ts';
import { formatApiKey, hashApiKey } from '../../shared/http/api-key.ts';
import { type ApiKeyStore, apiKeyStore } from '../../shared/store/access/api-key-store.ts';
import { type DashboardSecretStore, dashboardSecretStore } from '../../shared/store/access/dashboard-secret-store.ts';
import { type MemberStore, memberStore } from '../../shared/store/access/member-store.ts';
import { makeOwner } from '../../shared/use-cases/access/change-members.ts';
import { keyMade } from '../../shared/use-cases/access/create-api-key.ts';
import { revokeApiKey } from '../../shared/use-cases/access/revoke-api-key.ts';
import { rotateDashboardSecret } from '../../shared/use-cases/access/sign-in.ts';
import { UsageError } from '../usage-error.ts';
import { commandOf, findTable, oneOf, required, stageOf, tableOptions } from './find-table.ts';
import { answerCommandLine, type ExitCode, type Terminal, terminal } from './kit/terminal.ts';

const usage = `Manages the API keys of a deployed stack. It writes the table directly, so it can create the first key.

  npm run keys -- create --merchant demo --stage sandbox --name "Web shop" [--access read|write|admin] [--refunds no]
  npm run keys -- list   --merchant demo --stage sandbox
  npm run keys -- revoke --merchant demo --stage sandbox --id key_… [--descendants]
  npm run keys -- owner  --merchant demo --stage sandbox --email name@example.com [--confirm name@example.com]
  npm run keys -- rotate-sessions --merchant demo --stage sandbox

AWS credentials and region come from the environment, as for the AWS CLI. Use --table if the table is not found.
A new key is printed only once. It is not stored.
The command owner is for owners who lost their mailbox: it makes an address an owner, and changes nothing without --confirm.
The command rotate-sessions replaces the secret that signs the dashboard's sessions: all of them end. API keys stay.`;

const options = {
  ...tableOptions,
  name: { type: 'string' },
  access: { type: 'string', default: 'write' },
  refunds: { type: 'string' },
  id: { type: 'string' },
  descendants: { type: 'boolean', default: false },
  email: { type: 'string' },
  confirm: { type: 'string' },
} as const;

type Typed = ReturnType<typeof parse>['values'];

const parse = (args: string[]) => parseArgs({ args, options, allowPositionals: true });

const randomText = (length: number): string => Array.from({ length }, () => base62[randomInt(base62.length)]).join('');

/** The audit entry of a command here. */
const recorded = (command: AuditedCommand | null): CommandRecord[] => {
  const by = { keyId: null, memberId: null, keyName: 'npm run keys', via: 'command_line' as const };
  return command ? [{ audit: { ...command, id: `aud_${randomText(21)}`, at: new Date().toISOString(), by } }] : [];
};

/** `no`, `yes`, or at most so much a day: `50000EUR` in minor units. */
function refundsOf(access: Access, { refunds }: Typed): RefundRight | null {
  if (refunds === undefined) return usualRefunds(access);
  if (refunds === 'no') return null;
  if (refunds === 'yes') return { perDay: null };
  const [, amount, currency] = /^([1-9]\d{0,11})([A-Z]{3})$/.exec(refunds) ?? [];
  if (currency && isCurrency(currency)) return { perDay: { amount: Number(amount), currency } };
  throw new UsageError('--refunds must be no, yes, or a daily limit in minor units, such as 50000EUR.');
}

const secretLetters = 43;

interface Stores {
  keys: ApiKeyStore;
  members: MemberStore;
  dashboardSecrets: DashboardSecretStore;
}

const commands: Record<string, (stores: Stores, typed: Typed) => Promise<string>> = {
  create: async ({ keys }, typed) => {
    const key = formatApiKey(stageOf(typed), randomText(32));
    const access = oneOf('access', typed.access, accessLevels);
    const fields = { name: required(typed, 'name'), access, refunds: refundsOf(access, typed), expiresAt: null };
    const origin = { hash: hashApiKey(key), lastFour: key.slice(-4), createdBy: null, now: new Date().toISOString() };
    const made = newApiKey(fields, origin);
    await keys.save(made, recorded(keyMade(made)));
    return key;
  },
  list: async ({ keys }) => {
    const { keys: all } = await keys.list();
    const lines = all.map((key) =>
      [apiKeyIdOf(key), key.access.padEnd(5), `…${key.lastFour}`, key.revokedAt ? 'revoked' : 'in use ', key.name].join(
        '  ',
      ),
    );
    return lines.join('\n') || 'There are no keys.';
  },
  revoke: async ({ keys }, typed) => {
    const revocation = { id: required(typed, 'id'), withDescendants: typed.descendants };
    const key = await revokeApiKey({ apiKeys: keys, now: () => new Date() }, revocation, (_, command) =>
      recorded(command),
    );
    return `${apiKeyIdOf(key)} is revoked. The next call with it is refused.`;
  },
  owner: ({ members }, typed) => giveOwnership(members, typed),
  'rotate-sessions': async ({ dashboardSecrets }) => {
    const deps = { dashboardSecrets, newSecret: () => randomText(secretLetters), now: () => new Date() };
    await rotateDashboardSecret(deps, () => recorded({ command: 'session.end', subject: 'all', details: {} }));
    return 'Every session of the dashboard has ended. Members and holders of keys sign in again; API keys go on working.';
  },
};

/** Makes an address an owner once it was typed twice. The first time, says what would change. */
async function giveOwnership(members: MemberStore, typed: Typed): Promise<string> {
  const email = addressOf('email', typed);
  const list = await members.list();
  const others = ownersOf(list).flatMap((owner) => (owner.email === email ? [] : owner.email));
  const stay = others.length === 0 ? 'There is no other owner.' : `These owners stay: ${others.join(', ')}.`;
  const known = memberWithEmail(list, email, new Date().toISOString());
  if (known?.role === 'owner')
    return `${email} is an owner already${signsInUntil(known)}. ${stay} Nothing was changed.`;
  if (typed.confirm === undefined)
    return `${email} would become an owner. ${stay} Nothing was changed: add --confirm ${email} to do it.`;
  if (addressOf('confirm', typed) !== email)
    throw new UsageError('--confirm must be the same address as --email. Nothing was changed.');
  const deps = { members, newMemberId: () => `mbr_${randomText(21)}`, now: () => new Date() };
  const owner = await makeOwner(deps, email, (_, command) => recorded(command));
  return `${email} is an owner${signsInUntil(owner)}. ${stay} An owner removes them on the page Members.`;
}

const signsInUntil = ({ joinedAt, inviteEndsAt }: Member): string =>
  `, and can ask for a link on the sign-in page${joinedAt === null ? ` until ${inviteEndsAt.slice(0, 10)}` : ''}`;

function addressOf(name: 'email' | 'confirm', typed: Typed): string {
  const email = memberEmail(required(typed, name));
  if (email) return email;
  throw new UsageError(`--${name} must be one e-mail address, such as name@example.com.`);
}

async function run(args: string[]): Promise<string> {
  const { positionals, values } = parse(args);
  const command = commandOf(commands, positionals, usage);
  const client = new DynamoDBClient();
  const table = { name: await findTable(client, values), client: DynamoDBDocumentClient.from(client) };
  const dashboardSecrets = dashboardSecretStore(table);
  return command({ keys: apiKeyStore(table), members: memberStore(table), dashboardSecrets }, values);
}

/** Runs `npm run keys -- …` and returns its exit code. */
export const runKeys = (args: string[], to: Terminal): Promise<ExitCode> =>
  answerCommandLine({ args, usage, to }, async () => {
    to.out(`${await run(args)}\n`);
    return true;
  });

if (import.meta.main) process.exitCode = await runKeys(process.argv.slice(2), terminal);
