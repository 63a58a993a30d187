import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Access, accessLevels, type RefundRight, usualRefunds } from '../../shared/domain/access/access.ts';
import { apiKeyIdOf } from '../../shared/domain/access/api-key.ts';
import { type Member, memberEmail } from '../../shared/domain/access/member.ts';
import { memberWithEmail, ownersOf } from '../../shared/domain/access/member-list.ts';
import { isCurrency } from '../../shared/domain/money/currency.ts';
import { type ApiKeyStore, apiKeyStore } from '../../shared/store/access/api-key-store.ts';
import { type DashboardSecretStore, dashboardSecretStore } from '../../shared/store/access/dashboard-secret-store.ts';
import { type MemberStore, memberStore } from '../../shared/store/access/member-store.ts';
import { makeOwner } from '../../shared/use-cases/access/change-members.ts';
import { revokeApiKey } from '../../shared/use-cases/access/revoke-api-key.ts';
import { rotateDashboardSecret } from '../../shared/use-cases/access/sign-in.ts';
import { UsageError } from '../usage-error.ts';
import { findTable, oneOf, stageOf, tableOptions } from './find-table.ts';
import type { CommandOutcome, ProgramCommand, TypedWords } from './kit/command.ts';
import { type Program, programOf, runProgram, type Surroundings } from './kit/program.ts';
import { type Terminal, terminal } from './kit/terminal.ts';
import { makeKey, randomLetters, recordedBy } from './made-key.ts';

const recorded = recordedBy('npm run keys');

/** Parses `no`, `yes`, or a limit per day such as `50000EUR`, in minor units. */
function refundsOf(access: Access, typed: TypedWords): RefundRight | null {
  const refunds = typed.text('refunds');
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

const create: ProgramCommand<Stores> = {
  name: 'create',
  summary: 'Creates a key and prints it. It is printed only once, and not stored.',
  options: {
    name: { value: '<name>', help: 'a name to recognize it by' },
    access: { value: '<level>', help: 'what it may do; default: write', choices: accessLevels },
    refunds: { value: '<right>', help: 'no, yes, or at most so much a day in minor units: 50000EUR' },
  },
  examples: ['create --merchant demo --stage sandbox --name "Web shop" --access write --refunds no'],
  run: async (typed, { keys }) => {
    const access = oneOf('access', typed.text('access') ?? 'write', accessLevels);
    const fields = { name: typed.needed('name'), access, refunds: refundsOf(access, typed), expiresAt: null };
    const { key, id } = await makeKey(keys, { stage: stageOf(typed), fields, recorded });
    return { text: key, json: { id, key } };
  },
};

const list: ProgramCommand<Stores> = {
  name: 'list',
  summary: 'Lists the keys by their last four characters.',
  examples: ['list --merchant demo --stage sandbox'],
  run: async (_, { keys }) => {
    const { keys: all } = await keys.list();
    const rows = all.map((key) => ({
      id: apiKeyIdOf(key),
      access: key.access,
      last_four: key.lastFour,
      state: key.revokedAt ? 'revoked' : 'in use',
      name: key.name,
    }));
    const lines = rows.map(({ id, access, last_four, state, name }) =>
      [id, access.padEnd(5), `…${last_four}`, state.padEnd(7), name].join('  '),
    );
    return { text: lines.join('\n') || 'There are no keys.', json: rows };
  },
};

const revoke: ProgramCommand<Stores> = {
  name: 'revoke',
  summary: 'Revokes a key: the next call with it is refused.',
  options: {
    id: { value: '<id>', help: 'the key: key_…' },
    descendants: { help: 'also revokes the keys that it created' },
  },
  examples: ['revoke --merchant demo --stage sandbox --id key_… --descendants'],
  run: async (typed, { keys }) => {
    const revocation = { id: typed.needed('id'), withDescendants: typed.flag('descendants') };
    const key = await revokeApiKey({ apiKeys: keys, now: () => new Date() }, revocation, (_, command) =>
      recorded(command),
    );
    const id = apiKeyIdOf(key);
    return { text: `${id} is revoked. The next call with it is refused.`, json: { id } };
  },
};

const owner: ProgramCommand<Stores> = {
  name: 'owner',
  summary: 'Makes an address an owner, for owners who lost their mailbox.',
  options: {
    email: { value: '<address>', help: 'the address' },
    confirm: { value: '<address>', help: 'the same address again; without it, nothing is changed' },
  },
  examples: ['owner --merchant demo --stage sandbox --email name@example.com --confirm name@example.com'],
  run: async (typed, { members }) => saidOnly(await giveOwnership(members, typed)),
};

const rotateSessions: ProgramCommand<Stores> = {
  name: 'rotate-sessions',
  summary: "Replaces the secret that signs the dashboard's sessions: all of them end. API keys stay.",
  examples: ['rotate-sessions --merchant demo --stage sandbox'],
  run: async (_, { dashboardSecrets }) => {
    const deps = { dashboardSecrets, newSecret: () => randomLetters(secretLetters), now: () => new Date() };
    await rotateDashboardSecret(deps, () => recorded({ command: 'session.end', subject: 'all', details: {} }));
    return saidOnly(
      'Every session of the dashboard has ended. Members and holders of keys sign in again; API keys go on working.',
    );
  },
};

const saidOnly = (text: string): CommandOutcome => ({ text, json: { message: text } });

/** Makes an address an owner. The first run only shows what would change. The second run changes it. */
async function giveOwnership(members: MemberStore, typed: TypedWords): Promise<string> {
  const email = addressOf('email', typed);
  const list = await members.list();
  const others = ownersOf(list).flatMap((owner) => (owner.email === email ? [] : owner.email));
  const stay = others.length === 0 ? 'There is no other owner.' : `These owners stay: ${others.join(', ')}.`;
  const known = memberWithEmail(list, email, new Date().toISOString());
  if (known?.role === 'owner')
    return `${email} is an owner already${signsInUntil(known)}. ${stay} Nothing was changed.`;
  if (typed.text('confirm') === undefined)
    return `${email} would become an owner. ${stay} Nothing was changed: add --confirm ${email} to do it.`;
  if (addressOf('confirm', typed) !== email)
    throw new UsageError('--confirm must be the same address as --email. Nothing was changed.');
  const deps = { members, newMemberId: () => `mbr_${randomLetters(21)}`, now: () => new Date() };
  const owner = await makeOwner(deps, email, (_, command) => recorded(command));
  return `${email} is an owner${signsInUntil(owner)}. ${stay} An owner removes them on the page Members.`;
}

const signsInUntil = ({ joinedAt, inviteEndsAt }: Member): string =>
  `, and can ask for a link on the sign-in page${joinedAt === null ? ` until ${inviteEndsAt.slice(0, 10)}` : ''}`;

function addressOf(name: 'email' | 'confirm', typed: TypedWords): string {
  const email = memberEmail(typed.needed(name));
  if (email) return email;
  throw new UsageError(`--${name} must be one e-mail address, such as name@example.com.`);
}

async function openStores(typed: TypedWords): Promise<Stores> {
  const client = new DynamoDBClient();
  const table = { name: await findTable(client, typed), client: DynamoDBDocumentClient.from(client) };
  return { keys: apiKeyStore(table), members: memberStore(table), dashboardSecrets: dashboardSecretStore(table) };
}

const keysProgram: Program<Stores, Surroundings> = programOf({
  name: 'tillstack-keys',
  file: import.meta.filename,
  invocation: 'npm run keys --',
  about: 'Manages the API keys of a deployed stack. It writes the table directly, so it can create the first key.',
  notes:
    'AWS credentials and region come from the environment, as for the AWS CLI. Use --table if the table is not found.',
  options: tableOptions,
  commands: [create, list, revoke, owner, rotateSessions],
  open: openStores,
});

/** Runs `npm run keys -- …` and returns its exit code. */
export const runKeys = (args: readonly string[], to: Terminal): Promise<number> =>
  runProgram(keysProgram, args, { terminal: to });

if (import.meta.main) process.exitCode = await runKeys(process.argv.slice(2), terminal);
