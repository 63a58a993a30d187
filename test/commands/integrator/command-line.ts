import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UserEnvironment } from '../../../infra/commands/integrator/environment.ts';
import { runTillstack } from '../../../infra/commands/integrator/tillstack.ts';

export interface Run {
  code: number;
  out: string;
  error: string;
}

interface RunOptions {
  environment?: Partial<UserEnvironment>;
  /** What the user types where a secret is asked for. */
  secret?: string;
  /** What the user answers; undefined: there is no terminal. */
  confirms?: boolean | (() => Promise<boolean>);
  signal?: AbortSignal;
  onOut?: (text: string) => void;
  onError?: (text: string) => void;
}

/** The events that a bank, or a second look of the sweep, decides seconds or minutes later. */
export const decidedLater: readonly string[] = ['refund.failed', 'dispute.opened', 'dispute.won', 'dispute.lost'];

/** A folder for profiles that is removed at the end. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'tillstack-command-'));
  return { profilesFile: join(folder, 'config', 'profiles.json'), remove: () => rmSync(folder, { recursive: true }) };
}

/** Runs the command in this process, as a user with this environment would. */
export async function runWords(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const [out, error]: [string[], string[]] = [[], []];
  const terminal = {
    out: (text: string) => {
      out.push(text);
      options.onOut?.(text);
    },
    error: (text: string) => {
      error.push(text);
      options.onError?.(text);
    },
    secret: async () => options.secret ?? '',
    confirm: async () => (typeof options.confirms === 'function' ? options.confirms() : options.confirms),
  };
  const environment: UserEnvironment = {
    url: undefined,
    key: undefined,
    profile: undefined,
    listenSecret: undefined,
    importKey: undefined,
    profilesFile: '/nowhere/profiles.json',
    ...options.environment,
  };
  const signal = options.signal ?? new AbortController().signal;
  const code = await runTillstack(args, { terminal, environment, signal });
  return { code, out: out.join(''), error: error.join('') };
}
