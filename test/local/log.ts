import { afterEach, beforeEach } from 'vitest';
import { partsLog } from '../../infra/local-aws/log.ts';
import { logSink } from '../../shared/log.ts';

/** Collects what the service and the parts of this machine log during each test of the file, instead of printing it. */
export function collectLog(): string[] {
  const lines: string[] = [];
  const { write } = logSink;
  const { write: writeOfParts } = partsLog;
  beforeEach(() => {
    lines.length = 0;
    logSink.write = (line) => lines.push(line);
    partsLog.write = (level, message, fields) => lines.push(JSON.stringify({ level, message, ...fields }));
  });
  afterEach(() => {
    logSink.write = write;
    partsLog.write = writeOfParts;
  });
  return lines;
}
