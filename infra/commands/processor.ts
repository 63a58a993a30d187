import { randomUUID } from 'node:crypto';
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
import { merchantsOption, processorUrlOption, stageOf, tableOptions } from './find-table.ts';
import type { ProgramCommand, TypedWords } from './kit/command.ts';
import { type Program, programOf, runProgram } from './kit/program.ts';
import { type SecretTerminal, secretTerminal } from './kit/secret-input.ts';
import { type Spoken, spoken, spokenOn } from './kit/spoken.ts';
import { type Arrivals, arrivalsInTable, hasArrived } from './processor/arrivals.ts';
import { accessTo, openSecrets, type Shop, type StoredSecrets } from './processor/stored-secrets.ts';

/** The context of a command. */
interface ProcessorContext {
  typed: TypedWords;
  spoken: Spoken;
  shop: Shop;
  secrets: StoredSecrets;
  terminal: SecretTerminal;
  arrivals: Arrivals;
}

const say = (context: ProcessorContext, text: string): void => context.spoken.say(text);

/** The public address of the stack. */
function publicUrlOf({ typed, shop }: ProcessorContext): string {
  const { customDomain } = loadMerchantConfig(shop.merchantId, typed.text('merchants')).stages[shop.stage];
  const url = typed.text('url');
  if (url) return url;
  if (customDomain) return `https://${customDomain.domainName}`;
  throw new UsageError('--url is required: the PublicUrl that "cdk deploy" printed.');
}

async function storedKey({ secrets, shop }: ProcessorContext): Promise<string> {
  const key = await secrets.key();
  if (key === undefined) throw new Error('The key is not set yet: use "set" first.');
  const fault = keyCheckOf[shop.processor](key, shop.stage);
  if (fault) throw new Error(fault);
  return key;
}

const accountOf = ({ shop, typed }: ProcessorContext, key: string): OperatedAccount =>
  operatorsOf[shop.processor].account(accessTo(key, typed.text('processor-url')));

/** The address to which the processor of this stage sends notifications. */
const endpointOf = (context: ProcessorContext): NotificationSetup => ({
  ...context.secrets,
  address: `${publicUrlOf(context).replace(/\/+$/, '')}/processor/${context.shop.processor}`,
});

async function set(context: ProcessorContext): Promise<boolean> {
  if (context.typed.flag('signing-secret')) return setSigningSecret(context);
  const { shop, terminal, secrets } = context;
  const { title } = processors[shop.processor];
  const key = await terminal.secret(`The secret key of ${title} for ${shop.merchantId} ${shop.stage}: `);
  const fault = keyCheckOf[shop.processor](key, shop.stage);
  if (fault) throw new Error(fault);
  if (!(await accountOf(context, key).knowsKey()))
    throw new Error(`${title} does not accept this key. Nothing is stored.`);
  await secrets.saveKey(key);
  say(context, `The key is stored. The functions use it within five minutes. Now see what is missing with "check".`);
  return true;
}

async function setSigningSecret(context: ProcessorContext): Promise<boolean> {
  const { shop, terminal, secrets } = context;
  const signing = await terminal.secret(`The signing secret of the endpoint of ${shop.merchantId} ${shop.stage}: `);
  const fault = operatorsOf[shop.processor].faultOfSigningSecret(signing);
  if (fault) throw new Error(`${fault} Nothing is stored.`);
  await secrets.saveSigningSecrets([signing]);
  say(context, 'The signing secret is stored. The functions use it within five minutes.');
  return true;
}

async function check(context: ProcessorContext): Promise<boolean> {
  const { typed, shop, secrets } = context;
  const { processor } = loadMerchantConfig(shop.merchantId, typed.text('merchants')).stages[shop.stage];
  const file = `${typed.text('merchants') ?? 'infra/merchants'}/${shop.merchantId}.json`;
  const named = processor
    ? fulfilled(`${file} names ${processor.name} for ${shop.stage}`)
    : lacks(`${file} names no processor for ${shop.stage}: add ${namingExample}, and deploy`);
  const findings = [named, ...(await checkAccountWith(context, await secrets.key()))];
  for (const finding of findings) say(context, describeLine(finding));
  const lacking = findings.filter(({ is }) => is === 'missing').length;
  say(context, lacking === 0 ? 'Nothing is missing.' : `Missing: ${lacking}.`);
  return lacking === 0;
}

async function checkAccountWith(context: ProcessorContext, key: string | undefined): Promise<CheckLine[]> {
  const { shop } = context;
  if (key === undefined) return [lacks('the key is not set: use "set"')];
  const fault = keyCheckOf[shop.processor](key, shop.stage);
  if (fault) return [lacks(fault)];
  const account = accountOf(context, key);
  const found = [...(await account.check()), ...(await checkNotifications(context, account))];
  return [...found, ...(await tryNotification(context, account))];
}

/** Tries a sale that nobody can pay, and waits for the processor's notification about it. */
async function tryNotification(context: ProcessorContext, account: OperatedAccount): Promise<CheckLine[]> {
  const { shop, arrivals, secrets } = context;
  if ((await secrets.signingSecrets()).length === 0)
    return [lacks('whether a notification arrives is not tried, because the signing secret is not stored')];
  const probeId = randomUUID();
  const shopUrl = publicUrlOf(context);
  const { isSent, lines } = await account.probe({ probeId, merchantId: shop.merchantId, shopUrl, now: new Date() });
  if (!isSent) return lines;
  const isHere = await hasArrived(arrivals, probeId);
  return [
    ...lines,
    isHere
      ? fulfilled('a notification has arrived, and its signature is verified')
      : lacks(
          `no verified notification has arrived within ${arrivals.patienceMs / 1_000} seconds: ${processors[shop.processor].title}’s dashboard, Developers → Webhooks, shows what the stack answered. 401: another endpoint’s signing secret is stored; store this one’s by set --signing-secret, or wait five minutes if it was just stored. 404 or nothing: the address is wrong, or an earlier version is deployed`,
        ),
  ];
}

async function checkNotifications(context: ProcessorContext, account: OperatedAccount): Promise<CheckLine[]> {
  const endpoint = endpointOf(context);
  const done = context.typed.flag('create-endpoint') ? await account.ensureEndpoint(endpoint) : undefined;
  if (done !== undefined) say(context, done);
  return account.checkEndpoint(endpoint);
}

async function rotate(context: ProcessorContext): Promise<boolean> {
  const account = accountOf(context, await storedKey(context));
  const endpoint = endpointOf(context);
  say(
    context,
    await (context.typed.flag('finish') ? account.finishRotation(endpoint) : account.beginRotation(endpoint)),
  );
  return true;
}

async function remove(context: ProcessorContext): Promise<boolean> {
  if (!context.typed.flag('yes'))
    throw new UsageError('Without its key, the stack takes no payments and cannot pay back. Add --yes to remove it.');
  await context.secrets.removeAll();
  say(context, 'The key and the signing secrets are removed. Functions that run forget them within five minutes.');
  return true;
}

const url = { value: '<address>', help: 'the PublicUrl of the stack; a stage with a custom domain needs none' };

const commands: readonly ProgramCommand<ProcessorContext>[] = [
  {
    name: 'set',
    summary: "Reads the account's secret key from standard input, and stores it encrypted.",
    options: {
      'signing-secret': {
        help: "stores the signing secret of an endpoint that you have created in the processor's dashboard",
      },
    },
    details: `It asks the processor whether the key is valid. The key replaces an earlier one; the functions use it within five
minutes.`,
    examples: ['set --merchant demo --stage live', 'set --merchant demo --stage live --signing-secret'],
    run: spoken(set),
  },
  {
    name: 'check',
    summary: 'Says what works and what is missing, in the order to mend it. It fails if something is missing.',
    details: `It opens a payment page that nobody gets, and closes it, to see that a sale can begin and that the notification
about it arrives. No money moves.`,
    options: { url, 'create-endpoint': { help: 'creates the endpoint of notifications' } },
    examples: ['check --merchant demo --stage live --url https://… --create-endpoint'],
    run: spoken(check),
  },
  {
    name: 'rotate',
    summary: 'Replaces the signing secret of notifications without losing one.',
    options: { url, finish: { help: 'ends the time in which both secrets are valid' } },
    examples: [
      'rotate --merchant demo --stage live --url https://…',
      'rotate --merchant demo --stage live --url https://… --finish',
    ],
    run: spoken(rotate),
  },
  {
    name: 'remove',
    summary: 'Removes the key and the signing secrets. The stack takes no more payments and cannot pay back.',
    options: { yes: { help: 'removes them' } },
    examples: ['remove --merchant demo --stage live --yes'],
    run: spoken(remove),
  },
];

/**
 * The merchant, the stage and the name of its processor. If the stage names no processor yet, this uses the first known
 * one. So a key can be stored before that.
 */
function shopOf(typed: TypedWords): Shop {
  const [merchantId, stage] = [typed.needed('merchant'), stageOf(typed)];
  const { processor } = loadMerchantConfig(merchantId, typed.text('merchants')).stages[stage];
  return { merchantId, stage, processor: processor?.name ?? processorNames[0] };
}

interface ProcessorSurroundings {
  terminal: SecretTerminal;
  /** Looks for arrived notifications. By default, it looks in the table of the stack. */
  arrivals?: Arrivals | undefined;
}

const processorProgram: Program<ProcessorContext, ProcessorSurroundings> = programOf({
  name: 'tillstack-processor',
  file: import.meta.filename,
  invocation: 'npm run processor --',
  about: 'Connects the live or test account of a processor with a deployed stack.',
  notes: 'AWS credentials and region come from the environment, as for the AWS CLI.',
  options: { ...tableOptions, ...merchantsOption, ...processorUrlOption },
  commands,
  open: async (typed, { terminal, arrivals = arrivalsInTable(typed) }) => {
    const shop = shopOf(typed);
    return { typed, shop, terminal, arrivals, secrets: await openSecrets(shop), spoken: spokenOn(terminal, typed) };
  },
});

/** Runs `npm run processor -- …` and returns its exit code. Secrets are never arguments, and are never printed. */
export const runProcessor = (args: readonly string[], terminal: SecretTerminal, arrivals?: Arrivals): Promise<number> =>
  runProgram(processorProgram, args, { terminal, arrivals });

if (import.meta.main) process.exitCode = await runProcessor(process.argv.slice(2), secretTerminal);
