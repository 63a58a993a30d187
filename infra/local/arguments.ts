import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface StartArguments {
  port: number;
  dataDirectory?: string;
  help: boolean;
}

export const usage = `Usage: npm start [-- --port N] [--data DIR]

  --port N    the port to listen on, 4000 unless given
  --data DIR  keeps the data there; without it they are forgotten at the end`;

/** The command line makes no sense: its message says why. */
export class UsageError extends Error {}

function parse(args: string[]) {
  try {
    const options = {
      port: { type: 'string' },
      data: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    } as const;
    return parseArgs({ args, options, strict: true }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new UsageError(`--port needs a number from 0 to 65535, not "${text}".`);
}

/** @throws UsageError */
export function parseArguments(args: string[]): StartArguments {
  const { port = '4000', data, help = false } = parse(args);
  if (data === '') throw new UsageError('--data needs a directory.');
  return { port: portOf(port), help, ...(data && { dataDirectory: resolve(data) }) };
}
