/** Where a command writes: the terminal of an operator, or a test. */
export interface Terminal {
  out(text: string): void;
  error(text: string): void;
}

export const terminal: Terminal = {
  out: (text) => void process.stdout.write(text),
  error: (text) => void process.stderr.write(text),
};

/** Runs a command and returns its exit code. A failure prints one line. */
export async function exitCodeOf(run: () => Promise<boolean>, { error }: Terminal): Promise<0 | 1> {
  try {
    return (await run()) ? 0 : 1;
  } catch (failure) {
    error(`${failure instanceof Error ? failure.message : String(failure)}\n`);
    return 1;
  }
}
