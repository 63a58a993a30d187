import { parseArgs } from 'node:util';
import { UsageError } from '../../usage-error.ts';
import type { CommandOutcome, Desk } from './desk.ts';

/** An option of a command. Without a value, it is a flag. */
export interface OptionTerms {
  /** What stands for the value in the help: `<amount>`. */
  value?: string;
  help: string;
  /** The values that are possible. */
  choices?: readonly string[];
  /** Whether it may be repeated. */
  isMultiple?: boolean;
}

export interface IntegratorCommand {
  /** `events resend` */
  name: string;
  summary: string;
  /** What follows the name: `<payment>`, `[endpoint]`, `<country>…`. */
  takes?: readonly string[];
  /** The values that the first of them can have. */
  choices?: readonly string[];
  options?: Readonly<Record<string, OptionTerms>>;
  /** More for the help. */
  details?: string;
  examples: readonly string[];
  /** Undefined if it has said everything already. */
  run(typed: TypedWords, desk: Desk): Promise<CommandOutcome | undefined>;
}

/** Options of every command. */
export const commonOptions: Readonly<Record<string, OptionTerms>> = {
  json: { help: 'prints JSON, as the API answers it' },
  profile: { value: '<name>', help: 'uses a saved address and key' },
  help: { help: 'explains the command' },
};

type Value = string | boolean | (string | boolean)[] | undefined;

/** The words and options that the user typed. */
export class TypedWords {
  readonly words: readonly string[];
  readonly #values: Readonly<Record<string, Value>>;

  constructor(words: readonly string[], values: Readonly<Record<string, Value>>) {
    this.words = words;
    this.#values = values;
  }

  flag(name: string): boolean {
    return this.#values[name] === true;
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === 'string' ? value : undefined;
  }

  all(name: string): string[] {
    return [this.#values[name] ?? []].flat().filter((value) => typeof value === 'string');
  }

  needed(name: string): string {
    const value = this.text(name);
    if (value) return value;
    throw new UsageError(`--${name} is required.`);
  }

  /** The word at a place that the command has checked to be there. */
  word(at: number): string {
    return this.words[at] ?? '';
  }
}

const optionsOf = ({ options = {} }: Pick<IntegratorCommand, 'options'>) => ({ ...options, ...commonOptions });

function toParseOptions(options: Readonly<Record<string, OptionTerms>>) {
  const entries = Object.entries(options).map(([name, { value, isMultiple = false }]) => {
    const type = value === undefined ? ('boolean' as const) : ('string' as const);
    return [name, { type, multiple: isMultiple, ...(name === 'help' && { short: 'h' }) }] as const;
  });
  return Object.fromEntries(entries);
}

/** Reads the words after a command's name, and refuses those that it does not take. */
export function readWords(command: IntegratorCommand, args: readonly string[]): TypedWords {
  const { values, positionals } = parsed(command, args);
  const typed = new TypedWords(positionals, values);
  if (typed.flag('help')) return typed;
  assertWords(command, positionals);
  for (const [name, { choices }] of Object.entries(optionsOf(command)))
    for (const value of choices ? typed.all(name) : []) assertChoice(`--${name}`, value, choices ?? []);
  return typed;
}

function parsed(command: IntegratorCommand, args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: toParseOptions(optionsOf(command)), allowPositionals: true });
  } catch (error) {
    const [first = ''] = (error as Error).message.split('. ');
    throw new UsageError(`${first.replace(/\.$/, '')}.`);
  }
}

function assertWords({ name, takes = [], choices }: IntegratorCommand, words: readonly string[]): void {
  const missing = takes.find((taken, at) => taken.startsWith('<') && words[at] === undefined);
  if (missing) throw new UsageError(`${name} needs ${missing.replace('…', '')}.`);
  const isOpen = takes.some((taken) => taken.endsWith('…'));
  if (!isOpen && words.length > takes.length) throw new UsageError(`${name} does not take "${words[takes.length]}".`);
  if (choices && words[0] !== undefined) assertChoice(takes[0] ?? '', words[0], choices);
}

function assertChoice(what: string, value: string, choices: readonly string[]): void {
  if (!choices.includes(value)) throw new UsageError(`${what} must be one of ${choices.join(', ')}: not "${value}".`);
}

/** How all commands are called: this package runs them, and no other. */
export const invocation = 'npm run tillstack --';

const indented = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
};

const optionRow = ([name, { value, help, choices }]: [string, OptionTerms]): [string, string] => [
  `--${name}${value ? ` ${value}` : ''}`,
  choices ? `${help}: ${choices.join(', ')}` : help,
];

/** The help of one command. */
export function helpOf(command: IntegratorCommand): string {
  const { name, summary, takes = [], details, examples } = command;
  const call = [invocation, name, ...takes, '[options]'].join(' ');
  const parts = [
    summary,
    `Usage: ${call}`,
    ...(details ? [details] : []),
    `Options:\n${indented(Object.entries(optionsOf(command)).map(optionRow))}`,
    `Examples:\n${examples.map((example) => `  ${invocation} ${example}`).join('\n')}`,
  ];
  return parts.join('\n\n');
}

/** The list of all commands. */
export function overviewHelp(commands: readonly IntegratorCommand[]): string {
  const rows = commands.map(({ name, takes = [], summary }) => [[name, ...takes].join(' '), summary] as const);
  return `Works with a Tillstack through its API, on this machine or deployed.

Usage: ${invocation} <command> [options]

${indented(rows)}

The address and the key of the stack come from TILLSTACK_URL and TILLSTACK_KEY, or from a profile (see "profile set").
--json prints JSON. "${invocation} <command> --help" explains a command.

It ends with 0 if all is well, 1 if the API refuses, 2 if the command line is wrong, 3 if the key is missing, unknown or
not allowed to do this, and 4 if the API does not answer.`;
}
