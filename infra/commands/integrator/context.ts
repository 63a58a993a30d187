import { createInterface } from 'node:readline/promises';
import { type SecretTerminal, secretTerminal } from '../kit/secret-input.ts';
import type { ApiCaller } from './api.ts';
import type { UserEnvironment } from './environment.ts';

/** A terminal that can ask a question. */
export interface AskingTerminal extends SecretTerminal {
  /** Whether the user answered yes; undefined if nobody can answer. */
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

/** The surroundings that a command gets. */
export interface Context {
  terminal: AskingTerminal;
  environment: UserEnvironment;
  /** Whether the command prints JSON. */
  isJson: boolean;
  /** Aborts long-running commands, such as `listen`, when the user presses Ctrl-C. */
  signal: AbortSignal;
  /** Makes a client of the chosen stack that sends each request at most this many times. */
  connect(options?: { tries?: number }): Promise<ApiCaller>;
}
