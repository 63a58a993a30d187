import { logSink } from '../../shared/log.ts';

const isTrouble = (line: string): boolean => /^\{"level":"(warn|error)"/.test(line);

/** Lets only warnings and errors into the terminal, by standard error. Returns how to undo it. */
export function quietLog(): () => void {
  const { write } = logSink;
  logSink.write = (line) => {
    if (isTrouble(line)) console.error(line);
  };
  return () => {
    logSink.write = write;
  };
}
