import { fileURLToPath } from 'node:url';
import { commonOptions, type IntegratorCommand, type OptionTerms } from './command.ts';

/** The shells that can complete the commands. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** What may follow the words that are typed already. */
export interface Suggestion {
  word: string;
  help: string;
}

const optionsOf = ({ options = {} }: IntegratorCommand) => ({ ...options, ...commonOptions });

/** Words, without the options and their values. */
function wordsIn(command: IntegratorCommand | undefined, typed: readonly string[]): string[] {
  const isValue = (at: number) => takesValue(command, typed[at - 1] ?? '');
  return typed.filter((word, at) => !word.startsWith('--') && !isValue(at));
}

const termsOf = (command: IntegratorCommand | undefined, option: string): OptionTerms | undefined => {
  const terms = { ...command?.options, ...commonOptions };
  const name = option.replace(/^--/, '');
  return option.startsWith('--') && Object.hasOwn(terms, name) ? terms[name] : undefined;
};

const takesValue = (command: IntegratorCommand | undefined, option: string): boolean =>
  termsOf(command, option)?.value !== undefined;

function commandIn(commands: readonly IntegratorCommand[], typed: readonly string[]): IntegratorCommand | undefined {
  const words = typed.filter((word) => !word.startsWith('--'));
  return commands.find(({ name }) => name.split(' ').every((part, at) => words[at] === part));
}

const choiceSuggestions = (choices: readonly string[] = []): Suggestion[] =>
  choices.map((word) => ({ word, help: '' }));

/** The next part of the names that begin with these words. */
function nameSuggestions(commands: readonly IntegratorCommand[], words: readonly string[]): Suggestion[] {
  const fitting = commands.filter(({ name }) => words.every((word, at) => name.split(' ')[at] === word));
  const next = fitting.map(({ name, summary }) => ({ parts: name.split(' '), summary }));
  const found = next.map(({ parts, summary }) => ({
    word: parts[words.length] ?? '',
    help: parts.length === words.length + 1 ? summary : '',
  }));
  return found.filter(({ word }, at) => word && found.findIndex((one) => one.word === word) === at);
}

function argumentSuggestions(command: IntegratorCommand, typed: readonly string[]): Suggestion[] {
  const words = wordsIn(command, typed).slice(command.name.split(' ').length);
  return words.length === 0 ? choiceSuggestions(command.choices) : [];
}

/** What can follow; `typed` are whole words, and `begun` is the beginning of the next. */
export function suggestionsFor(
  commands: readonly IntegratorCommand[],
  typed: readonly string[],
  begun: string,
): Suggestion[] {
  const command = commandIn(commands, typed);
  const before = typed.at(-1) ?? '';
  const fits = ({ word }: Suggestion) => word.startsWith(begun);
  if (takesValue(command, before)) return choiceSuggestions(termsOf(command, before)?.choices).filter(fits);
  if (!command) return nameSuggestions(commands, typed).filter(fits);
  if (!begun.startsWith('--')) return argumentSuggestions(command, typed).filter(fits);
  const unused = Object.entries(optionsOf(command)).filter(
    ([name, { isMultiple }]) => isMultiple || !typed.includes(`--${name}`),
  );
  return unused.map(([name, { help }]) => ({ word: `--${name}`, help })).filter(fits);
}

/** Quotes a word for all three shells. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const program = (): string => {
  const file = fileURLToPath(new URL('tillstack.ts', import.meta.url));
  return `${quoted(process.execPath)} --disable-warning=ExperimentalWarning ${quoted(file)}`;
};

/** Defines `tillstack` in a shell as this program, and completes it by asking the program. */
export const completionScripts: Readonly<Record<Shell, () => string>> = {
  bash: () => `tillstack() { ${program()} "$@"; }
_tillstack() {
  local IFS=$'\\n'
  COMPREPLY=($(tillstack complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _tillstack tillstack`,
  zsh: () => `tillstack() { ${program()} "$@"; }
_tillstack() {
  local -a found
  found=("\${(@f)$(tillstack complete "\${(@)words[2,CURRENT]}" 2>/dev/null | sed 's/:/\\\\:/g; s/\\t/:/')}")
  [[ -n "$found[1]" ]] && _describe tillstack found
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _tillstack tillstack`,
  fish: () => `function tillstack; ${program()} $argv; end
function __tillstack_complete; tillstack complete (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null; end
complete -c tillstack -f -a '(__tillstack_complete)'`,
};
