import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { freePort } from '../../../infra/local-aws/loopback-server.ts';

/** The path of the emulator's binary, if npm installed one for this platform. */
function findBinary(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve('@dynoxide/linux-x64/dynoxide');
  } catch {
    return undefined;
  }
}

/** Says whether an emulator is installed for comparison. */
export const hasDynoxide = (): boolean => findBinary() !== undefined;

/** Resolves when the server reports that it listens. Rejects with the server's message if it ends before that. */
function listening(child: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said += chunk;
    if (said.includes('listening on')) resolve();
  });
  child.once('error', reject);
  child.once('exit', () => reject(new Error(`The emulator did not start. ${said.trim()}`)));
  return promise;
}

/** Starts the emulator with its tables in memory. */
export async function startDynoxide(): Promise<{ endpoint: string; stop(): Promise<void> }> {
  const binary = findBinary();
  if (!binary) throw new Error('The package @dynoxide/linux-x64 is not installed.');
  const port = await freePort();
  const child = spawn(binary, ['serve', '--port', String(port)], { stdio: ['ignore', 'ignore', 'pipe'] });
  const killWithUs = () => void child.kill('SIGKILL');
  process.once('exit', killWithUs);
  await listening(child);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stop: async () => {
      process.off('exit', killWithUs);
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
  };
}
