import type { ProgramCommand, TypedWords } from './command.ts';
import type { Terminal } from './terminal.ts';

/** Prints the lines of a long command when they come. A script gets all lines at the end. */
export interface Spoken {
  say(line: string): void;
  lines: readonly string[];
  isJson: boolean;
}

export function spokenOn({ out }: Terminal, typed: TypedWords): Spoken {
  const lines: string[] = [];
  const isJson = typed.flag('json');
  const say = (line: string) => {
    lines.push(line);
    if (!isJson) out(`${line}\n`);
  };
  return { say, lines, isJson };
}

/** The result of a command that has already printed its lines, and whether it found nothing wrong. */
export const spoken =
  <Context extends { spoken: Spoken }>(
    run: (context: Context, typed: TypedWords) => Promise<boolean>,
  ): ProgramCommand<Context>['run'] =>
  async (typed, context) => {
    const isFine = await run(context, typed);
    return { isFine, json: { is_fine: isFine, lines: context.spoken.lines } };
  };
