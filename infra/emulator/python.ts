import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quoted, runLine } from './command.ts';

const requirements = fileURLToPath(new URL('requirements.txt', import.meta.url));

/**
 * Installs the emulator into a virtual Python environment below `folder`, once. Needs Python 3.10 or later with
 * `venv`.
 * @returns the interpreter's path
 */
export async function installEmulator(folder: string): Promise<string> {
  const interpreter = join(folder, 'bin/python');
  const receipt = join(folder, 'requirements.txt');
  const wanted = readFileSync(requirements, 'utf8');
  if (existsSync(receipt) && readFileSync(receipt, 'utf8') === wanted) return interpreter;
  await runLine(`python3 -m venv --clear ${quoted(folder)}`, {});
  const pip = `${quoted(interpreter)} -m pip install --quiet --disable-pip-version-check --no-deps`;
  await runLine(`${pip} -r ${quoted(requirements)}`, {});
  writeFileSync(receipt, wanted);
  return interpreter;
}
