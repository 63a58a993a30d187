/** The place to which a command writes: the terminal of an operator, or a test. */
export interface Terminal {
  out(text: string): void;
  error(text: string): void;
}

export const terminal: Terminal = {
  out: (text) => void process.stdout.write(text),
  error: (text) => void process.stderr.write(text),
};
