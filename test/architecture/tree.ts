import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The source text of files, by their paths from the root of the repository. */
export type Tree = Record<string, string>;

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Reads every module below some folders. Declarations of types for packages are left out. */
export const treeOf = (...folders: string[]): Tree =>
  Object.fromEntries(
    folders
      .flatMap((folder) =>
        readdirSync(`${root}/${folder}`, { recursive: true }).map((path) => `${folder}/${path}`.replaceAll('\\', '/')),
      )
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
      .map((path) => [path, readFileSync(`${root}/${path}`, 'utf8')]),
  );

export const isWithin = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`);
