import { parseArgs } from 'node:util';
import { UsageError } from '../../usage-error.ts';
import { fullName } from './option-names.ts';

/** An option of a command. An option without a value is a flag. */
export interface OptionTerms {
  /** The name of the value in the help: `<amount>`. */
  value?: string;
  help: string;
  /** The allowed values. */
  choices?: readonly string[];
  /** Whether the option may be repeated. */
  isMultiple?: boolean;
}

export type Options = Readonly<Record<string, OptionTerms>>;

/** The result of a command: as text for people, and as data for JSON. */
export interface CommandOutcome {
  /** The text; undefined if the command has already printed everything. */
  text?: string;
  json: unknown;
  /** False if the command has found something wrong. The program then exits with 1. */
  isFine?: boolean;
}

/** A command as data: its arguments and options, its help, and its function. */
export interface ProgramCommand<Context> {
  /** The name, such as `events resend`. Empty if the program has only one command. */
  name: string;
  summary: string;
  /** The arguments after the name, such as `<payment>`, `[endpoint]`, `<country>…`. */
  takes?: readonly string[];
  /** The allowed values of the first argument. */
  choices?: readonly string[];
  options?: Options;
  /** More text for the help. */
  details?: string;
  examples: readonly string[];
  /** Runs the command. Undefined if it has already printed everything. */
  run(typed: TypedWords, context: Context): Promise<CommandOutcome | undefined>;
}

/** The facts about a command that the help, the parser and the completion need. */
export type CommandTerms = Omit<ProgramCommand<never>, 'run'>;

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

  /** Whether `--name` (true) or `--no-name` (false) was typed; undefined if neither was. */
  choice(name: string): boolean | undefined {
    const value = this.#values[name];
    return typeof value === 'boolean' ? value : undefined;
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

  /** The argument at a position. It exists, because the parser has checked that. */
  word(at: number): string {
    return this.words[at] ?? '';
  }
}

/** The words of a command's name. If a program has only one command, the name is empty. */
export const nameWords = ({ name }: Pick<CommandTerms, 'name'>): string[] => (name === '' ? [] : name.split(' '));

function toParseOptions(options: Options) {
  const entries = Object.entries(options).map(([name, { value, isMultiple = false }]) => {
    const type = value === undefined ? ('boolean' as const) : ('string' as const);
    return [name, { type, multiple: isMultiple, ...(name === 'help' && { short: 'h' }) }] as const;
  });
  return Object.fromEntries(entries);
}

/** Parses the words after a command’s name, and refuses unknown ones. */
export function readWords(command: CommandTerms, options: Options, args: readonly string[]): TypedWords {
  const { values, positionals } = parsed(options, args);
  const typed = new TypedWords(positionals, values);
  if (typed.flag('help')) return typed;
  assertWords(command, positionals);
  for (const [name, { choices }] of Object.entries(options))
    for (const value of choices ? typed.all(name) : []) assertChoice(`--${name}`, value, choices ?? []);
  return typed;
}

/** Replaces short names of options by full names. A short name has only the first or the last words of the full one. */
function withFullNames(options: Options, args: readonly string[]): string[] {
  const names = Object.keys(options);
  return args.map((arg) => {
    const [, no = '', name = '', value = ''] = /^--(no-)?([^=]+)(=.*)?$/s.exec(arg) ?? [];
    return name === '' ? arg : `--${no}${fullName(name, names)}${value}`;
  });
}

function parsed(options: Options, args: readonly string[]) {
  const full = withFullNames(options, args);
  try {
    return parseArgs({ args: full, options: toParseOptions(options), allowPositionals: true, allowNegative: true });
  } catch (error) {
    const [first = ''] = (error as Error).message.split('. ');
    throw new UsageError(`${first.replace(/\.$/, '')}.`);
  }
}

function assertWords({ name, takes = [], choices }: CommandTerms, words: readonly string[]): void {
  const missing = takes.find((taken, at) => taken.startsWith('<') && words[at] === undefined);
  const subject = name || 'The command';
  if (missing) throw new UsageError(`${subject} needs ${missing.replace('…', '')}.`);
  const isOpen = takes.some((taken) => taken.endsWith('…'));
  if (!isOpen && words.length > takes.length)
    throw new UsageError(`${subject} does not take "${words[takes.length]}".`);
  if (choices && words[0] !== undefined) assertChoice(takes[0] ?? '', words[0], choices);
}

export function assertChoice(what: string, value: string, choices: readonly string[]): void {
  if (!choices.includes(value)) throw new UsageError(`${what} must be one of ${choices.join(', ')}: not "${value}".`);
}
