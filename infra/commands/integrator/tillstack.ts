import { UsageError } from '../../usage-error.ts';
import { apiCaller } from './api.ts';
import { helpOf, type IntegratorCommand, invocation, overviewHelp, readWords, type TypedWords } from './command.ts';
import { customerCommands } from './commands/customers.ts';
import { discountCommands } from './commands/discounts.ts';
import { eventCommands } from './commands/events.ts';
import { keyCommands } from './commands/keys.ts';
import { listenCommands } from './commands/listen.ts';
import { paymentCommands } from './commands/payments.ts';
import { priceCommands } from './commands/prices.ts';
import { productCommands } from './commands/products.ts';
import { profileCommands } from './commands/profile.ts';
import { refundCommands } from './commands/refund.ts';
import { taxCommands } from './commands/tax.ts';
import { triggerCommands } from './commands/trigger.ts';
import { completionScripts, type Shell, shells, suggestionsFor } from './completion.ts';
import { type AskingTerminal, askingTerminal, type Desk } from './desk.ts';
import { type UserEnvironment, userEnvironment } from './environment.ts';
import { ApiRefusal, exitCodeFor } from './failures.ts';
import { accountOf } from './profiles.ts';

type ExitCode = 0 | 1 | 2 | 3 | 4;

const completion: IntegratorCommand = {
  name: 'completion',
  summary: 'Prints what makes your shell know "tillstack" and complete it.',
  takes: ['<shell>'],
  choices: shells,
  details: `Add its output to your shell's startup file. It defines the command "tillstack", which runs this package:
  bash, zsh: eval "$(npm run --silent tillstack -- completion bash)"
  fish: npm run --silent tillstack -- completion fish | source`,
  examples: ['completion zsh'],
  run: async (typed) => {
    const script = completionScripts[typed.word(0) as Shell]();
    return { text: script, json: { script } };
  },
};

/** All commands, in the order of the help. */
export const integratorCommands: readonly IntegratorCommand[] = [
  ...listenCommands,
  ...triggerCommands,
  ...eventCommands,
  ...paymentCommands,
  ...refundCommands,
  ...customerCommands,
  ...productCommands,
  ...priceCommands,
  ...discountCommands,
  ...taxCommands,
  ...keyCommands,
  ...profileCommands,
  completion,
];

/** What surrounds a run: the terminal of a user, or a test. */
export interface Surroundings {
  terminal: AskingTerminal;
  environment: UserEnvironment;
  signal: AbortSignal;
}

const nameLength = ({ name }: IntegratorCommand): number => name.split(' ').length;

const findCommand = (args: readonly string[]): IntegratorCommand | undefined =>
  integratorCommands.find(({ name }) => name.split(' ').every((part, at) => args[at] === part));

/** The words that begin a command: `events`. */
const beginsCommand = (word: string): IntegratorCommand[] =>
  integratorCommands.filter(({ name }) => name.split(' ')[0] === word);

function refuseUnknown(args: readonly string[]): never {
  const [first = ''] = args;
  const family = beginsCommand(first).map(({ name }) => name);
  if (family.length > 0) throw new UsageError(`After "${first}" comes one of: ${family.join(', ')}.`);
  throw new UsageError(`There is no command "${first}". "${invocation} --help" lists them.`);
}

function deskOf(typed: TypedWords, { terminal, environment, signal }: Surroundings): Desk {
  return {
    terminal,
    environment,
    signal,
    isJson: typed.flag('json'),
    connect: async (options = {}) =>
      apiCaller(await accountOf(typed.text('profile'), environment), { signal, ...options }),
  };
}

async function runCommand(command: IntegratorCommand, args: readonly string[], around: Surroundings): Promise<void> {
  const typed = readWords(command, args.slice(nameLength(command)));
  if (typed.flag('help')) return around.terminal.out(`${helpOf(command)}\n`);
  const desk = deskOf(typed, around);
  const report = await command.run(typed, desk);
  if (report) around.terminal.out(`${desk.isJson ? JSON.stringify(report.json, null, 2) : report.text}\n`);
}

const isHelp = (word: string | undefined): boolean => word === undefined || word === '--help' || word === '-h';

/** Answers a shell that completes a line: the last word is the one that is begun. */
function complete(args: readonly string[], { terminal }: Surroundings): void {
  for (const { word, help } of suggestionsFor(integratorCommands, args.slice(0, -1), args.at(-1) ?? ''))
    terminal.out(`${word}\t${help}\n`);
}

async function run(args: readonly string[], around: Surroundings): Promise<void> {
  if (isHelp(args[0])) return around.terminal.out(`${overviewHelp(integratorCommands)}\n`);
  if (args[0] === 'complete') return complete(args.slice(1), around);
  const command = findCommand(args);
  return command ? runCommand(command, args, around) : refuseUnknown(args);
}

/** Says what failed, and what to do. For scripts, a refusal is JSON as well. */
function explain(failure: unknown, args: readonly string[], { terminal }: Surroundings): void {
  const message = failure instanceof Error ? failure.message : String(failure);
  const problem = failure instanceof ApiRefusal && args.includes('--json') ? failure.answer.problem : undefined;
  terminal.error(`${problem ? JSON.stringify(problem, null, 2) : message}\n`);
}

/** Runs `npm run tillstack -- …` and returns its exit code. The API key is never printed. */
export async function runTillstack(args: readonly string[], around: Surroundings): Promise<ExitCode> {
  try {
    await run(args, around);
    return 0;
  } catch (failure) {
    if (around.signal.aborted) return 1;
    explain(failure, args, around);
    return failure instanceof UsageError ? 2 : exitCodeFor(failure);
  }
}

/** Ends what waits at the first Ctrl-C. npm sends a second one, which changes nothing. */
function untilInterrupted(): AbortSignal {
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ending.abort());
  return ending.signal;
}

if (import.meta.main) {
  const around = { terminal: askingTerminal, environment: userEnvironment(), signal: untilInterrupted() };
  process.exitCode = await runTillstack(process.argv.slice(2), around);
  // a process that ends by itself hears no signal in its last milliseconds, so that the second Ctrl-C would kill it
  if (around.signal.aborted) process.stdout.write('', () => process.exit());
}
