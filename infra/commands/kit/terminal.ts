import { UsageError } from '../../usage-error.ts';

/** Where a command writes: the terminal of an operator, or a test. */
export interface Terminal {
  out(text: string): void;
  error(text: string): void;
}

export const terminal: Terminal = {
  out: (text) => void process.stdout.write(text),
  error: (text) => void process.stderr.write(text),
};

/** 0: done, and nothing is wrong. 1: it failed, or found something. 2: the command line is not valid, and nothing was done. */
export type ExitCode = 0 | 1 | 2;

/** Whether the command line is at fault, as `parseArgs` and the commands say it. */
const isUsageFault = (failure: unknown): boolean =>
  failure instanceof UsageError ||
  (failure instanceof Error && 'code' in failure && String(failure.code).startsWith('ERR_PARSE_ARGS'));

const firstLineOf = (failure: unknown): string =>
  failure instanceof Error ? failure.message || failure.name : String(failure);

/** Runs a command and returns its exit code. A failure prints one line. */
export async function exitCodeOf(run: () => Promise<boolean>, { error }: Terminal): Promise<ExitCode> {
  try {
    return (await run()) ? 0 : 1;
  } catch (failure) {
    error(`${firstLineOf(failure)}\n`);
    return isUsageFault(failure) ? 2 : 1;
  }
}

/** As `exitCodeOf`, for a command that tells its usage to who asks for it by `--help`, and then does nothing else. */
export async function answerCommandLine(
  { args, usage, to }: { args: readonly string[]; usage: string; to: Terminal },
  run: () => Promise<boolean>,
): Promise<ExitCode> {
  if (!args.includes('--help')) return exitCodeOf(run, to);
  to.out(`${usage}\n`);
  return 0;
}
