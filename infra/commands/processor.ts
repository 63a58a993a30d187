import { parseArgs } from 'node:util';
import { type CheckLine, describeLine, fulfilled, lacks } from '../../shared/domain/check-line.ts';
import type { NotificationSetup, OperatedAccount } from '../../shared/outside/processor/processor-description.ts';
import {
  keyCheckOf,
  namingExample,
  operatorsOf,
  processorNames,
  processors,
} from '../../shared/outside/processor/registry.ts';
import { loadMerchantConfig } from '../merchant-config.ts';
import { UsageError } from '../usage-error.ts';
import { commandOf, required, stageOf } from './find-table.ts';
import { type SecretTerminal, secretTerminal } from './kit/secret-input.ts';
import { answerCommandLine, type ExitCode } from './kit/terminal.ts';
import { accessTo, openDrawer, type SecretDrawer, type Shop } from './processor/desk.ts';

const usage = `Connects the live or test account of a processor with a deployed stack.

  npm run processor -- set    --merchant demo --stage live [--signing-secret]
  npm run processor -- check  --merchant demo --stage live --url https://… [--create-endpoint]
  npm run processor -- rotate --merchant demo --stage live --url https://… [--finish]
  npm run processor -- remove --merchant demo --stage live --yes

set reads the account's secret key from standard input, asks the processor whether it is valid, and stores it encrypted. It replaces an
earlier key; the functions use the new one within five minutes. With --signing-secret, it reads and stores that of an endpoint which
you have created in the processor's dashboard.
check says what works and what is missing. It fails if something is missing. --create-endpoint creates the endpoint of notifications.
rotate replaces the signing secret of notifications without losing one: both secrets are valid until --finish.
remove removes the key and the signing secrets. The stack takes no more payments and cannot pay back.
--url is the stack's PublicUrl; a stage with a custom domain needs none. --merchants names another directory of merchants.
--processor-url is where this machine plays the processor. AWS credentials and region come from the environment, as for the AWS CLI.`;

const options = {
  merchant: { type: 'string' },
  stage: { type: 'string' },
  merchants: { type: 'string' },
  url: { type: 'string' },
  'processor-url': { type: 'string' },
  'signing-secret': { type: 'boolean', default: false },
  'create-endpoint': { type: 'boolean', default: false },
  finish: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
} as const;

type Typed = ReturnType<typeof parse>['values'];

const parse = (args: string[]) => parseArgs({ args, options, allowPositionals: true });

/** What a command works with. */
interface Counter {
  typed: Typed;
  shop: Shop;
  drawer: SecretDrawer;
  terminal: SecretTerminal;
}

const say = ({ terminal }: Counter, text: string): void => terminal.out(`${text}\n`);

/** The stack's own address. */
function publicUrlOf({ typed, shop }: Counter): string {
  const { customDomain } = loadMerchantConfig(shop.merchantId, typed.merchants).stages[shop.stage];
  if (typed.url) return typed.url;
  if (customDomain) return `https://${customDomain.domainName}`;
  throw new UsageError('--url is required: the PublicUrl that "cdk deploy" printed.');
}

async function storedKey({ drawer, shop }: Counter): Promise<string> {
  const key = await drawer.key();
  if (key === undefined) throw new Error('The key is not set yet: use "set" first.');
  const fault = keyCheckOf[shop.processor](key, shop.stage);
  if (fault) throw new Error(fault);
  return key;
}

const accountOf = ({ shop, typed }: Counter, key: string): OperatedAccount =>
  operatorsOf[shop.processor].account(accessTo(key, typed['processor-url']));

/** Where the processor of this stage sends notifications. */
const endpointOf = (counter: Counter): NotificationSetup => ({
  ...counter.drawer,
  address: `${publicUrlOf(counter).replace(/\/+$/, '')}/processor/${counter.shop.processor}`,
});

async function set(counter: Counter): Promise<boolean> {
  if (counter.typed['signing-secret']) return setSigningSecret(counter);
  const { shop, terminal, drawer } = counter;
  const { title } = processors[shop.processor];
  const key = await terminal.secret(`The secret key of ${title} for ${shop.merchantId} ${shop.stage}: `);
  const fault = keyCheckOf[shop.processor](key, shop.stage);
  if (fault) throw new Error(fault);
  if (!(await accountOf(counter, key).knowsKey()))
    throw new Error(`${title} does not accept this key. Nothing is stored.`);
  await drawer.saveKey(key);
  say(counter, `The key is stored. The functions use it within five minutes. Now see what is missing with "check".`);
  return true;
}

async function setSigningSecret(counter: Counter): Promise<boolean> {
  const { shop, terminal, drawer } = counter;
  const signing = await terminal.secret(`The signing secret of the endpoint of ${shop.merchantId} ${shop.stage}: `);
  const fault = operatorsOf[shop.processor].faultOfSigningSecret(signing);
  if (fault) throw new Error(`${fault} Nothing is stored.`);
  await drawer.saveSigningSecrets([signing]);
  say(counter, 'The signing secret is stored. The functions use it within five minutes.');
  return true;
}

async function check(counter: Counter): Promise<boolean> {
  const { typed, shop, drawer } = counter;
  const { processor } = loadMerchantConfig(shop.merchantId, typed.merchants).stages[shop.stage];
  const file = `${typed.merchants ?? 'infra/merchants'}/${shop.merchantId}.json`;
  const named = processor
    ? fulfilled(`${file} names ${processor.name} for ${shop.stage}`)
    : lacks(`${file} names no processor for ${shop.stage}: add ${namingExample}, and deploy`);
  const findings = [named, ...(await checkAccountWith(counter, await drawer.key()))];
  for (const finding of findings) say(counter, describeLine(finding));
  const lacking = findings.filter(({ is }) => is === 'missing').length;
  say(counter, lacking === 0 ? 'Nothing is missing.' : `Missing: ${lacking}.`);
  return lacking === 0;
}

async function checkAccountWith(counter: Counter, key: string | undefined): Promise<CheckLine[]> {
  const { shop } = counter;
  if (key === undefined) return [lacks('the key is not set: use "set"')];
  const fault = keyCheckOf[shop.processor](key, shop.stage);
  if (fault) return [lacks(fault)];
  const account = accountOf(counter, key);
  return [...(await account.check()), ...(await checkNotifications(counter, account))];
}

async function checkNotifications(counter: Counter, account: OperatedAccount): Promise<CheckLine[]> {
  const endpoint = endpointOf(counter);
  const done = counter.typed['create-endpoint'] ? await account.ensureEndpoint(endpoint) : undefined;
  if (done !== undefined) say(counter, done);
  return account.checkEndpoint(endpoint);
}

async function rotate(counter: Counter): Promise<boolean> {
  const account = accountOf(counter, await storedKey(counter));
  const endpoint = endpointOf(counter);
  say(counter, await (counter.typed.finish ? account.finishRotation(endpoint) : account.beginRotation(endpoint)));
  return true;
}

async function remove(counter: Counter): Promise<boolean> {
  if (!counter.typed.yes)
    throw new UsageError('Without its key, the stack takes no payments and cannot pay back. Add --yes to remove it.');
  await counter.drawer.removeAll();
  say(counter, 'The key and the signing secrets are removed. Functions that run forget them within five minutes.');
  return true;
}

const commands: Readonly<Record<string, (counter: Counter) => Promise<boolean>>> = { set, check, rotate, remove };

/** A key can be set before the stage names its processor. */
function shopOf(typed: Typed): Shop {
  const [merchantId, stage] = [required(typed, 'merchant'), stageOf(typed)];
  const { processor } = loadMerchantConfig(merchantId, typed.merchants).stages[stage];
  return { merchantId, stage, processor: processor?.name ?? processorNames[0] };
}

async function run(args: string[], terminal: SecretTerminal): Promise<boolean> {
  const { positionals, values: typed } = parse(args);
  const command = commandOf(commands, positionals, usage);
  const shop = shopOf(typed);
  return command({ typed, shop, terminal, drawer: await openDrawer(shop) });
}

/** Runs `npm run processor -- …` and returns its exit code. A secret is neither an argument nor printed. */
export const runProcessor = (args: string[], terminal: SecretTerminal): Promise<ExitCode> =>
  answerCommandLine({ args, usage, to: terminal }, () => run(args, terminal));

if (import.meta.main) process.exitCode = await runProcessor(process.argv.slice(2), secretTerminal);
