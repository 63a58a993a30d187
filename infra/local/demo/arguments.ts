import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from '../../usage-error.ts';

export interface StartArguments {
  port: number;
  dataDirectory?: string;
  /** How many times faster failed webhooks are retried than on a deployed stack. */
  webhookSpeed?: number;
  /** How many webhooks the receiver refuses with 500 before it accepts the first one. */
  failFirst?: number;
  /** The payment processor. By default, there are only test cards. */
  processor?: 'stripe';
  /** Whether to start only with the API key, without products, orders and webhook endpoint. */
  empty?: boolean;
  help: boolean;
}

export const usage = `Usage: npm start [-- --port N] [--data DIR] [--webhook-speed N] [--fail-first N] [--processor stripe] [--empty]

  --port N           the port to listen on; default: 4000
  --data DIR         keeps the data in DIR; without it, the data is lost when the sandbox stops
  --webhook-speed N  retries failed webhooks N times faster than a deployed stack
  --fail-first N     makes the webhook receiver fail N times before it accepts one
  --processor stripe lets Stripe take the payments, as this machine plays it; it keeps nothing, and starts without orders
  --empty            starts bare: without products, orders and webhook endpoint; what is in --data DIR stays;
                     a shop in DIR that began bare stays bare without this option too`;

function parse(args: string[]) {
  try {
    const options = {
      port: { type: 'string' },
      data: { type: 'string' },
      'webhook-speed': { type: 'string' },
      'fail-first': { type: 'string' },
      processor: { type: 'string' },
      empty: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    } as const;
    return parseArgs({ args, options, strict: true }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/**
 * Ports from 1024 upwards that browsers and `fetch` refuse, because other protocols use them
 * (https://fetch.spec.whatwg.org/#port-blocking).
 */
const blockedPorts = [
  ...[
    1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
  ],
];

function portOf(text: string): number {
  const port = Number(text);
  if (blockedPorts.includes(port))
    throw new UsageError(`Browsers open no pages at port ${port}. Choose another --port.`);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new UsageError(`--port must be a number from 0 to 65535, not "${text}".`);
}

function countOf(option: string, text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= 100_000) return count;
  throw new UsageError(`${option} must be a whole number from 1 to 100000, not "${text}".`);
}

/**
 * Creates the folder if it does not exist.
 * @throws UsageError if it is not writable
 */
export async function openDirectory(path: string): Promise<void> {
  try {
    await assertTakesFiles(path);
    await mkdir(path, { recursive: true });
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : error;
    throw new UsageError(`--data ${path} cannot be written to (${reason}). Choose another directory.`);
  }
}

/**
 * Checks that files can be written, by writing one. Some file systems such as `/proc` pretend to be writable, and
 * `mkdir` never ends there.
 */
async function assertTakesFiles(path: string): Promise<void> {
  if (!existsSync(path) && dirname(path) !== path) return assertTakesFiles(dirname(path));
  await rmdir(await mkdtemp(join(path, '.tillstack-')));
}

/**
 * The processor in an argument.
 * @throws UsageError if it is unknown
 */
export function processorOf(text: string): 'stripe' {
  if (text === 'stripe') return text;
  throw new UsageError(`--processor must be stripe, not "${text}".`);
}

/**
 * Parses the arguments of `npm start`.
 * @throws UsageError if one is invalid
 */
export function parseArguments(args: string[]): StartArguments {
  const values = parse(args);
  const { port = '4000', data, 'webhook-speed': speed, 'fail-first': failFirst, processor, help = false } = values;
  if (data === '') throw new UsageError('--data needs a directory.');
  if (data !== undefined && processor !== undefined)
    throw new UsageError('--processor stripe keeps nothing, so it cannot be used with --data.');
  return {
    port: portOf(port),
    help,
    ...(data && { dataDirectory: resolve(data) }),
    ...(speed && { webhookSpeed: countOf('--webhook-speed', speed) }),
    ...(processor !== undefined && { processor: processorOf(processor) }),
    ...(values.empty && { empty: true }),
    ...(failFirst && { failFirst: countOf('--fail-first', failFirst) }),
  };
}
