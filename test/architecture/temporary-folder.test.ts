import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openTemporaryFolder } from '../support/vitest/temporary-folder.ts';

beforeEach(() => {
  for (const name of ['TMPDIR', 'TEMP', 'TMP', 'USUAL_TMPDIR']) vi.stubEnv(name, process.env[name]);
});
afterEach(() => void vi.unstubAllEnvs());

it('all temporary files of a test run are in one folder, which is removed after the run', () => {
  const usual = tmpdir();
  expect(usual).toContain('tillstack-tests-'); // the folder of this very run
  const remove = openTemporaryFolder();
  const folder = dirname(mkdtempSync(join(tmpdir(), 'cdk.out')));
  expect(dirname(folder)).toBe(usual);
  remove();
  expect([existsSync(folder), existsSync(usual)]).toEqual([false, true]);
});
