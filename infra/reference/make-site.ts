import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { builtSite } from './site.ts';

/** The file that the function of `/docs` imports. It is not in Git. */
const file = fileURLToPath(new URL('../../shared/site/built.json', import.meta.url));

let isMade = false;

/**
 * Writes the pages of `/docs` for the function that serves them, once in a process. It must run before that function is
 * loaded or bundled. It replaces the whole file, so several processes may run it at the same time.
 */
export function makeSite(): void {
  if (isMade) return;
  isMade = true;
  const text = JSON.stringify(builtSite());
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, file);
}
