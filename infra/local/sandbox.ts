import { setTimeout as pause } from 'node:timers/promises';
import type { Merchant } from '../../shared/domain/merchant.ts';
import { logError, logWarn } from '../../shared/log.ts';
import { exchangeRates } from '../../shared/wiring/books.ts';
import { table as functionsTable } from '../../shared/wiring/runtime.ts';
import {
  dispatchRule,
  queueConsumer,
  ratesSchedule,
  endpoints as routes,
  schedules,
  streamConsumer,
} from '../endpoints.ts';
import { startBucket } from '../local-aws/bucket.ts';
import { startEventBus } from '../local-aws/bus/event-bus.ts';
import { startQueueServer } from '../local-aws/bus/queue-server.ts';
import { startSchedule } from '../local-aws/bus/schedule.ts';
import type { Invoke } from '../local-aws/functions.ts';
import { partsLog } from '../local-aws/log.ts';
import { startStream } from '../local-aws/stream/stream.ts';
import type { LocalTable } from '../local-aws/table.ts';
import { loadMerchantConfig } from '../merchant-config.ts';
import { type LocalClock, startLocalClock } from './clock.ts';
import { exampleRates } from './example-rates.ts';
import { invokeFunction, warmUp } from './invoke.ts';
import { startLocalGateway } from './local-gateway.ts';
import { startLocalTable } from './local-table.ts';
import { startMailReports } from './mail-reports.ts';
import { oneClickPath } from './one-click.ts';
import { quietLog } from './quiet.ts';
import { type LocalEndpoints, localNames, setEnvironment } from './sandbox-environment.ts';
import { keep, type Stop, stopAll } from './stops.ts';

export interface SandboxOptions {
  /** The port to listen on: 4000 by default, 0 for any free one. */
  port?: number;
  /** The folder of the table and the bucket. Without it, the data is lost at the end. */
  dataDirectory?: string;
  /** The merchant. By default, it is the one in infra/merchants/demo.json. */
  merchant?: Merchant;
  /** Environment variables for the functions. They are added to the usual ones, or replace them. */
  environment?: Readonly<Record<string, string>>;
  /** Seconds between two sweeps. By default, it is 2, because a minute is too long for a person who watches. */
  sweepSeconds?: number;
  /** Logs warnings and errors only. */
  quiet?: boolean;
  /** Calls the functions. By default, these are the functions of the repository. */
  invoke?: Invoke;
  /** Whether to load the code of all functions in advance. By default, the first request loads it. */
  warmsUp?: boolean;
  /** The key for the sign-in to the dashboard with one click. */
  oneClickKey?: string;
  /** Fills the table before any request or worker can reach it. */
  prepare?: (table: LocalTable) => Promise<void>;
}

export interface Sandbox {
  /** The address of the sandbox, without a trailing slash. */
  url: string;
  tableName: string;
  table: LocalTable;
  endpoints: LocalEndpoints;
  stop(): Promise<void>;
}

interface Place {
  dataDirectory: string | undefined;
  publicUrl: string;
}

/**
 * Starts the parts that functions call: table, bucket, bus and queue. The bus and the queue are stopped first, because
 * their calls still need the table.
 */
async function startParts(stops: Stop[], invoke: Invoke, { dataDirectory, publicUrl }: Place) {
  const place = dataDirectory ? { dataDirectory } : {};
  const bucketNames = [localNames.bucket, localNames.files];
  const starting = [
    keep(stops, startLocalTable({ tableName: localNames.table, ...place })),
    keep(stops, startBucket({ bucketNames, corsOrigins: [publicUrl], ...place })),
  ] as const;
  await Promise.allSettled(starting);
  const [table, bucket] = await Promise.all(starting);
  const bus = await keep(stops, startEventBus({ busName: localNames.bus, rules: [dispatchRule], invoke }));
  const queue = await keep(stops, startQueueServer({ consumer: queueConsumer, invoke }));
  return { table, endpoints: { table: table.endpoint, bucket: bucket.url, bus: bus.url, queue: queue.url } };
}

/** The schedules that run in the sandbox. It has example exchange rates, so none are downloaded. */
const scheduled = schedules.filter((line) => line !== ratesSchedule);
/** Schedules with an interval of up to so many minutes run with each sweep here. */
const oftenMinutes = 15;

/** Starts the parts that call functions themselves: the reader of the stream, and the schedules. `runAll` runs these once. */
async function startCallers(stops: Stop[], invoke: Invoke, table: LocalTable, everySeconds: number) {
  const { filter, function: relay } = streamConsumer;
  const { call, tableName } = table;
  await keep(stops, startStream({ call, tableName, function: relay, filter, invoke }));
  const running = scheduled.map(({ function: name, everyMinutes }) => {
    const isOften = everyMinutes <= oftenMinutes;
    const schedule = startSchedule({
      function: name,
      everySeconds: isOften ? everySeconds : 60 * everyMinutes,
      invoke,
    });
    stops.push(() => schedule.stop());
    return schedule;
  });
  return { runAll: async () => void (await Promise.all(running.map((schedule) => schedule.runNow()))) };
}

/**
 * How many milliseconds to wait before all functions are loaded. In this time, the first requests can load their own
 * code.
 */
const untilWarmUpMs = 300;

/** Loads the code of all functions in the background, before they are called. */
function warmUpBehind(): Stop {
  const stopping = new AbortController();
  const warming = pause(untilWarmUpMs, undefined, { signal: stopping.signal }).then(() =>
    warmUp(routes.map((route) => route.function)),
  );
  return () => {
    stopping.abort();
    return warming.catch(() => {});
  };
}

/** Starts everything behind the gateway. */
async function startBehind(publicUrl: string, options: SandboxOptions & { clock: LocalClock }, stops: Stop[]) {
  const { sweepSeconds = 2, invoke = invokeFunction, dataDirectory, oneClickKey, warmsUp, clock } = options;
  const environment: Record<string, string> = {
    ...(oneClickKey && { ONE_CLICK_SIGN_IN: oneClickPath }),
    ...options.environment,
  };
  const merchant = options.merchant ?? loadMerchantConfig('demo').merchant;
  const { table, endpoints } = await startParts(stops, invoke, { dataDirectory, publicUrl });
  setEnvironment({ publicUrl, endpoints, merchant }, environment);
  table.connect(functionsTable().client);
  await exchangeRates().keep(exampleRates);
  await options.prepare?.(table);
  const callers = await startCallers(stops, invoke, table, sweepSeconds);
  clock.afterMove = callers.runAll;
  const mailFolder = environment['MAIL_FOLDER'];
  if (mailFolder) stops.push(startMailReports({ folder: mailFolder, invoke }).stop);
  if (warmsUp) stops.push(warmUpBehind());
  return { endpoints, table };
}

/**
 * Starts the whole service on this machine. There can be only one in a process, because functions read their
 * environment once.
 * @throws PortInUseError before anything is started, if another process uses the port
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 4000, invoke = invokeFunction, oneClickKey } = options;
  partsLog.write = (level, message, fields) => (level === 'warn' ? logWarn : logError)(message, fields);
  const ready = Promise.withResolvers<void>();
  const clock = startLocalClock({ dataDirectory: options.dataDirectory, invoke });
  const gateway = await startLocalGateway({
    invoke: (functionName, event) => ready.promise.then(() => clock.invoke(functionName, event)),
    port,
    oneClickKey,
  }).catch(async (error: unknown) => {
    await clock.stop();
    throw error;
  });
  const stops: Stop[] = [clock.stop, ...(options.quiet ? [quietLog()] : [])];
  const stop = async () => {
    await gateway.close();
    await stopAll(stops);
  };
  try {
    const url = `http://localhost:${gateway.port}`;
    const behind = await startBehind(url, { ...options, clock }, stops);
    ready.resolve();
    return { url, tableName: localNames.table, ...behind, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
