import { type CommandTerms, nameWords, type Options, type OptionTerms } from './command.ts';

/** The facts about a program for its help. */
export interface ProgramTerms {
  /** How the program is started, such as `npm run tillstack --`. */
  invocation: string;
  about: string;
  /** The text below the list of commands. */
  notes: string;
  /** The options that every command has. */
  options: Options;
}

const indented = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.min(40, Math.max(...rows.map(([left]) => left.length)));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
};

const optionRow = ([name, { value, help, choices }]: [string, OptionTerms]): [string, string] => [
  `--${name}${value ? ` ${value}` : ''}`,
  choices ? `${help.replace(/\.$/, '')}: ${choices.join(', ')}` : help,
];

const callOf = (program: ProgramTerms, command: CommandTerms): string =>
  [program.invocation, ...nameWords(command), ...(command.takes ?? [])].join(' ');

/** The help of one command. */
export function helpOf(program: ProgramTerms, command: CommandTerms): string {
  const { summary, details, examples, options } = command;
  const parts = [
    summary,
    `Usage: ${callOf(program, command)} [options]`,
    ...(details ? [details] : []),
    `Options:\n${indented(Object.entries({ ...options, ...program.options }).map(optionRow))}`,
    ...(examples.length > 0
      ? [`Examples:\n${examples.map((example) => `  ${program.invocation} ${example}`).join('\n')}`]
      : []),
  ];
  return parts.join('\n\n');
}

/** The list of all commands. */
export function overviewHelp(program: ProgramTerms, commands: readonly CommandTerms[]): string {
  const rows = commands.map(
    (command) => [[...nameWords(command), ...(command.takes ?? [])].join(' '), command.summary] as const,
  );
  return `${program.about}

Usage: ${program.invocation} <command> [options]

${indented(rows)}

"${program.invocation} <command> --help" explains a command. --json prints JSON.
${program.notes}`;
}
