import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sourceGuards } from './source-guards.ts';

/** What looks at each guard by itself, and what only looks at the money. */
const storeTests = [
  'test/store/conditions.test.ts',
  'test/store/discount-conditions.test.ts',
  'test/store/document-conditions.test.ts',
  'test/store/webhook-conditions.test.ts',
];
const moneyTests = [
  'test/soak/schedules/every-schedule.test.ts',
  'test/soak/cases/session-cases.test.ts',
  'test/soak/cases/refund-cases.test.ts',
  'test/soak/cases/idempotency-keys.test.ts',
];
const moneyRows = /^(SESSION|PAYMENT|REFUND|EVENT|IDEM) /;

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'guards-'));

interface Results {
  testResults: { assertionResults: { status: string; title: string }[] }[];
}

/** Runs tests with a variable of the guards' script set; returns the titles of those that fail. */
async function failures(tests: readonly string[], variables: Record<string, string>): Promise<string[]> {
  const outputFile = join(directory, 'results.json');
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    ...tests,
    '--bail=1',
    '--reporter=json',
    `--outputFile=${outputFile}`,
  ];
  await run(process.execPath, args, { cwd: root, env: { ...process.env, ...variables } }).catch(() => {});
  const { testResults } = JSON.parse(readFileSync(outputFile, 'utf8')) as Results;
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  if (results.length === 0) throw new Error(`No test of ${tests} ran.`);
  return results.filter(({ status }) => status === 'failed').map(({ title }) => title);
}

/** Removes every line of the source that protects a read, one at a time, in the same way. */
async function removeEachLine(): Promise<boolean> {
  const tests = [...new Set(sourceGuards.flatMap((guard) => guard.tests))];
  const broken = await failures(tests, {});
  if (broken.length > 0) throw new Error(`Tests fail with every guard in place: ${broken.join('; ')}`);
  let survivors = 0;
  for (const guard of sourceGuards) {
    const [first] = await failures(guard.tests, { GUARD_REMOVED: guard.name });
    if (first === undefined) survivors += 1;
    console.log(`${(first === undefined ? 'SURVIVES' : 'killed').padEnd(8)} ${guard.name}\n         ${short(first)}`);
  }
  console.log(`${sourceGuards.length - survivors} of ${sourceGuards.length} lines are missed by a test`);
  return survivors === 0;
}

const short = (title: string | undefined): string => (title === undefined ? '–' : title.slice(0, 60));

/** Removes every condition of the store, one at a time: each removal has to make a test fail. */
async function removeEach(): Promise<boolean> {
  const seen = join(directory, 'seen.txt');
  const broken = await failures([...storeTests, ...moneyTests], { GUARDS_SEEN: seen, CAMPAIGN: 'guards' });
  if (broken.length > 0) throw new Error(`Tests fail with every guard in place: ${broken.join('; ')}`);
  const guards = [...new Set(readFileSync(seen, 'utf8').trim().split('\n'))].sort();
  console.log(
    `${guards.length} guards; what fails without each of them: in the tests of the store | in the tests of money`,
  );
  let survivors = 0;
  for (const guard of guards) {
    const [inStore] = await failures(storeTests, { GUARD_REMOVED: guard });
    const [inMoney] = moneyRows.test(guard)
      ? await failures(moneyTests, { GUARD_REMOVED: guard, CAMPAIGN: 'guards' })
      : [];
    if (inStore === undefined && inMoney === undefined) survivors += 1;
    const verdict = inStore === undefined && inMoney === undefined ? 'SURVIVES' : 'killed';
    console.log(`${verdict.padEnd(8)} ${guard}\n         ${short(inStore)} | ${short(inMoney)}`);
  }
  console.log(`${guards.length - survivors} of ${guards.length} removals make a test fail`);
  return survivors === 0;
}

/** Tests that take more cases here than in every `npm test`: orders of calls, random commands, stacks, screens, and a large file. */
const largerTests = [
  'test/soak/schedules',
  'test/soak/model.test.ts',
  'test/soak/fuzz',
  'test/soak/processor',
  'test/soak/offers',
  'test/soak/returns',
  'test/soak/unpaid-holds.test.ts',
  'test/soak/kill.test.ts',
  'test/functions/discounts/sale-with-limit.test.ts',
  'test/functions/limits/growth.test.ts',
  'test/infra/nag.test.ts',
  'test/infra/whole-stage/option-pairs.test.ts',
  'test/browser',
];

/** Runs these tests with all the cases that they leave out of `npm test`. */
async function tryMore(): Promise<boolean> {
  const [first] = await failures(largerTests, { CAMPAIGN: 'guards' });
  console.log(first === undefined ? 'The larger forms of the tests pass' : `FAILS    ${first}`);
  return first === undefined;
}

const parts = { lines: removeEachLine, conditions: removeEach, larger: tryMore };

/** All parts, or those that the command line names. */
const named = process.argv.slice(2);
const unknown = named.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}: ${Object.keys(parts).join(', ')}.`);

let passed = true;
for (const [name, part] of Object.entries(parts))
  if (named.length === 0 || named.includes(name)) passed = (await part()) && passed;
process.exitCode = passed ? 0 : 1;
