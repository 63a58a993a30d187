import { afterEach, beforeEach } from 'vitest';
import { logSink } from '../../shared/log.ts';

/** Collects what is logged during each test of the file, instead of printing it. */
export function collectLog(): string[] {
  const lines: string[] = [];
  const { write } = logSink;
  beforeEach(() => {
    lines.length = 0;
    logSink.write = (line) => lines.push(line);
  });
  afterEach(() => {
    logSink.write = write;
  });
  return lines;
}
