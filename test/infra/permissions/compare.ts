import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openTemporaryFolder } from '../../support/vitest/temporary-folder.ts';
import { permissionFaults, union } from './faults.ts';
import { allowedFile, type Permission, type Recording } from './permission.ts';

let folder: string;
let removeTemporaryFolder: () => void;
let projects: () => TestProject[];

/** Vitest's global setup: the recordings of the whole run lie in one folder. */
export function setup(root: TestProject): void {
  removeTemporaryFolder = openTemporaryFolder();
  folder = mkdtempSync(join(tmpdir(), 'tillstack-recordings-'));
  root.provide('recordings', folder);
  projects = () => root.vitest.projects;
}

/**
 * After the last test, compares what the functions did with what their roles allow. A call that its role does not
 * allow always fails the run. An unused permission fails it if every recording test ran.
 */
export const teardown = (): Promise<void> => comparePermissions().finally(removeTemporaryFolder);

async function comparePermissions(): Promise<void> {
  const files = readdirSync(folder);
  const recordings = files.filter((file) => file !== allowedFile).map((file) => read<Recording>(file));
  const known = files.includes(allowedFile) ? read<Record<string, Permission[]>>(allowedFile) : undefined;
  if (recordings.length === 0) return;
  const allowed = known ?? (await import('./roles.ts')).allowedByRoles();
  const wasWhole = (await filesThatRecord()).every((file) => recordings.some(({ testFile }) => testFile === file));
  const faults = permissionFaults(union(recordings), allowed, { wasWhole });
  if (faults.length === 0) return;
  process.exitCode = 1;
  console.error(`\nThe roles are not what the functions need:\n  ${faults.join('\n  ')}`);
}

const read = <Content>(file: string): Content => JSON.parse(readFileSync(join(folder, file), 'utf8'));

async function filesThatRecord(): Promise<string[]> {
  const recording = projects().filter(({ config }) =>
    config.setupFiles.some((file) => /permissions\/record\.ts$/.test(file)),
  );
  const found = await Promise.all(recording.map((project) => project.globTestFiles()));
  return found.flatMap(({ testFiles }) => testFiles);
}
