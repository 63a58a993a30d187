import { type CommandTerms, nameWords, type Options, type OptionTerms } from './command.ts';

/** The shells that can complete the commands. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** One possible completion of the typed words. */
export interface Suggestion {
  word: string;
  help: string;
}

/** The commands of a program, and the options that all of them have. */
interface Completed {
  commands: readonly CommandTerms[];
  options: Options;
}

const termsOf = (options: Options, option: string): OptionTerms | undefined => {
  const name = option.replace(/^--/, '');
  return option.startsWith('--') && Object.hasOwn(options, name) ? options[name] : undefined;
};

const takesValue = (options: Options, option: string): boolean => termsOf(options, option)?.value !== undefined;

/** The typed words without options and their values. */
const wordsIn = (options: Options, typed: readonly string[]): string[] =>
  typed.filter((word, at) => !word.startsWith('--') && !takesValue(options, typed[at - 1] ?? ''));

function commandIn(commands: readonly CommandTerms[], typed: readonly string[]): CommandTerms | undefined {
  const words = typed.filter((word) => !word.startsWith('--'));
  return commands.find((command) => nameWords(command).every((part, at) => words[at] === part));
}

const choiceSuggestions = (choices: readonly string[] = []): Suggestion[] =>
  choices.map((word) => ({ word, help: '' }));

/** The next word of each command name that begins with these words. */
function nameSuggestions(commands: readonly CommandTerms[], words: readonly string[]): Suggestion[] {
  const next = commands.map((command) => ({ parts: nameWords(command), summary: command.summary }));
  const fitting = next.filter(({ parts }) => words.every((word, at) => parts[at] === word));
  const found = fitting.map(({ parts, summary }) => ({
    word: parts[words.length] ?? '',
    help: parts.length === words.length + 1 ? summary : '',
  }));
  return found.filter(({ word }, at) => word && found.findIndex((one) => one.word === word) === at);
}

/** The possible completions. `typed` has the complete words, and `started` is the beginning of the next word. */
export function suggestionsFor(program: Completed, typed: readonly string[], started: string): Suggestion[] {
  const command = commandIn(program.commands, typed);
  const options = { ...command?.options, ...program.options };
  const before = typed.at(-1) ?? '';
  const fits = ({ word }: Suggestion) => word.startsWith(started);
  if (takesValue(options, before)) return choiceSuggestions(termsOf(options, before)?.choices).filter(fits);
  if (!command) return nameSuggestions(program.commands, typed).filter(fits);
  if (!started.startsWith('--')) {
    const words = wordsIn(options, typed).slice(nameWords(command).length);
    return words.length === 0 ? choiceSuggestions(command.choices).filter(fits) : [];
  }
  const unused = Object.entries(options).filter(([name, { isMultiple }]) => isMultiple || !typed.includes(`--${name}`));
  return unused.map(([name, { help }]) => ({ word: `--${name}`, help })).filter(fits);
}

/** Quotes a word so that all three shells understand it. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The facts about a program that a shell needs. */
interface ShellProgram {
  /** The name of the shell function. */
  name: string;
  /** The file that Node runs. */
  file: string;
}

const called = ({ file }: ShellProgram): string =>
  `${quoted(process.execPath)} --disable-warning=ExperimentalWarning ${quoted(file)}`;

/** The code for each shell. It defines a function that runs the program and gets completions from it. */
export const completionScripts: Readonly<Record<Shell, (program: ShellProgram) => string>> = {
  bash: (program) => `${program.name}() { ${called(program)} "$@"; }
_${program.name}() {
  local IFS=$'\\n'
  COMPREPLY=($(${program.name} complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _${program.name} ${program.name}`,
  zsh: (program) => `${program.name}() { ${called(program)} "$@"; }
_${program.name}() {
  local -a found
  found=("\${(@f)$(${program.name} complete "\${(@)words[2,CURRENT]}" 2>/dev/null | sed 's/:/\\\\:/g; s/\\t/:/')}")
  [[ -n "$found[1]" ]] && _describe ${program.name} found
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _${program.name} ${program.name}`,
  fish: (program) => `function ${program.name}; ${called(program)} $argv; end
function __${program.name}_complete; ${program.name} complete (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null; end
complete -c ${program.name} -f -a '(__${program.name}_complete)'`,
};
