import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { freePort } from '../../infra/local/loopback-server.ts';

/** A DynamoDB on this machine. */
export interface TableServer {
  endpoint: string;
  stop(): Promise<void>;
}

/** The emulator has no binary for this platform, or npm was told to leave optional packages out. */
export class NoTableServerError extends Error {
  constructor() {
    super(
      'There is no table on this machine: the package @dynoxide/linux-x64 is not installed, or not made for this platform. ' +
        'Run DynamoDB Local (docker run -p 8000:8000 amazon/dynamodb-local) and set DYNAMODB_ENDPOINT=http://127.0.0.1:8000.',
    );
    this.name = 'NoTableServerError';
  }
}

/**
 * The server runs in a process group of its own, so that Ctrl-C lets us stop it last, and ends when its standard
 * input closes: it cannot outlive us, however we end.
 */
const tied = 'exec 3<&0; { cat <&3 >/dev/null; kill $$; } 2>/dev/null & exec "$0" "$@" 3<&- </dev/null';

/** The emulator's binary, when npm found it fit for this platform. */
function findBinary(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve('@dynoxide/linux-x64/dynoxide');
  } catch {
    return undefined;
  }
}

/** Resolves when the server says that it listens; rejects with its own words when it ends before that. */
function listening(child: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said += chunk;
    if (said.includes('listening on')) resolve();
  });
  child.once('error', reject);
  child.once('exit', () => reject(new Error(`The table's server did not start. ${said.trim()}`)));
  return promise;
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  const impatience = setTimeout(() => child.kill('SIGKILL'), 2_000);
  child.kill('SIGTERM');
  await exit;
  clearTimeout(impatience);
}

async function run(binary: string, options: string[]): Promise<TableServer> {
  const port = await freePort();
  const child = spawn('sh', ['-c', tied, binary, 'serve', '--port', String(port), ...options], {
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
  });
  await listening(child);
  return { endpoint: `http://127.0.0.1:${port}`, stop: () => stopChild(child) };
}

/**
 * Starts a server for tables: in memory, or kept in a directory.
 * `DYNAMODB_ENDPOINT` names one that runs already, such as DynamoDB Local; it is needed where the emulator has no binary.
 */
export async function startTableServer({ dataDirectory }: { dataDirectory?: string } = {}): Promise<TableServer> {
  const external = process.env.DYNAMODB_ENDPOINT;
  if (external) return { endpoint: external, stop: async () => {} };
  const binary = findBinary();
  if (!binary) throw new NoTableServerError();
  if (!dataDirectory) return run(binary, []);
  await mkdir(dataDirectory, { recursive: true });
  return run(binary, ['--db-path', join(dataDirectory, 'table.db')]);
}
