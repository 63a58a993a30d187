import { createInterface } from 'node:readline/promises';
import { type SecretTerminal, secretTerminal } from '../kit/secret-input.ts';
import type { ApiCaller } from './api.ts';
import type { UserEnvironment } from './environment.ts';

/** A terminal that can ask a question. */
export interface AskingTerminal extends SecretTerminal {
  /** Whether the user said yes; undefined: no user can answer. */
  confirm(question: string): Promise<boolean | undefined>;
}

async function askOnTerminal(question: string): Promise<boolean | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await lines.question(`${question} [y/N] `);
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}

export const askingTerminal: AskingTerminal = { ...secretTerminal, confirm: askOnTerminal };

/** What a command works with. */
export interface Context {
  terminal: AskingTerminal;
  environment: UserEnvironment;
  /** Whether the answer is to be JSON. */
  isJson: boolean;
  /** Ends what waits, such as `listen`: the user pressed Ctrl-C. */
  signal: AbortSignal;
  /** A client of the chosen stack, which sends a request at most so many times. */
  connect(options?: { tries?: number }): Promise<ApiCaller>;
}
