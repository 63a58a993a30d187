import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Puts all temporary files into a folder of this run, mainly 80 MB of templates. Files that the next run reuses are
 * stored beside it. Returns a function that removes the folder.
 */
export function openTemporaryFolder(): () => void {
  process.env['USUAL_TMPDIR'] = tmpdir();
  const folder = mkdtempSync(join(tmpdir(), 'tillstack-tests-'));
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
