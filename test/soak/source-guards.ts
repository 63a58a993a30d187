import type { Plugin } from 'vitest/config';

/** A line of the source that protects something, and what stands there without it. */
interface SourceGuard {
  name: string;
  file: string;
  code: string;
  without: string;
  /** The tests that see it missing. */
  tests: readonly string[];
}

const reads = 'shared/store/table/read-many.ts';
const ahead = 'shared/store/table/read.ts';
const endpoints = 'shared/http/endpoint.ts';
const ofReads = ['test/store/read-ahead.test.ts'];
const singleWrite = 'shared/store/table/single-write.ts';
const ofWrites = ['test/store/single-write.test.ts'];
const ofCalls = ['test/functions/limits/table-calls.test.ts'];

export const sourceGuards: readonly SourceGuard[] = [
  {
    name: 'READ asks again for rows that were left aside',
    ...{
      file: reads,
      code: 'const left = answer.UnprocessedKeys ?? {};',
      without: 'const left: Batch = {};',
      tests: ofReads,
    },
  },
  {
    name: 'READ says 503 of rows that are left aside again and again',
    ...{ file: reads, code: 'throw unanswered();', without: 'return items;', tests: ofReads },
  },
  {
    name: 'READ asks for each row once',
    ...{ file: reads, code: '[nameOf(key), key]', without: '[key, key]', tests: ofReads },
  },
  {
    name: 'READ asks for 100 rows at a time',
    ...{ file: reads, code: 'mostPerBatch = 100', without: 'mostPerBatch = 1_000', tests: ofReads },
  },
  {
    name: 'READ leaves out keys that no row can have',
    ...{ file: reads, code: 'keys.filter(canExist)', without: 'keys', tests: ofReads },
  },
  {
    name: 'READ is consistent',
    ...{ file: reads, code: 'ConsistentRead: true', without: 'ConsistentRead: false', tests: ofReads },
  },
  {
    name: 'READ AHEAD hands a row out once',
    ...{ file: ahead, code: 'untaken.delete(', without: 'untaken.has(', tests: ofReads },
  },
  {
    name: 'READ AHEAD forgets with a commit',
    ...{ file: 'shared/store/table/transaction.ts', code: 'forgetAhead();', without: '', tests: ofReads },
  },
  {
    name: 'READ AHEAD tells a fault only to who takes a row',
    ...{ file: ahead, code: 'rows.catch(() => {});', without: '', tests: ofReads },
  },
  {
    name: 'SINGLE WRITE knows the row that it has written itself',
    ...{ file: singleWrite, code: "if (existing?.['stamp'] === stamp) return;", without: '', tests: ofWrites },
  },
  {
    name: 'SINGLE WRITE calls nothing refused that others may have written over',
    ...{ file: singleWrite, code: 'wasRepeated && isBeyond(existing, put)', without: 'false', tests: ofWrites },
  },
  {
    name: 'A REQUEST that is wrong is told so after its key has been checked',
    ...{
      file: endpoints,
      code: 'assertLive();',
      without: 'assertLive(); parseRequest(event, options);',
      tests: ofCalls,
    },
  },
];

/** Takes the guard that GUARD_REMOVED names out of the source while it is loaded. */
export function removedGuard(): Plugin[] {
  const name = process.env['GUARD_REMOVED'];
  const guard = sourceGuards.find((one) => one.name === name);
  if (!guard) return [];
  const transform = (source: string, id: string): string | undefined => {
    if (!id.split('?')[0]?.endsWith(`/${guard.file}`)) return undefined;
    if (!source.includes(guard.code)) throw new Error(`${guard.file} says nowhere: ${guard.code}`);
    return source.replace(guard.code, guard.without);
  };
  // the name is part of what Vitest keeps transformed files under
  return [{ name: `without ${guard.name}`, enforce: 'pre', transform }];
}
