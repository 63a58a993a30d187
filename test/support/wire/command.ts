import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Terminal } from '../../../infra/commands/kit/terminal.ts';
import { localAws } from '../../../infra/local-aws/local-aws.ts';

interface Said {
  code: number;
  out: string;
  error: string;
}

/**
 * Runs a command in this process and returns its output. Most cases use this, because starting Node takes half a
 * second.
 */
export async function typed(
  run: (args: string[], to: Terminal) => number | Promise<number>,
  args: readonly string[],
): Promise<Said> {
  const said: Said = { code: -1, out: '', error: '' };
  const to: Terminal = {
    out: (text) => {
      said.out += text;
    },
    error: (text) => {
      said.error += text;
    },
  };
  said.code = await run([...args], to);
  return said;
}

/** Runs the command as a separate process, like `npm run`. Its tables are at the endpoint. */
export async function typedInShell(script: string, args: readonly string[], endpoint: string): Promise<Said> {
  const env = {
    PATH: process.env['PATH'] ?? '',
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: localAws.region,
    AWS_ACCESS_KEY_ID: localAws.accessKeyId,
    AWS_SECRET_ACCESS_KEY: localAws.secretAccessKey,
  };
  const child = spawn(process.execPath, [script, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { out: '', error: '' };
  child.stdout.on('data', (chunk) => {
    said.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said.error += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, ...said };
}
