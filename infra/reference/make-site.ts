import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { builtSite } from './site.ts';

/** What the function of `/docs` holds. Git ignores it. */
const file = fileURLToPath(new URL('../../shared/site/built.json', import.meta.url));

/**
 * Writes the pages of `/docs` for the function that serves them. Call it before that function is loaded or bundled.
 * Processes that do so at once replace the whole file.
 */
export function makeSite(): void {
  const text = JSON.stringify(builtSite());
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, file);
}
