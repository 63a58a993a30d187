import { parseArgs } from 'node:util';
import { ProcessorError } from '../../shared/domain/processor.ts';
import { isRestricted, whyNotAccountKey } from '../../shared/outside/processor/stripe/account-key.ts';
import { type CheckLine, describeLine, fulfilled, lacks, remark } from '../check-line.ts';
import { loadMerchantConfig } from '../merchant-config.ts';
import { UsageError } from '../usage-error.ts';
import { commandOf, required, stageOf } from './find-table.ts';
import { type SecretTerminal, secretTerminal } from './kit/secret-input.ts';
import { answerCommandLine, type ExitCode } from './kit/terminal.ts';
import { checkAccount } from './processor/account.ts';
import { openDrawer, type SecretDrawer, type Shop, stripeOf } from './processor/desk.ts';
import { addressOf, beginRotation, checkEndpoint, ensureEndpoint, finishRotation } from './processor/endpoint.ts';
import { checkRights, endpointRight, maySeeEndpoints } from './processor/rights.ts';

const usage = `Connects the live or test account of a processor with a deployed stack.

  npm run processor -- set    --merchant demo --stage live [--signing-secret]
  npm run processor -- check  --merchant demo --stage live --url https://… [--create-endpoint]
  npm run processor -- rotate --merchant demo --stage live --url https://… [--finish]
  npm run processor -- remove --merchant demo --stage live --yes

set reads the account's secret key from standard input, asks Stripe whether it is valid, and stores it encrypted. It replaces an
earlier key; the functions use the new one within five minutes. With --signing-secret, it reads and stores that of an endpoint which
you have created in Stripe's dashboard.
check says what works and what is missing. It fails if something is missing. --create-endpoint creates the endpoint of notifications.
rotate replaces the signing secret of notifications without losing one: both secrets are valid until --finish.
remove removes the key and the signing secrets. The stack takes no more payments and cannot pay back.
--url is the stack's PublicUrl; a stage with a custom domain needs none. --merchants names another directory of merchants.
--stripe names a Stripe that is played on this machine. AWS credentials and region come from the environment, as for the AWS CLI.`;

const options = {
  merchant: { type: 'string' },
  stage: { type: 'string' },
  merchants: { type: 'string' },
  url: { type: 'string' },
  stripe: { type: 'string' },
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
  const fault = whyNotAccountKey(key, shop.stage);
  if (fault) throw new Error(fault);
  return key;
}

async function set(counter: Counter): Promise<boolean> {
  if (counter.typed['signing-secret']) return setSigningSecret(counter);
  const { shop, terminal, drawer, typed } = counter;
  const key = await terminal.secret(`The secret key of Stripe for ${shop.merchantId} ${shop.stage}: `);
  const fault = whyNotAccountKey(key, shop.stage);
  if (fault) throw new Error(fault);
  await assertAccepted(key, typed.stripe);
  await drawer.saveKey(key);
  say(counter, `The key is stored. The functions use it within five minutes. Now see what is missing with "check".`);
  return true;
}

async function setSigningSecret(counter: Counter): Promise<boolean> {
  const { shop, terminal, drawer } = counter;
  const signing = await terminal.secret(`The signing secret of the endpoint of ${shop.merchantId} ${shop.stage}: `);
  if (!/^whsec_\w{4,250}$/.test(signing)) throw new Error('A signing secret begins with whsec_. Nothing is stored.');
  await drawer.saveSigningSecrets([signing]);
  say(counter, 'The signing secret is stored. The functions use it within five minutes.');
  return true;
}

/** A key that Stripe does not know is not stored; one that lacks rights is, and `check` names them. */
async function assertAccepted(key: string, at: string | undefined): Promise<void> {
  const refused = await stripeOf(key, at)
    .get('checkout/sessions', { limit: 1 })
    .then(
      () => undefined,
      (error: unknown) => error,
    );
  if (refused instanceof ProcessorError && 'status' in refused && refused.status === 403) return;
  if (refused instanceof ProcessorError && refused.kind === 'unauthorized')
    throw new Error('Stripe does not accept this key. Nothing is stored.');
  if (refused !== undefined) throw refused;
}

async function check(counter: Counter): Promise<boolean> {
  const { typed, shop, drawer } = counter;
  const { processor } = loadMerchantConfig(shop.merchantId, typed.merchants).stages[shop.stage];
  const file = `${typed.merchants ?? 'infra/merchants'}/${shop.merchantId}.json`;
  const named = processor
    ? fulfilled(`${file} names stripe for ${shop.stage}`)
    : lacks(`${file} names no processor for ${shop.stage}: add "processor": {"name": "stripe"}, and deploy`);
  const findings = [named, ...(await checkStripe(counter, await drawer.key()))];
  for (const finding of findings) say(counter, describeLine(finding));
  const lacking = findings.filter(({ is }) => is === 'missing').length;
  say(counter, lacking === 0 ? 'Nothing is missing.' : `Missing: ${lacking}.`);
  return lacking === 0;
}

async function checkStripe(counter: Counter, key: string | undefined): Promise<CheckLine[]> {
  const { shop, typed } = counter;
  if (key === undefined) return [lacks('the key is not set: use "set"')];
  const fault = whyNotAccountKey(key, shop.stage);
  if (fault) return [lacks(fault)];
  const kind = isRestricted(key)
    ? fulfilled(`the key is restricted, and of the ${shop.stage} stage’s mode`)
    : remark('the key is not restricted: who has it can do everything. Create a restricted one');
  const stripe = stripeOf(key, typed.stripe);
  return [
    kind,
    ...(await checkRights(stripe)),
    ...(await checkAccount(stripe)),
    ...(await checkNotifications(counter, key)),
  ];
}

async function checkNotifications(counter: Counter, key: string): Promise<CheckLine[]> {
  const { typed, drawer } = counter;
  const stripe = stripeOf(key, typed.stripe);
  const address = addressOf(publicUrlOf(counter));
  if (!(await maySeeEndpoints(stripe)))
    return [
      remark(
        `the key may not see endpoints (${endpointRight.resource}: ${endpointRight.access}): see in Stripe’s dashboard that one is at ${address}`,
      ),
    ];
  if (typed['create-endpoint']) say(counter, await ensureEndpoint(stripe, address, drawer));
  return checkEndpoint(stripe, address, drawer);
}

async function rotate(counter: Counter): Promise<boolean> {
  const stripe = stripeOf(await storedKey(counter), counter.typed.stripe);
  const turn = counter.typed.finish ? finishRotation : beginRotation;
  say(counter, await turn(stripe, addressOf(publicUrlOf(counter)), counter.drawer));
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

async function run(args: string[], terminal: SecretTerminal): Promise<boolean> {
  const { positionals, values: typed } = parse(args);
  const command = commandOf(commands, positionals, usage);
  const shop = { merchantId: required(typed, 'merchant'), stage: stageOf(typed) };
  return command({ typed, shop, terminal, drawer: await openDrawer(shop) });
}

/** Runs `npm run processor -- …` and returns its exit code. A secret is neither an argument nor printed. */
export const runProcessor = (args: string[], terminal: SecretTerminal): Promise<ExitCode> =>
  answerCommandLine({ args, usage, to: terminal }, () => run(args, terminal));

if (import.meta.main) process.exitCode = await runProcessor(process.argv.slice(2), secretTerminal);
