import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type ComparedContract, changesBetween } from '../../infra/contract/changes.ts';
import { tryClients } from './clients/clients.ts';
import { lintContract } from './lint/lint.ts';
import { testProperties } from './properties/properties.ts';

const usage = `Holds the contract, docs/openapi.json, against the service.

  npm run contract -- changes [--since REF]       what has changed since a commit (default: HEAD), breaking changes first
  npm run contract -- lint                        the rules of Redocly and Spectral
  npm run clients                                 clients that four generators make, in TypeScript, Python and Go, buy and refund
  npm run contract -- properties [--cases N] [--short]   schemathesis sends N cases for each operation to a sandbox (default: 20)

"lint", "clients" and "properties" install their tools into a temporary folder, by npm and pip.`;

const options = {
  since: { type: 'string', default: 'HEAD' },
  cases: { type: 'string', default: '20' },
  short: { type: 'boolean', default: false },
} as const;

const path = 'docs/openapi.json';
const say = (line: string): void => console.log(line);

function changes(since: string): boolean {
  const before = execFileSync('git', ['show', `${since}:${path}`], { encoding: 'utf8', maxBuffer: 50_000_000 });
  const found = changesBetween(JSON.parse(before) as ComparedContract, JSON.parse(readFileSync(path, 'utf8')));
  for (const { isBreaking, what } of found) say(`${isBreaking ? 'BREAKING' : 'additive'}  ${what}`);
  const count = found.filter(({ isBreaking }) => isBreaking).length;
  say(`Since ${since}, the contract has ${found.length} changes. ${count} of them break clients.`);
  return true;
}

const seed = 17;

async function properties({ cases, short }: { cases: string; short: boolean }): Promise<boolean> {
  const whole = { perOperation: Number(cases), phases: 'examples,coverage,fuzzing,stateful', seed, isLoud: true };
  const quick = { perOperation: 2, phases: 'examples,fuzzing', seed, isLoud: false };
  const findings = await testProperties(short ? quick : whole);
  if (findings === undefined) {
    say('Skipped: schemathesis needs Python 3.11 or later with venv.');
    return true;
  }
  for (const finding of findings.unexplained) say(`UNEXPLAINED  ${finding}`);
  say(`${findings.cases} cases, ${findings.unexplained.length} unexplained findings.`);
  return findings.unexplained.length === 0;
}

const { values, positionals } = parseArgs({ options, allowPositionals: true });
const commands: Readonly<Record<string, () => boolean | Promise<boolean>>> = {
  changes: () => changes(values.since),
  lint: () => lintContract(say),
  clients: () => tryClients(say),
  properties: () => properties(values),
};
const command = commands[positionals[0] ?? ''];
if (!command) say(usage);
process.exit((await command?.()) === true ? 0 : 1);
