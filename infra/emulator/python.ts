import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quoted, runLine } from './command.ts';

/**
 * Installs the packages of a requirements file into a virtual Python environment in `folder`, only once. It needs
 * Python 3.10 or later with `venv`.
 * @returns the path of the interpreter
 */
export async function installPython(folder: string, requirements: string): Promise<string> {
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
