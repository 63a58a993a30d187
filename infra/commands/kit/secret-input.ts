import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type Terminal, terminal } from './terminal.ts';

/** A terminal on which a user can type a secret. */
export interface SecretTerminal extends Terminal {
  secret(prompt: string): Promise<string>;
}

const silence = () => new Writable({ write: (_chunk, _encoding, done) => done() });

/** Reads one line from standard input. In a terminal, the prompt is shown, but the typed characters are not. */
async function readSecretLine(prompt: string): Promise<string> {
  if (!process.stdin.isTTY) return ((await text(process.stdin)).split('\n')[0] ?? '').trim();
  process.stderr.write(prompt);
  const lines = createInterface({ input: process.stdin, output: silence(), terminal: true });
  const line = await lines.question('');
  lines.close();
  process.stderr.write('\n');
  return line.trim();
}

export const secretTerminal: SecretTerminal = { ...terminal, secret: readSecretLine };
