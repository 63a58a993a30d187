import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { dispatchRule, queueConsumer, streamConsumer, sweepSchedule } from '../../infra/endpoints.ts';
import { invokeFunction } from '../../infra/local/invoke.ts';
import { localKey, seedLocalKey } from '../../infra/local/local-key.ts';
import { startSandbox } from '../../infra/local/sandbox.ts';
import { wrapEvent } from '../../infra/local-aws/bus/event-envelope.ts';
import type { Invoke } from '../../infra/local-aws/functions.ts';
import { listenOnLoopback, readBody } from '../../infra/local-aws/loopback-server.ts';
import { logSink } from '../../shared/log.ts';
import { table, world } from '../../shared/wiring/runtime.ts';
import { faultsAtRandom, injectFaults } from '../support/faults/faults-by-plan.ts';
import { dyingAfter, killable } from '../support/faults/killed.ts';
import { between } from '../support/seeded.ts';
import { testMerchant } from '../support/shop/api.ts';
import { shortenPauses, shortenTimers } from '../support/short-pauses.ts';
import { type Send, sendThrough } from '../support/table/send-through.ts';

/** What a merchant's endpoint has got, and whether its signature was right. */
interface Receipt {
  endpointId: string;
  eventId: string;
  /** Why the signature is refused; undefined when it is right. */
  distrusted: string | undefined;
}

/** What was done to functions and endpoints beside the table's faults. */
interface Hostility {
  droppedEvents: number;
  doubledEvents: number;
  delayedEvents: number;
  crashedRelays: number;
  killedWorkers: number;
  failedReceipts: number;
  staleReads: number;
}

const faultRate = 0.2;

/** What the bus and the queue call: they lose and double and delay entries of each. */
const workers: readonly string[] = [dispatchRule.function, queueConsumer.function];

/** A bus that loses, doubles and delays what it carries, a relay that dies, and workers that are killed in the middle of things. */
function hostileInvoke(random: () => number, state: { isOn: boolean; done: Hostility }): Invoke {
  return async (name, event) => {
    if (!state.isOn) return invokeFunction(name, event);
    const chance = random();
    if (name === streamConsumer.function && chance < 0.1) {
      state.done.crashedRelays += 1;
      throw new Error('The relay died on purpose.');
    }
    if (!workers.includes(name)) return invokeFunction(name, event);
    if (chance < 0.15) {
      state.done.droppedEvents += 1;
      return undefined;
    }
    const work = () =>
      random() < 0.25
        ? dyingAfter(between(random, 1, 14), () => invokeFunction(name, event))
        : invokeFunction(name, event);
    if (chance < 0.3) {
      state.done.doubledEvents += 1;
      await Promise.all([work(), work()]);
    } else if (chance < 0.4) {
      state.done.delayedEvents += 1;
      await pause(between(random, 20, 300));
    }
    return work();
  };
}

/** Indexes that lag: one answer in five is the one that was given the last time. */
function laggingIndexes(random: () => number, state: { isOn: boolean; done: Hostility }): (send: Send) => Send {
  const last = new Map<string, Record<string, unknown>>();
  return (send) => async (command) => {
    const { IndexName, ExpressionAttributeValues } = command.input as {
      IndexName?: string;
      ExpressionAttributeValues?: object;
    };
    if (!IndexName) return send(command);
    const partition = `${IndexName} ${Object.values(ExpressionAttributeValues ?? {})[0]}`;
    const known = last.get(partition);
    if (state.isOn && known && random() < 0.2) {
      state.done.staleReads += 1;
      return known;
    }
    const answer = await send(command);
    last.set(partition, answer);
    return answer;
  };
}

/** A merchant's server that fails three times in ten, as long as the world is hostile. */
async function startFlakyReceiver(
  random: () => number,
  state: { isOn: boolean; done: Hostility },
  receipts: Receipt[],
) {
  const known = { endpointId: '', secret: '' };
  const server = await listenOnLoopback(async (message, response) => {
    const body = (await readBody(message, 1_000_000))?.toString() ?? '';
    if (state.isOn && random() < 0.3) {
      state.done.failedReceipts += 1;
      return void (random() < 0.5 ? response.writeHead(500).end() : message.socket.destroy());
    }
    const headers = message.headers as Record<string, string>;
    const distrusted = distrust(known.secret, headers, body);
    receipts.push({ endpointId: known.endpointId, eventId: headers['webhook-id'] ?? '', distrusted });
    response.writeHead(200).end();
  });
  return { url: `http://127.0.0.1:${server.port}/hook`, known, close: () => server.close() };
}

/** Why a webhook cannot be trusted. The reference implementation compares its time with the real clock. */
function distrust(secret: string, headers: Record<string, string>, body: string): string | undefined {
  try {
    new Webhook(secret).verify(body, headers);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

/** Makes the pauses of the running functions this many times shorter. Other pauses stay as they are. */
function hurried(times: number) {
  const work = new AsyncLocalStorage<boolean>();
  const isMeant = () => work.getStore() === true;
  const restore = [shortenPauses(times, isMeant), shortenTimers(times, isMeant)];
  return {
    hurry: <Result>(act: () => Promise<Result>): Promise<Result> => work.run(true, act),
    takeRealTime: () => {
      for (const restoreOne of restore) restoreOne();
    },
  };
}

/** Counts the functions at work, so that the clock jumps only when none holds a signature that the jump would make too old. */
function watched(invoke: Invoke) {
  let working = 0;
  const idle = async () => {
    for (let quietTurns = 0; quietTurns < 3; quietTurns = working === 0 ? quietTurns + 1 : 0) await pause(10);
  };
  const counted: Invoke = async (name, event) => {
    working += 1;
    try {
      return await invoke(name, event);
    } finally {
      working -= 1;
    }
  };
  return { invoke: counted, idle };
}

/** The whole service on this machine, with trouble everywhere until it is healed. `pace` is how many times faster its functions go on after a pause. */
export async function startSoakWorld(random: () => number, pace: number) {
  const state = {
    isOn: true,
    done: {
      droppedEvents: 0,
      doubledEvents: 0,
      delayedEvents: 0,
      crashedRelays: 0,
      killedWorkers: 0,
      failedReceipts: 0,
      staleReads: 0,
    },
  };
  const log: string[] = [];
  logSink.write = (line) => void log.push(line);
  const rejections: unknown[] = [];
  const onRejection = (reason: unknown) => void rejections.push(reason);
  process.on('unhandledRejection', onRejection);
  const { hurry, takeRealTime } = hurried(pace);
  const hostile = hostileInvoke(random, state);
  const { invoke, idle } = watched((name, event) => hurry(() => hostile(name, event)));
  const mails = mkdtempSync(join(tmpdir(), 'soak-mails-'));
  const environment = { MAIL_FOLDER: mails };
  const sandbox = await startSandbox({ port: 0, merchant: testMerchant, sweepSeconds: 1, invoke, environment });
  await seedLocalKey(sandbox.table);
  const receipts: Receipt[] = [];
  const receivers = [
    await startFlakyReceiver(random, state, receipts),
    await startFlakyReceiver(random, state, receipts),
  ];
  const faults = injectFaults((call) => (state.isOn ? plan(call) : undefined));
  const plan = faultsAtRandom(random, faultRate);
  const stopLagging = sendThrough(table().client, laggingIndexes(random, state));
  const stopKilling = sendThrough(
    table().client,
    killable(() => {
      state.done.killedWorkers += 1;
    }),
  );
  let aheadMs = 0;
  world.now = () => new Date(Date.now() + aheadMs);
  // Not simply the real time: a signature with an old time, such as that of an earlier attempt, must be refused.
  world.sentAt = (at) => new Date(at.getTime() - aheadMs);
  return {
    url: sandbox.url,
    key: localKey,
    table: table(),
    faults,
    hostility: state.done,
    receipts,
    receivers,
    log,
    rejections,
    hurry,
    mailed: () => readdirSync(mails).length,
    heal: () => {
      state.isOn = false;
    },
    /** Lets time go by, and then the sweeper. */
    sweepAfter: async (milliseconds: number) => {
      await idle();
      aheadMs += milliseconds;
      const tick = wrapEvent({ source: 'aws.events', detailType: 'Scheduled Event', detail: {} });
      await hurry(() => invokeFunction(sweepSchedule.function, tick));
    },
    stop: async () => {
      takeRealTime();
      faults.heal();
      stopKilling();
      stopLagging();
      await sandbox.stop();
      rmSync(mails, { recursive: true });
      await Promise.all(receivers.map((receiver) => receiver.close()));
      process.off('unhandledRejection', onRejection);
    },
  };
}

export type SoakWorld = Awaited<ReturnType<typeof startSoakWorld>>;
