import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { end, endOnSignals, isEnding, untilTheEnd } from '../local/demo/lifetime.ts';
import { type Receiver, startReceiver } from '../local/demo/receiver.ts';
import { registerReceiver } from '../local/demo/seed.ts';
import { type FakeStripe, startFakeStripe } from '../local/stripe/fake-stripe.ts';
import { expectDashboard } from './checks/dashboard.ts';
import { deployCommands, emulatorGaps } from './checks/docs.ts';
import { restoreDrill } from './checks/drill.ts';
import { expectThat, failures } from './checks/expectation.ts';
import { expectEnforcement, expectIsolation, type IsolatedShop } from './checks/isolation.ts';
import { expectCleanLogs, expectFollowed, linesOf } from './checks/logs.ts';
import { expectStripe } from './checks/processor.ts';
import { expectSweep, publishImage, purchase, purchaseThatTakesAWhile } from './checks/purchase.ts';
import { deployVersion020, expectUpgraded } from './checks/upgrade.ts';
import { CommandError, root } from './command.ts';
import { type Emulator, startEmulator } from './emulator.ts';
import { announce, say, timed, timings } from './say.ts';
import { clientOf, createKey, type DeployedStack, deploy, destroy, keyIn, readOutputs, run } from './stack.ts';

const usage = `Deploys the demo merchant over version 0.2.0 to an AWS emulator on this machine, buys there, and removes the stack again.

  npm run deploy:emulator              the whole walk; fails if any check fails
  npm run deploy:emulator -- --wait    only the emulator and a played Stripe, to deploy by hand in another terminal`;

/** The folder for the merchants of this run, besides the merchants of the repository. */
const merchants = join(root, '.data/emulator/merchants');

function writeMerchant(id: string, name: string, sandbox: object = {}): { merchant: string; merchants: string } {
  const demo = JSON.parse(readFileSync(join(root, 'infra/merchants/demo.json'), 'utf8'));
  const stages = { ...demo.stages, sandbox: { ...demo.stages.sandbox, ...sandbox } };
  mkdirSync(merchants, { recursive: true });
  writeFileSync(join(merchants, `${id}.json`), JSON.stringify({ merchant: { ...demo.merchant, id, name }, stages }));
  return { merchant: id, merchants };
}

/**
 * Runs the deployment commands in docs/operators.md: bootstrap, deployment, first key. If version 0.2.0 is deployed,
 * they upgrade it in place.
 */
async function deployByTheDocs(emulator: Emulator): Promise<{ stack: DeployedStack; key: string }> {
  let said = '';
  for (const command of deployCommands())
    said += await timed(`docs/operators.md: ${command}`, () => run(emulator, command));
  return { stack: readOutputs(said), key: keyIn(said) };
}

async function connect(shop: Pick<IsolatedShop, 'stack' | 'key'>): Promise<Receiver> {
  const receiver = await untilTheEnd(startReceiver());
  receiver.setSecret(await registerReceiver(clientOf(shop.stack, shop.key), receiver.url));
  return receiver;
}

async function shopIn(stack: DeployedStack, key: string): Promise<IsolatedShop & { receiver: Receiver }> {
  const receiver = await connect({ stack, key });
  const bought = await purchase(clientOf(stack, key), receiver);
  await publishImage(stack, key, bought.productId);
  return { stack, key, receiver, ...bought };
}

async function redeploy(emulator: Emulator, shop: IsolatedShop): Promise<void> {
  const stack = await deploy(emulator, writeMerchant('demo', 'Example Books & Maps'));
  expectThat('its address and its table are the same', stack, shop.stack);
  const payment = await clientOf(stack, shop.key).get(`/payments/${shop.paymentId}`);
  expectThat('the payment is still there', (payment as { status: string }).status, 'succeeded');
  const page = await (await fetch(`${stack.publicUrl}/dashboard/sign-in`)).text();
  expectThat('the dashboard has the new name', page.includes('Example Books &amp; Maps'), true);
}

/** Reads the functions' logs. After a failure, the errors in them show the cause. */
let readLogs = async (): Promise<string[]> => [];

async function walk(): Promise<void> {
  const stripe = await untilTheEnd(startFakeStripe());
  const starting = () => untilTheEnd(startEmulator({ PROCESSOR_URL: stripe.url }));
  const emulator = await timed('Starting the emulator', starting);
  const old = await timed('Version 0.2.0, with data', () => deployVersion020(emulator));
  const { stack, key } = await deployByTheDocs(emulator);
  readLogs = () => linesOf(emulator, stack);
  await timed('Version 0.2.0 is upgraded in place', () => expectUpgraded(emulator, stack, old));
  const first = await timed('A purchase, a refund, an image', () => shopIn(stack, key));
  const slow = await purchaseThatTakesAWhile(clientOf(stack, key));
  await timed('The dashboard', () => expectDashboard(stack, first));
  const second = await timed('A second merchant beside it', async () => {
    const deployed = await deploy(emulator, writeMerchant('second', 'Second Hand Records'));
    return shopIn(deployed, await createKey(emulator, { merchant: 'second' }));
  });
  await timed('The second takes payments by Stripe', async () => {
    const named = writeMerchant('second', 'Second Hand Records', { processor: { name: 'stripe' } });
    const stack = await deploy(emulator, named);
    await expectStripe(emulator, { ...named, stack, key: second.key }, stripe);
  });
  await timed('Neither sees the other', () => expectIsolation(emulator, [first, second]));
  await timed('Deployed again after a change', () => redeploy(emulator, first));
  await timed('The sweep', () => expectSweep(first.receiver, slow));
  await timed('A restore drill', () => restoreDrill(emulator, first));
  await timed('The logs', async () => expectCleanLogs(await linesOf(emulator, stack)));
  await timed('A payment is followed', () => expectFollowed(emulator, stack, first.paymentId));
  await timed('Roles are enforced', () => expectEnforcement(emulator, second, first));
  await timed('Both are removed', async () => {
    await destroy(emulator, second.stack, { merchant: 'second', merchants });
    await destroy(emulator, stack, { merchant: 'demo' });
    expectThat('no stack is left', await stacksLeft(emulator), []);
  });
}

interface Stacks {
  StackSummaries: { StackName: string; StackStatus: string }[];
}

async function stacksLeft(emulator: Emulator): Promise<string[]> {
  const { StackSummaries: all } = (await emulator.call('cloudformation', 'list_stacks', {})) as Stacks;
  return all
    .filter(({ StackName, StackStatus }) => StackName.startsWith('tillstack') && StackStatus !== 'DELETE_COMPLETE')
    .map(({ StackName }) => StackName);
}

function summarize(): void {
  announce('Summary');
  for (const { step, seconds } of timings) say(`  ${seconds.toFixed(1).padStart(6)} s  ${step}`);
  say('\nWhat this emulator cannot show, in docs/emulator-gaps.md:');
  for (const gap of emulatorGaps()) say(`  - ${gap}`);
  for (const failure of failures) say(`\nFAILED: ${failure}`);
  if (failures.length === 0) say('\nEvery check passed.');
}

const readyText = (emulator: Emulator, stripe: FakeStripe): string => `The emulator is ready. In another terminal:

  source ${emulator.environmentFile}

Stripe is played, with the key ${stripe.key}. End the commands "processor" and "books" with

  --processor-url ${stripe.url}

Press Ctrl-C to stop both. Everything in them is lost.`;

/** Runs only the emulator and the fake Stripe, until they are stopped. */
async function wait(): Promise<void> {
  const stripe = await untilTheEnd(startFakeStripe());
  const emulator = await untilTheEnd(startEmulator({ PROCESSOR_URL: stripe.url }));
  setInterval(() => void stripe.tick().catch(() => {}), 1_000).unref();
  say(readyText(emulator, stripe));
  await new Promise<never>(() => {});
}

const [option] = process.argv.slice(2);
endOnSignals();
try {
  if (option === undefined) await walk();
  else if (option === '--wait') await wait();
  else say(usage);
} catch (error) {
  if (!isEnding()) failures.push(error instanceof CommandError ? error.message : inspect(error));
  for (const line of await readLogs().catch(() => [])) if (/"level":"error"|Error/i.test(line)) say(`  log: ${line}`);
}
if (option === undefined && !isEnding()) summarize();
await end(failures.length === 0 ? 0 : 1);
