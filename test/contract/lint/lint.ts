import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { installPackages } from '../tools/npm.ts';

const run = promisify(execFile);
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const contract = here('../../../docs/openapi.json');
const packages = ['@redocly/cli@2.77.0', '@stoplight/spectral-cli@6.16.3'];

/** A linter ends with a code when it finds something. Its findings are its output in both cases. */
const outputOf = (program: string, args: string[], cwd: string): Promise<string> =>
  run(program, args, {
    cwd,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    maxBuffer: 100_000_000,
  }).then(
    ({ stdout }) => stdout,
    ({ stdout, message }) => stdout || Promise.reject(new Error(message)),
  );

interface Finding {
  rule: string;
  place: string;
  says: string;
}

async function redocly(program: string, folder: string): Promise<Finding[]> {
  const output = await outputOf(program, ['lint', contract, '--config', here('redocly.yaml'), '--format=json'], folder);
  const { problems } = JSON.parse(output) as {
    problems: { ruleId: string; message: string; location: { pointer?: string }[] }[];
  };
  return problems.map(({ ruleId, message, location }) => ({
    rule: `redocly ${ruleId}`,
    place: location[0]?.pointer ?? '',
    says: message,
  }));
}

async function spectral(program: string, folder: string): Promise<Finding[]> {
  const output = await outputOf(program, ['lint', '-r', here('spectral.yaml'), '-f', 'json', contract], folder);
  const found = JSON.parse(output.slice(output.indexOf('['), output.lastIndexOf(']') + 1)) as {
    code: string;
    message: string;
    path: (string | number)[];
  }[];
  return found.map(({ code, message, path }) => ({ rule: `spectral ${code}`, place: path.join('/'), says: message }));
}

/** Runs the rules of Redocly and Spectral over the contract, and prints each finding. */
export async function lintContract(say: (line: string) => void): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'tillstack-lint-'));
  try {
    const program = await installPackages(folder, packages);
    const findings = [...(await redocly(program('redocly'), folder)), ...(await spectral(program('spectral'), folder))];
    for (const { rule, place, says } of findings) say(`${rule}  ${place}  ${says}`);
    const { paths } = JSON.parse(readFileSync(contract, 'utf8')) as { paths: object };
    say(`${Object.keys(paths).length} paths by the rules of Redocly and Spectral: ${findings.length} findings.`);
    return findings.length === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
