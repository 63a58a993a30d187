import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * From now on temporary files lie in a folder of the run: templates above all, 80 MB of them. What the next run finds again lies beside it.
 * Returns how the folder is removed.
 */
export function openTemporaryFolder(): () => void {
  process.env['USUAL_TMPDIR'] = tmpdir();
  const folder = mkdtempSync(join(tmpdir(), 'tillstack-tests-'));
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
