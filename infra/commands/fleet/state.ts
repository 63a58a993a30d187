import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { ErrorCounts } from './errors.ts';
import type { FleetStack } from './targets.ts';

const Entry = z.object({
  /** The version and the merchant's file that are deployed. */
  version: z.string(),
  fileHash: z.string(),
  step: z.enum(['deploying', 'checked', 'failed']),
  at: z.string(),
  /** The version before, and the errors before: a run that goes on later still compares with these. */
  earlierVersion: z.string().nullable(),
  errorsBefore: ErrorCounts,
});
type Entry = z.infer<typeof Entry>;
const Entries = z.record(z.string(), Entry);

/** How far a deployment of the fleet is. */
export interface FleetState {
  /** The entry of a stack for this version and file; undefined if it was not begun. */
  entryOf(stack: FleetStack, version: string): Entry | undefined;
  save(stack: FleetStack, entry: Omit<Entry, 'fileHash'>): void;
  release(): void;
}

/** Reads the state in a folder, and refuses a second run on it. The lock ends with the process, even if that is killed. */
export function openState(folder: string): FleetState {
  mkdirSync(folder, { recursive: true });
  const lock = lockIn(folder);
  const file = join(folder, 'state.json');
  const entries = readEntries(file);
  return {
    entryOf: ({ name, fileHash }, version) => {
      const entry = entries[name];
      return entry?.version === version && entry.fileHash === fileHash ? entry : undefined;
    },
    save: ({ name, fileHash }, entry) => {
      entries[name] = { ...entry, fileHash };
      writeFileSync(`${file}.unfinished`, JSON.stringify(entries, null, 2));
      renameSync(`${file}.unfinished`, file);
    },
    release: () => lock.close(),
  };
}

function lockIn(folder: string): DatabaseSync {
  const lock = new DatabaseSync(join(folder, 'lock'), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch {
    lock.close();
    throw new Error(`Another run of the fleet uses ${folder}. Wait for it, or name another folder with --state.`);
  }
}

function readEntries(file: string): Record<string, Entry> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return {};
  }
  const parsed = Entries.safeParse(parsedOrUndefined(text));
  if (parsed.success) return parsed.data;
  throw new Error(
    `${file} cannot be read. Remove it to begin again: every stack is then deployed and checked once more.`,
  );
}

function parsedOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
