import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { quoted, root } from '../command.ts';
import type { Emulator } from '../emulator.ts';
import { createKey, type DeployedStack, deploy, run } from '../stack.ts';
import { ask } from './ask.ts';
import { expectThat } from './expectation.ts';

/** The commit with the title "Release 0.2.0". */
const version020 = '97cf8f7a';

const folder = join(root, '.data/emulator/version-0-2-0');

const Resources = z.array(z.tuple([z.string(), z.string(), z.string(), z.string().nullable()]));
const Keys = z.array(z.string());
const Paid = z.object({ total_amount: z.int(), refund_status: z.string().nullable() });

/** Resource types that an upgrade must not replace. */
const kept =
  /::(Table|Bucket|EventBus|Archive|Api|Stage|Route|Integration|EventSourceMapping|Queue|LogGroup|CloudFormation::Stack)$/;

/** A stack of version 0.2.0 with a purchase in it. */
interface OldShop {
  resources: z.infer<typeof Resources>;
  rows: string[];
  key: string;
  paymentId: string;
}

/** Unpacks the sources of version 0.2.0. They run with the current packages. */
async function unpack(emulator: Emulator): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await run(emulator, `git archive ${version020} | tar -x -C ${quoted(folder)}`);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
}

/** Deploys the demo merchant from the sources of version 0.2.0, and makes a purchase. */
export async function deployVersion020(emulator: Emulator): Promise<OldShop> {
  await unpack(emulator);
  const demo = { merchant: 'demo', folder };
  await run(emulator, `cd ${quoted(folder)} && npx cdk bootstrap -c merchant=demo -c stage=sandbox`);
  const stack = await deploy(emulator, demo);
  const key = await createKey(emulator, demo);
  const paymentId = await buy(stack, key);
  return { key, paymentId, resources: await resourcesOf(emulator, stack), rows: await rowsOf(emulator, stack) };
}

async function buy(stack: DeployedStack, key: string): Promise<string> {
  const price = { type: 'one_time_price', currency: 'EUR', price: 2_000, tax_inclusive: true };
  const atlas = { name: 'Atlas', description: 'An example product.', price, tax_category: 'e_book' };
  const product = await ask(stack, key, 'POST /products', atlas);
  const { product_id } = z.object({ product_id: z.string() }).parse(product.body);
  const opened = await ask(stack, key, 'POST /checkouts', { product_cart: [{ product_id, quantity: 1 }] });
  const { session_id } = z.object({ session_id: z.string() }).parse(opened.body);
  const paid = await ask(stack, key, `POST /checkout/${session_id}/pay`, {
    customer: { email: 'buyer@example.com', name: 'A Buyer' },
    billing_address: { country: 'DE' },
    test_card: '4242',
  });
  return z.object({ payment_id: z.string() }).parse(paid.body).payment_id;
}

const resourcesOf = async (emulator: Emulator, { name }: DeployedStack) =>
  Resources.parse(await emulator.python('upgrade.py', ['resources', name]));

const rowsOf = async (emulator: Emulator, { tableName }: DeployedStack) =>
  Keys.parse(await emulator.python('upgrade.py', ['rows', tableName]));

/**
 * Expects that the current stack has replaced version 0.2.0. It has the same resources and every row, and old keys and
 * payments work.
 */
export async function expectUpgraded(emulator: Emulator, stack: DeployedStack, before: OldShop): Promise<void> {
  const identities = (resources: OldShop['resources']) => resources.map((resource) => resource.join(' '));
  const wanted = identities(before.resources.filter(([, , type]) => kept.test(type)));
  const now = new Set(identities(await resourcesOf(emulator, stack)));
  const lost = wanted.filter((identity) => !now.has(identity));
  expectThat(`${wanted.length} resources of version 0.2.0 are the same ones`, [lost, wanted.length > 150], [[], true]);
  const rows = new Set(await rowsOf(emulator, stack));
  expectThat(
    'no row of version 0.2.0 is lost',
    before.rows.filter((row) => !rows.has(row)),
    [],
  );
  await expectOldKeyWorks(stack, before);
}

async function expectOldKeyWorks(stack: DeployedStack, { key, paymentId }: OldShop): Promise<void> {
  const path = `/payments/${paymentId}`;
  const shown = await ask(stack, key, `GET ${path}`);
  expectThat('an old key opens an old payment', [shown.status, Paid.parse(shown.body).total_amount], [200, 2_000]);
  const refund = await ask(stack, key, 'POST /refunds', { payment_id: paymentId });
  const paid = Paid.parse((await ask(stack, key, `GET ${path}`)).body);
  expectThat('an old payment is refunded', [refund.status, paid.refund_status], [200, 'full']);
}
