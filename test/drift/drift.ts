import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Drift } from './compare.ts';
import { type AnswerContract, findDrifts } from './drifts.ts';
import { judgeDrifts, knownDrifts } from './known-drifts.ts';
import { type Library, readLibrary } from './library.ts';
import { drivePython } from './python.ts';

const usage = `Holds our answers against the types of the official library, \`dodopayments\`.

  npm run drift               compares the contract, docs/openapi.json, with the library in package.json
  npm run drift -- --newest   compares it with the newest one, which npm puts into a temporary folder
  npm run drift -- --python   drives a sandbox with the newest library for Python, put into a temporary folder by pip

The library for Go is untested: no module proxy that could be reached has it.`;

const options = {
  newest: { type: 'boolean', default: false },
  python: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const say = (line: string): void => console.log(line);
const root = new URL('../../', import.meta.url);
const pinned = fileURLToPath(new URL('node_modules/dodopayments', root));

/** The newest library, unpacked for as long as it is read. */
function newestLibrary(): Library {
  const folder = mkdtempSync(join(tmpdir(), 'tillstack-drift-'));
  try {
    const pack = ['pack', 'dodopayments@latest', '--silent', '--pack-destination', folder];
    const archive = execFileSync('npm', pack, { encoding: 'utf8', cwd: folder }).trim();
    execFileSync('tar', ['-xzf', archive], { cwd: folder });
    return readLibrary(join(folder, 'package'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function list(title: string, drifts: readonly Drift[]): void {
  if (drifts.length > 0) say(`\n${title}`);
  for (const { where, what } of drifts) say(`  ${where} ${what}`);
}

function compare(library: Library): boolean {
  const contract = JSON.parse(readFileSync(new URL('docs/openapi.json', root), 'utf8')) as AnswerContract;
  const { drifts, compared } = findDrifts(library, contract);
  const { unlisted, listed, stale } = judgeDrifts(drifts, knownDrifts);
  list(
    'Additional: our fields that the library does not know',
    drifts.filter(({ kind }) => kind === 'additional'),
  );
  list(
    'Absent: optional fields of the library that we do not answer',
    drifts.filter(({ kind }) => kind === 'absent'),
  );
  list('Known drift, with its reason in test/drift/known-drift.json', listed);
  list('DRIFT', unlisted);
  for (const { what } of stale) say(`\nNo longer seen, so take it from the list: ${what}`);
  say(`\ndodopayments ${library.version}: ${compared.length} answers and events, ${unlisted.length} unlisted drifts.`);
  return unlisted.length === 0;
}

const { values } = parseArgs({ options });
if (values.help) say(usage);
else if (values.python) process.exit((await drivePython(say)) ? 0 : 1);
else process.exit(compare(values.newest ? newestLibrary() : readLibrary(pinned)) ? 0 : 1);
