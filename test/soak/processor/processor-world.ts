import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { streamConsumer, sweepSchedule } from '../../../infra/endpoints.ts';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { seedLocalKey } from '../../../infra/local/local-key.ts';
import { startSandbox } from '../../../infra/local/sandbox.ts';
import { type CallFate, type FakeStripe, startFakeStripe } from '../../../infra/local/stripe/fake-stripe.ts';
import { topUp } from '../../../infra/local/stripe/refunds.ts';
import { wrapEvent } from '../../../infra/local-aws/bus/event-envelope.ts';
import type { Invoke } from '../../../infra/local-aws/functions.ts';
import { listenOnLoopback, readBody } from '../../../infra/local-aws/loopback-server.ts';
import { startParameters } from '../../../infra/local-aws/parameters.ts';
import { secretNames, secretsFolder } from '../../../shared/domain/processor.ts';
import { eventTypes } from '../../../shared/events/catalogue.ts';
import { logSink } from '../../../shared/log.ts';
import { dueRows, webhooks, world } from '../../../shared/wiring/runtime.ts';
import { between } from '../../support/seeded.ts';
import { type ApiAnswer, type Call, call, routed, testMerchant } from '../../support/shop/api.ts';
import { shopSigningSecret } from '../../support/shop/stripe-shop.ts';
import { schemaFaults } from '../../support/stripe-schema/check-exchange.ts';
import { type Doom, doomOf, makeMortal, runMortal } from './mortal.ts';
import { PostOffice } from './post-office.ts';
import { minuteMs, SimulatedTime } from './simulated-time.ts';

/** What the merchant's endpoint has got. */
interface Receipt {
  eventId: string;
  body: string;
  isTrusted: boolean;
}

const accountKey = 'rk_test_ofthecampaign';

/** A call in four meets a fault; a slow answer is one that time-outs and other calls overtake. */
function fateOf(random: () => number, count: (what: string) => void): CallFate {
  const dice = random();
  const told = (what: string, fate: CallFate): CallFate => {
    count(`calls ${what}`);
    return fate;
  };
  if (dice < 0.05) return told('lost on the way', 'request-lost');
  if (dice < 0.1) return told('whose answer was lost', 'answer-lost');
  if (dice < 0.115) return told('that broke', 'broken');
  if (dice < 0.17) return told('answered late', { lateMs: between(random, 10, 120) });
  if (dice < 0.19) return told('that took long', { busyMs: between(random, 10, 120) });
  if (dice < 0.215) return told('that were too many', 'too-many');
  return told('answered', 'answered');
}

/**
 * What changes in the account from one tick to the next: it is not set up, it takes no text for statements, its balance
 * is empty or filled, and its balance transactions come late and in another currency.
 */
function changeAccount(fake: FakeStripe, { random, count, tick }: AccountChange): void {
  const { account } = fake;
  account.profile.businessName = tick % 9 === 3 ? null : 'A Shop';
  account.profile.takesSuffixes = tick % 5 !== 2;
  fake.keepsRefusals = random() < 0.5;
  const isLate = random() < 0.3;
  account.settlement = { currency: 'usd', rate: 1.08, afterSeconds: isLate ? between(random, 60, 100_000) : 0 };
  if (tick % 11 === 5) {
    account.available = new Map([['eur', 0]]);
    account.shortage = tick % 3 === 0 ? 'pending' : 'refused';
    count('times that the balance was empty');
  } else if (random() < 0.2) topUp(account, 'eur', mostMoney);
}

interface AccountChange {
  random: () => number;
  count: (what: string) => void;
  /** The number of the tick. */
  tick: number;
}

/** More than all refunds of a campaign. */
const mostMoney = 100_000_000;

async function startReceiver(receipts: Receipt[], secret: () => string) {
  const server = await listenOnLoopback(async (message, response) => {
    const body = (await readBody(message, 1_000_000))?.toString() ?? '';
    const [id = '', timestamp = '', signature = ''] = ['id', 'timestamp', 'signature'].map(
      (name) => message.headersDistinct[`webhook-${name}`]?.[0],
    );
    const expected = new Webhook(secret()).sign(id, new Date(Number(timestamp) * 1_000), body);
    receipts.push({ eventId: id, body, isTrusted: signature.split(' ').includes(expected) });
    response.writeHead(200).end();
  });
  return { url: `http://127.0.0.1:${server.port}/hook`, close: () => server.close() };
}

/** A shop on this machine whose processor is the fake, with a bad network, functions that die, and a clock that is simulated. */
export async function startProcessorWorld(random: () => number) {
  const counts: Record<string, number> = {};
  const count = (what: string): void => {
    counts[what] = (counts[what] ?? 0) + 1;
  };
  const deaths: Record<string, number> = {};
  const log: string[] = [];
  logSink.write = (line) => void log.push(line);
  const realNow = world.now;
  const time = new SimulatedTime('2026-11-23T09:00:00.000Z');
  let isHealed = false;
  let working = 0;
  let ticks = 0;
  const doomed = <Answer>(
    name: string,
    chance: number | Doom,
    run: () => Promise<Answer>,
  ): Promise<Answer | undefined> => {
    const drawn = typeof chance === 'number' ? random() < chance && doomOf(random, name) : chance;
    const doom = isHealed || drawn === false ? undefined : drawn;
    const died = (step: string) => {
      count('functions killed');
      deaths[`${name} ${step}`] = (deaths[`${name} ${step}`] ?? 0) + 1;
    };
    return runMortal(doom, died, run);
  };
  const invoke: Invoke = async (name, event) => {
    if (name === streamConsumer.function && !isHealed && random() < 0.2) {
      count('relays that died before they told anybody');
      return { batchItemFailures: [] };
    }
    working += 1;
    try {
      return await doomed(name, 0.08, () => invokeFunction(name, event));
    } finally {
      working -= 1;
    }
  };

  const parameters = await startParameters();
  const folder = secretsFolder(testMerchant.id, 'sandbox', 'stripe');
  parameters.values.set(secretNames(folder).key, accountKey).set(secretNames(folder).signingSecrets, shopSigningSecret);
  const endpoint = { url: 'http://127.0.0.1:9/', secrets: [shopSigningSecret] };
  const fake = await startFakeStripe({ now: world.now, key: accountKey, endpoint, seed: String(random()) });
  fake.notifies = 'by-hand';
  const schemaFaultsSeen = new Set<string>();
  fake.answered = (exchange) => {
    for (const fault of schemaFaults(exchange)) schemaFaultsSeen.add(fault);
    const { method, path, status, body } = exchange;
    if (method !== 'POST' || status !== 400) return;
    const says = JSON.stringify(body);
    if (says.includes('statement descriptor')) count('texts for statements that were refused');
    else if (path === 'checkout/sessions') count('payments that the account refused to begin');
    if (says.includes('balance_insufficient')) count('refunds refused for lack of balance');
  };
  const mails = mkdtempSync(join(tmpdir(), 'campaign-mails-'));
  const environment = {
    PROCESSOR: 'stripe',
    PROCESSOR_SECRETS: folder,
    PROCESSOR_URL: fake.url,
    AWS_ENDPOINT_URL_SSM: parameters.url,
    MAIL_FOLDER: mails,
  };
  const sandbox = await startSandbox({ port: 0, merchant: testMerchant, sweepSeconds: 86_400, invoke, environment });
  await seedLocalKey(sandbox.table);
  const stopKilling = makeMortal(fake.url);
  const receipts: Receipt[] = [];
  let secret = '';
  const receiver = await startReceiver(receipts, () => secret);
  const { id: endpointId } = (
    await call('POST /webhooks', { body: { url: receiver.url, filter_types: [...eventTypes] } })
  ).body;
  secret = (await call(`GET /webhooks/${endpointId}/secret`)).body.secret;

  const ask = (request: string, options: Call = {}, chance: number | Doom = 0.1): Promise<ApiAnswer | undefined> =>
    doomed(routed(request, options).function, chance, () => call(request, options));
  const late = new Set<string>();
  const post = new PostOffice({
    fake,
    random,
    now: () => time.now(),
    count,
    isHealed: () => isHealed,
    isLate: (subject) => late.has(subject),
    deliver: (body, signature) => {
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
      return ask('POST /processor/stripe', { raw: Buffer.from(body), headers, key: null }, 0.15);
    },
  });
  fake.fate = ({ method }) => {
    if (isHealed) return 'answered';
    const fate = fateOf(random, count);
    if (method === 'POST' && typeof fate === 'object' && 'lateMs' in fate) {
      count('notifications before the answer');
      setTimeout(() => void post.deliver(), 5);
    }
    return fate;
  };
  const sweepOnce = async () => {
    const tick = wrapEvent({ source: 'aws.events', detailType: 'Scheduled Event', detail: {} });
    await doomed(sweepSchedule.function, 0.15, () => invokeFunction(sweepSchedule.function, tick));
    count('sweeps');
  };

  const dealt: Record<string, number> = {};
  /** The next of some possibilities, each in its turn, so that few cases are enough for all. */
  const deal = <Item>(name: string, items: readonly [Item, ...Item[]]): Item => {
    dealt[name] = (dealt[name] ?? 0) + 1;
    return items[(dealt[name] - 1) % items.length] ?? items[0];
  };

  return {
    fake,
    deal,
    time,
    post,
    late,
    counts,
    deaths,
    count,
    random,
    schemaFaults: schemaFaultsSeen,
    log,
    receipts,
    ask,
    table: sandbox.table,
    publicUrl: sandbox.url,
    endpointId: endpointId as string,
    mailed: () => readdirSync(mails).length,
    heal: () => {
      isHealed = true;
      Object.assign(fake.account.profile, { businessName: 'A Shop', takesSuffixes: true });
      fake.account.settlement = { currency: 'usd', rate: 1.08, afterSeconds: 0 };
      topUp(fake.account, 'eur', mostMoney);
    },
    /** Lets an instant pass: expiries, notifications, and the sweep, sometimes two at once and sometimes none. */
    tick: async () => {
      ticks += 1;
      if (!isHealed) changeAccount(fake, { random, count, tick: ticks });
      await fake.tick();
      await post.deliver();
      const dice = isHealed ? 0 : random();
      if (dice < 0.8) await Promise.all(dice > 0.7 ? [sweepOnce(), sweepOnce()] : [sweepOnce()]);
    },
    /** Waits until no function behind the stream and the bus is at work. */
    idle: async () => {
      for (let quiet = 0; quiet < 3; quiet = working === 0 ? quiet + 1 : 0) await pause(5);
    },
    /** Rows that are due at any time. */
    due: async () => {
      const ever = new Date(time.now() + 10_000_000 * minuteMs).toISOString();
      return dueRows().list(ever, 1_000, await webhooks().ids());
    },
    stop: async () => {
      stopKilling();
      await sandbox.stop();
      await receiver.close();
      await fake.stop();
      await parameters.stop();
      rmSync(mails, { recursive: true });
      world.now = realNow;
    },
  };
}

export type ProcessorWorld = Awaited<ReturnType<typeof startProcessorWorld>>;
