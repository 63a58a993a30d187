import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PortInUseError } from '../../local-aws/loopback-server.ts';
import { DataInUseError } from '../../local-aws/table/tables/database.ts';
import type { LocalTable } from '../../local-aws/table.ts';
import { UsageError } from '../../usage-error.ts';
import { localKey, seedLocalKey } from '../local-key.ts';
import { startFakeRegisters } from '../registers/fake-registers.ts';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { apiClient } from './api-client.ts';
import { openDirectory, parseArguments, type StartArguments, usage } from './arguments.ts';
import type { ReceivedWebhook } from './delivery-log.ts';
import { giveGoods } from './goods.ts';
import { bareName, prepareShop } from './history/prepare-shop.ts';
import { end, endOnSignals, isEnding, untilTheEnd } from './lifetime.ts';
import { type LocalStripe, startLocalStripe } from './local-stripe.ts';
import { startReceiver } from './receiver.ts';
import { type DemoCheckout, demoCode, offerDemoTerms, openDemoCheckouts, registerReceiver } from './seed.ts';

function describeDelivery({ receivedAt, type, id, reason, status }: ReceivedWebhook): string {
  const answer = status === 500 ? ', answered with 500 because of --fail-first' : '';
  const verdict = reason === undefined ? `signature verified${answer}` : `NOT VERIFIED: ${reason}`;
  return `  ${receivedAt.toLocaleTimeString('en-GB')}  ${type.padEnd(18)} ${id}  ${verdict}`;
}

const describeCheckout = ({ name, label, url }: DemoCheckout): string => `  ${name}, ${label}\n    ${url}`;

interface Running {
  sandbox: Sandbox;
  stripe: LocalStripe | undefined;
  mailFolder: string;
}

const invitation = (stripe: LocalStripe | undefined): string =>
  stripe
    ? `Dispute a payment, or let a refund fail or a debit arrive, in the account of the Stripe that this machine plays:
  ${stripe.fake.url}

Buy something, and pay on its page:`
    : 'Buy something, with a test card from the list:';

/** The text about the products that can be bought. Empty in an empty shop. */
const offer = ({ stripe }: Running, checkouts: DemoCheckout[]): string => `
${invitation(stripe)}
${checkouts.map(describeCheckout).join('\n')}
Type the code ${demoCode} there for 10 % off. Buyers who choose dollars pay $21.99 for the first one.
`;

const greeting = ({ sandbox, mailFolder }: Running, offered: string): string => `
Tillstack runs at ${sandbox.url}. Press Ctrl-C to stop it.
${offered}
Ask the API, with the key of this sandbox:
  curl -H 'Authorization: Bearer ${localKey}' ${sandbox.url}/payments

Open the dashboard, and sign in by one click or with the same key:
  ${sandbox.url}/dashboard

Receipts to buyers are written to:
  ${pathToFileURL(mailFolder)}

Look into the table, with any key and region:
  DYNAMODB_ENDPOINT=${sandbox.endpoints.table}
  aws dynamodb scan --table-name ${sandbox.tableName} --endpoint-url ${sandbox.endpoints.table}`;

async function start(args: StartArguments): Promise<void> {
  const { port, dataDirectory, webhookSpeed = 1, processor, empty = false } = args;
  endOnSignals();
  if (dataDirectory) await openDirectory(dataDirectory);
  const stripe = processor && (await untilTheEnd(startLocalStripe()));
  const mailFolder = join(dataDirectory ?? mkdtempSync(join(tmpdir(), 'tillstack-')), 'mails');
  const registers = await untilTheEnd(startFakeRegisters());
  const environment = {
    REGISTER_URL: registers.url,
    WEBHOOK_SPEED: String(webhookSpeed),
    MAIL_FOLDER: mailFolder,
    ...stripe?.environment,
  };
  const place = dataDirectory ? { dataDirectory } : {};
  let isBare = false;
  const prepare = async (table: LocalTable) => {
    isBare = await prepareShop(table, { isEmpty: empty || stripe !== undefined });
  };
  const options = { port, prepare, quiet: true, warmsUp: true, environment, oneClickKey: localKey, ...place };
  const sandbox = await untilTheEnd(startSandbox(options));
  stripe?.notify(sandbox.url);
  await seedLocalKey(sandbox.table, isBare ? bareName : undefined);
  const running = { sandbox, stripe, mailFolder };
  if (empty || (isBare && !stripe))
    console.log(greeting(running, '\nThis shop is bare: make a product in the dashboard.\n'));
  else await offerGoods(running, args);
}

/** Creates products and checkouts, and prints the webhooks of their sales. */
async function offerGoods(running: Running, { failFirst = 0 }: StartArguments): Promise<void> {
  const { sandbox } = running;
  const onDelivery = (delivery: ReceivedWebhook) => console.log(describeDelivery(delivery));
  const receiver = await untilTheEnd(startReceiver({ onDelivery, failFirst }));
  const api = apiClient(sandbox.url, localKey);
  receiver.setSecret(await registerReceiver(api, receiver.url));
  const checkouts = await openDemoCheckouts(api);
  await offerDemoTerms(api, checkouts);
  if (checkouts[0]) await giveGoods(api, checkouts[0].productId);
  console.log(`${greeting(running, offer(running, checkouts))}\n\nWebhooks appear here:`);
}

/** Errors whose message already tells the user what to do. Other errors are printed with their stack. */
const understood = [UsageError, PortInUseError, DataInUseError];

function explain(error: unknown): void {
  const isUnderstood = error instanceof Error && understood.some((kind) => error instanceof kind);
  console.error(isUnderstood ? error.message : error);
  if (error instanceof UsageError) console.error(usage);
}

try {
  const args = parseArguments(process.argv.slice(2));
  if (args.help) console.log(usage);
  else await start(args);
} catch (error) {
  if (!isEnding()) explain(error);
  await end(error instanceof UsageError ? 2 : 1);
}
