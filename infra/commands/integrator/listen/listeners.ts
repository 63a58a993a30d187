import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { UserEnvironment } from '../environment.ts';

/** A running `listen`, as other commands on this machine see it. */
export interface Listener {
  /** The ids of events that were sent again since the last call. */
  take(): Promise<string[]>;
  close(): Promise<void>;
}

/** The folder with one file for each running `listen`. It is beside the profiles of the user. */
const folderOf = ({ profilesFile }: UserEnvironment): string => join(dirname(profilesFile), 'listeners');

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/**
 * Registers a listener of a stack. The first line of its file is the address of the stack, and each other line is an
 * event. If the folder cannot be written, the listener works without it.
 */
export async function openListener(environment: UserEnvironment, url: string): Promise<Listener> {
  const folder = folderOf(environment);
  const file = join(folder, `${process.pid}-${randomUUID()}`);
  let taken = 1;
  const opened = mkdir(folder, { recursive: true, mode: 0o700 }).then(() =>
    writeFile(file, `${url}\n`, { mode: 0o600 }),
  );
  if (!(await succeeds(opened))) return { take: async () => [], close: async () => {} };
  return {
    take: async () => {
      const fresh = linesOf(await readFile(file, 'utf8').catch(() => '')).slice(taken);
      taken += fresh.length;
      return fresh;
    },
    close: () => rm(file, { force: true }),
  };
}

/** Hands an event to every `listen` of a stack on this machine. Returns how many there are. */
export async function handToListeners(environment: UserEnvironment, url: string, eventId: string): Promise<number> {
  const folder = folderOf(environment);
  const names = await readdir(folder).catch(() => []);
  const handed = await Promise.all(names.map((name) => handTo(join(folder, name), { name, url, eventId })));
  return handed.filter(Boolean).length;
}

/** Adds an event to the file of a listener. Removes the file if its process has ended without doing so. */
async function handTo(
  file: string,
  { name, url, eventId }: { name: string; url: string; eventId: string },
): Promise<boolean> {
  if (!isRunning(Number.parseInt(name, 10))) {
    await rm(file, { force: true });
    return false;
  }
  const [listensTo] = linesOf(await readFile(file, 'utf8').catch(() => ''));
  return listensTo === url && succeeds(appendFile(file, `${eventId}\n`));
}

function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const succeeds = (doing: Promise<unknown>): Promise<boolean> =>
  doing.then(
    () => true,
    () => false,
  );
