import { logSink } from '../../shared/log.ts';

/** Keeps what went well out of the terminal; warnings and errors go to standard error. Returns how to undo it. */
export function quietLog(): () => void {
  const { write } = logSink;
  logSink.write = (line) => {
    if (!line.startsWith('{"level":"info"')) console.error(line);
  };
  return () => {
    logSink.write = write;
  };
}
