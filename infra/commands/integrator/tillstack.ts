import type { OptionTerms, ProgramCommand } from '../kit/command.ts';
import { type Program, programOf, runProgram } from '../kit/program.ts';
import { apiCaller } from './api.ts';
import { clockCommand } from './clock.ts';
import { type AskingTerminal, askingTerminal, type Context } from './context.ts';
import { operationCommands } from './contract/operation-command.ts';
import { type UserEnvironment, userEnvironment } from './environment.ts';
import { ApiRefusal, exitCodeFor } from './failures.ts';
import { importCommands } from './import/import.ts';
import { importKeysCommand } from './import/import-keys.ts';
import { listenCommand } from './listen/listen.ts';
import { profileCommands } from './profile.ts';
import { accountOf } from './profiles.ts';
import { refundCommand } from './refund.ts';
import { triggerCommand } from './trigger/trigger.ts';

/** The terminal, the environment variables and the signal of a run. They belong to a user or to a test. */
export interface UserSurroundings {
  terminal: AskingTerminal;
  environment: UserEnvironment;
  signal: AbortSignal;
}

/** The commands that need more than one API call. */
const ownCommands: readonly ProgramCommand<Context>[] = [
  listenCommand,
  triggerCommand,
  clockCommand,
  refundCommand,
  importKeysCommand,
  ...importCommands,
  ...profileCommands,
];

const profile: OptionTerms = { value: '<name>', help: 'uses a saved address and key' };

export const tillstack: Program<Context, UserSurroundings> = programOf({
  name: 'tillstack',
  file: import.meta.filename,
  invocation: 'npm run tillstack --',
  about: 'Works with a Tillstack through its API, on this machine or deployed.',
  notes: `
The address and the key of the stack come from TILLSTACK_URL and TILLSTACK_KEY, or from a profile (see "profile set").
An option may be typed with the first or last words of its name: --currency is --price.currency.

It ends with 0 if all is well, 1 if the API refuses, 2 if the command line is wrong, 3 if the key is missing, unknown or
not allowed to do this, and 4 if the API does not answer.`,
  options: { profile },
  commands: [...ownCommands, ...operationCommands],
  open: (typed, { terminal, environment, signal }) => ({
    terminal,
    environment,
    signal,
    isJson: typed.flag('json'),
    connect: async (options = {}) =>
      apiCaller(await accountOf(typed.text('profile'), environment), { signal, ...options }),
  }),
  exitCodeFor,
  problemOf: (failure) => (failure instanceof ApiRefusal ? failure.answer.problem : undefined),
});

/** Runs `npm run tillstack -- …` and returns its exit code. It never prints the API key. */
export const runTillstack = (args: readonly string[], around: UserSurroundings): Promise<number> =>
  runProgram(tillstack, args, around);

/** A signal that ends a running `listen` at the first Ctrl-C. npm sends a second Ctrl-C, which is ignored. */
function untilInterrupted(): AbortSignal {
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ending.abort());
  return ending.signal;
}

if (import.meta.main) {
  const around = { terminal: askingTerminal, environment: userEnvironment(), signal: untilInterrupted() };
  process.exitCode = await runTillstack(process.argv.slice(2), around);
  // A process that is about to exit no longer handles signals. So the second Ctrl-C would kill it before its output is
  // written.
  if (around.signal.aborted) process.stdout.write('', () => process.exit());
}
