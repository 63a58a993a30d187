import { UsageError } from '../../usage-error.ts';
import {
  type CommandOutcome,
  type CommandTerms,
  nameWords,
  type Options,
  type ProgramCommand,
  readWords,
  type TypedWords,
} from './command.ts';
import { completionScripts, type Shell, shells, suggestionsFor } from './completion.ts';
import { helpOf, overviewHelp, type ProgramTerms } from './help.ts';
import type { Terminal } from './terminal.ts';

/** A set of commands that one script of package.json runs. */
export interface Program<Context, Around> extends ProgramTerms {
  /** The name of the program in the shell. Completion works under this name. */
  name: string;
  /** The file that Node runs. */
  file: string;
  commands: readonly ProgramCommand<Context>[];
  /** Opens the context for the commands. */
  open(typed: TypedWords, around: Around): Context | Promise<Context>;
  /** The exit code of a failure that is not a mistake on the command line. By default, it is 1. */
  exitCodeFor?(failure: unknown): number;
  /** The JSON that is printed for a script after a failure. If undefined, the error's message is printed. */
  problemOf?(failure: unknown): unknown;
}

/** The terminal of a program, and its signal to stop. They belong to a user or to a test. */
export interface Surroundings {
  terminal: Terminal;
  /** Aborts a long-running command when the user presses Ctrl-C. */
  signal?: AbortSignal;
}

/** The options that every command has. */
const commonOptions: Options = {
  json: { help: 'prints JSON' },
  help: { help: 'explains the command' },
};

/** The facts about a program that a shell needs. */
type ShellProgram = Pick<Program<never, never>, 'name' | 'file' | 'invocation'>;

const completionName = 'completion';

/** Prints the completion script. It needs no context, so nothing is opened for it. */
function printScript(program: ShellProgram, typed: TypedWords): CommandOutcome {
  const script = completionScripts[typed.word(0) as Shell](program);
  return { text: script, json: { script } };
}

function completion(program: ShellProgram): ProgramCommand<unknown> {
  const silent = program.invocation.replace('npm run', 'npm run --silent');
  return {
    name: completionName,
    summary: `Prints what makes your shell know "${program.name}" and complete it.`,
    takes: ['<shell>'],
    choices: shells,
    details: `Add its output to your shell's startup file. It defines the command "${program.name}", which runs this package:
  bash, zsh: eval "$(${silent} completion bash)"
  fish: ${silent} completion fish | source`,
    examples: ['completion zsh'],
    run: async (typed) => printScript(program, typed),
  };
}

/** Makes a runnable program. It adds the options `--json` and `--help`, and the command `completion`. */
export function programOf<Context, Around extends Surroundings>(
  program: Program<Context, Around>,
): Program<Context, Around> {
  const isSingle = program.commands.some(({ name }) => name === '');
  return {
    ...program,
    options: { ...program.options, ...commonOptions },
    commands: isSingle ? program.commands : [...program.commands, completion(program)],
  };
}

function refuseUnknown(
  { commands, invocation }: { commands: readonly CommandTerms[]; invocation: string },
  args: readonly string[],
): never {
  const [first = ''] = args;
  const family = commands.filter((command) => nameWords(command)[0] === first).map(({ name }) => name);
  if (family.length > 0) throw new UsageError(`After "${first}" comes one of: ${family.join(', ')}.`);
  throw new UsageError(`There is no command "${first}". "${invocation} --help" lists them.`);
}

/** Finds the command whose name has most words in common with the typed words. */
const findCommand = <Context>(commands: readonly ProgramCommand<Context>[], args: readonly string[]) =>
  commands
    .filter((command) => nameWords(command).every((part, at) => args[at] === part))
    .toSorted((one, other) => nameWords(other).length - nameWords(one).length)[0];

const isHelp = (word: string | undefined): boolean => word === undefined || word === '--help' || word === '-h';

/** Prints completions for a shell. The last word is the one that the user is typing now. */
function complete(
  program: { commands: readonly CommandTerms[]; options: Options },
  args: readonly string[],
  { out }: Terminal,
): void {
  for (const { word, help } of suggestionsFor(program, args.slice(0, -1), args.at(-1) ?? '')) out(`${word}\t${help}\n`);
}

async function run<Context, Around extends Surroundings>(
  program: Program<Context, Around>,
  args: readonly string[],
  around: Around,
): Promise<boolean> {
  const { out } = around.terminal;
  const command = findCommand(program.commands, args);
  if (args[0] === 'complete') complete(program, args.slice(1), around.terminal);
  else if (isHelp(args[0]) && !command) out(`${overviewHelp(program, program.commands)}\n`);
  else if (!command) refuseUnknown(program, args);
  else return runCommand(program, command, args, around);
  return true;
}

async function runCommand<Context, Around extends Surroundings>(
  program: Program<Context, Around>,
  command: ProgramCommand<Context>,
  args: readonly string[],
  around: Around,
): Promise<boolean> {
  const options = { ...command.options, ...program.options };
  const typed = readWords(command, options, args.slice(nameWords(command).length));
  const { out } = around.terminal;
  if (typed.flag('help')) {
    out(`${helpOf(program, command)}\n`);
    return true;
  }
  const outcome =
    command.name === completionName
      ? printScript(program, typed)
      : await command.run(typed, await program.open(typed, around));
  const said = outcome && (typed.flag('json') ? JSON.stringify(outcome.json, null, 2) : outcome.text);
  if (said !== undefined) out(`${said}\n`);
  return outcome?.isFine ?? true;
}

const messageOf = (failure: unknown): string =>
  failure instanceof Error ? failure.message || failure.name : String(failure);

/** Prints an error as a sentence. With `--json`, it is printed as JSON if it has more details. */
function explained(program: { problemOf?(failure: unknown): unknown }, failure: unknown, isJson: boolean): string {
  const problem = isJson ? program.problemOf?.(failure) : undefined;
  return problem ? JSON.stringify(problem, null, 2) : messageOf(failure);
}

/**
 * Runs a command and returns its exit code. 0: it succeeded and found nothing wrong. 1: it failed, or found something
 * wrong. 2: the command line is invalid, and nothing was done.
 */
export async function runProgram<Context, Around extends Surroundings>(
  program: Program<Context, Around>,
  args: readonly string[],
  around: Around,
): Promise<number> {
  try {
    return (await run(program, args, around)) ? 0 : 1;
  } catch (failure) {
    if (around.signal?.aborted) return 1;
    around.terminal.error(`${explained(program, failure, args.includes('--json'))}\n`);
    return failure instanceof UsageError ? 2 : (program.exitCodeFor?.(failure) ?? 1);
  }
}
