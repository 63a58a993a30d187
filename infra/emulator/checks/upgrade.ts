import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { root } from '../command.ts';
import type { Emulator } from '../emulator.ts';
import type { DeployedStack } from '../stack.ts';
import { ask } from './ask.ts';
import { expectThat } from './expectation.ts';

/** The template and the table of version 0.1. */
const fixtures = join(root, 'test/upgrade/v0.1');

const Resources = z.array(z.tuple([z.string(), z.string(), z.string(), z.string().nullable()]));
const Keys = z.array(z.string());
const Manifest = z.object({
  keys: z.object({ write: z.string(), revoked: z.string() }),
  payments: z.record(z.string(), z.string()),
});
const Paid = z.object({ total_amount: z.int(), refund_status: z.string().nullable() });

/** Resource types that an upgrade must not replace. */
const kept =
  /::(Table|Bucket|EventBus|Archive|Api|Stage|Route|Integration|EventSourceMapping|Queue|LogGroup|CloudFormation::Stack)$/;

/** Routes of version 0.1 that were given up: webhook events moved to /webhook-events. */
const moved = /^Http(GET|POST)events(id|idresend)?(Integration)?[0-9A-F]{8}$/;

/** Its log groups for each function. All functions write to one now, and a log holds nothing that must stay. */
const functionLog = /Logs[0-9A-F]{8}$/;

/** The resources of a stack of version 0.1. */
type OldResources = z.infer<typeof Resources>;

/** Deploys a stack of version 0.1 with its data: the whole template, but with one-line functions. */
export async function deployVersion01(emulator: Emulator, stackName: string): Promise<OldResources> {
  return Resources.parse(await emulator.python('upgrade.py', ['deploy', fixtures, stackName]));
}

/** Today's stack has taken the place of version 0.1: the same things, every row, and old keys and payments work. */
export async function expectUpgraded(emulator: Emulator, stack: DeployedStack, before: OldResources): Promise<void> {
  const after = Resources.parse(await emulator.python('upgrade.py', ['resources', stack.name]));
  const identities = (resources: OldResources) => new Set(resources.map((resource) => resource.join(' ')));
  const wanted = before.filter(([, id, type]) => kept.test(type) && !moved.test(id) && !functionLog.test(id));
  const now = identities(after);
  const lost = [...identities(wanted)].filter((identity) => !now.has(identity));
  expectThat(`${wanted.length} resources of version 0.1 are the same ones`, [lost, wanted.length > 150], [[], true]);
  const rows = new Set(Keys.parse(await emulator.python('upgrade.py', ['rows', stack.tableName])));
  const missing = oldKeys().filter((key) => !rows.has(key));
  expectThat('no row of version 0.1 is lost', missing, []);
  await expectOldKeyWorks(stack);
}

async function expectOldKeyWorks(stack: DeployedStack): Promise<void> {
  const { keys, payments } = Manifest.parse(JSON.parse(readFileSync(join(fixtures, 'manifest.json'), 'utf8')));
  const path = `/payments/${payments['chosen']}`;
  expectThat('a revoked key stays out', (await ask(stack, keys.revoked, `GET ${path}`)).status, 401);
  const shown = await ask(stack, keys.write, `GET ${path}`);
  expectThat('an old key opens an old payment', [shown.status, Paid.parse(shown.body).total_amount], [200, 2_000]);
  const refund = await ask(stack, keys.write, 'POST /refunds', { payment_id: payments['chosen'] });
  const paid = Paid.parse((await ask(stack, keys.write, `GET ${path}`)).body);
  expectThat('an old payment is refunded', [refund.status, paid.refund_status], [200, 'full']);
}

const Row = z.object({ pk: z.object({ S: z.string() }), sk: z.object({ S: z.string() }) });

const oldKeys = (): string[] =>
  readFileSync(join(fixtures, 'table.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => Row.parse(JSON.parse(line)))
    .map(({ pk, sk }) => `${pk.S} ${sk.S}`);
