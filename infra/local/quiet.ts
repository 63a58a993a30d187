import { logSink } from '../../shared/log.ts';

const isTrouble = (line: string): boolean => /^\{"level":"(warn|error)"/.test(line);

/** Prints only warnings and errors, to standard error. Returns a function that undoes this. */
export function quietLog(): () => void {
  const { write } = logSink;
  logSink.write = (line) => {
    if (isTrouble(line)) console.error(line);
  };
  return () => {
    logSink.write = write;
  };
}
