import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Stage } from '../../shared/domain/merchant.ts';
import { takeInTurn } from '../../shared/use-cases/take-in-turn.ts';
import { rings } from '../stage-settings.ts';
import { UsageError } from '../usage-error.ts';
import { sourceVersionOf } from '../version.ts';
import { merchantsOption, oneOf, stackOptions, stageOf } from './find-table.ts';
import { realCdk } from './fleet/cdk.ts';
import { checkSales } from './fleet/check-sales.ts';
import { type Rollout, rollOut } from './fleet/deploy.ts';
import { diffOf, type StackDiff } from './fleet/diff.ts';
import type { FleetContext, FleetWorld } from './fleet/fleet-context.ts';
import { fleetText, rolloutText } from './fleet/fleet-text.ts';
import { openState } from './fleet/state.ts';
import { reportOn, type StackReport } from './fleet/status.ts';
import { type FleetStack, readFleet, soundFleet } from './fleet/targets.ts';
import type { CommandOutcome, ProgramCommand, TypedWords } from './kit/command.ts';
import { type Program, programOf, runProgram, type Surroundings } from './kit/program.ts';
import { type Terminal, terminal } from './kit/terminal.ts';
import { openClients } from './ops/context.ts';

const usualAtOnce = 4;
const usualWatchMinutes = 5;

/** The metrics of CloudWatch come up to three minutes late, so a shorter watch could find none. */
const leastWatchMinutes = 3;

interface NumberTerms {
  usual: number;
  least?: number;
  most: number;
}

/** A whole number between two limits. */
function wholeNumber(typed: TypedWords, name: string, { usual, least = 1, most }: NumberTerms): number {
  const text = typed.text(name);
  if (text === undefined) return usual;
  const number = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (number >= least && number <= most) return number;
  throw new UsageError(`--${name} must be a whole number from ${least} to ${most}.`);
}

const stagesOf = (typed: TypedWords): readonly Stage[] =>
  typed.text('stage') === undefined ? ['sandbox', 'live'] : [stageOf(typed)];

/** Works on each stack, several at once, and keeps the order. */
async function each<Result>(
  { atOnce }: FleetContext,
  stacks: readonly FleetStack[],
  work: (stack: FleetStack) => Promise<Result>,
): Promise<Result[]> {
  const results = new Map<string, Result>();
  await takeInTurn(stacks, { atOnce, hasTime: () => true }, async (stack) => {
    results.set(stack.name, await work(stack));
  });
  return stacks.flatMap(({ name }) => results.get(name) ?? []);
}

async function status(typed: TypedWords, context: FleetContext): Promise<CommandOutcome> {
  const { stacks, faults } = readFleet(typed.text('merchants'), stagesOf(typed));
  const reports: StackReport[] = await each(context, stacks, (stack) => reportOn(context, stack));
  const isFine = faults.length === 0 && reports.every(({ troubles }) => troubles.length === 0);
  const text = fleetText(reports, faults, { hasCost: context.asksCost });
  return { text, json: { version: context.version, stacks: reports, unreadable_files: faults }, isFine };
}

const stateFolderOf = (typed: TypedWords): string => resolve(typed.text('state') ?? '.data/fleet');

const filesIn = (folder: string) => (stack: FleetStack) => ({
  assembly: join(folder, 'assemblies', stack.name),
  log: join(folder, 'logs', `${stack.name}.log`),
});

const wantedRing = (typed: TypedWords) => {
  const ring = typed.text('ring');
  return ring === undefined ? undefined : oneOf('ring', ring, rings);
};

async function diff(typed: TypedWords, context: FleetContext): Promise<CommandOutcome> {
  const stage = stageOf(typed);
  const ring = wantedRing(typed);
  const all = soundFleet(readFleet(typed.text('merchants'), [stage]));
  const filesOf = filesIn(stateFolderOf(typed));
  const diffs: StackDiff[] = await each(
    context,
    all.filter((stack) => ring === undefined || stack.ring === ring),
    (stack) => diffOf(context, stack, filesOf(stack)),
  );
  const text = diffs.map(({ stack, lines, problem }) =>
    [`## ${stack}`, '', ...(problem === null ? lines : [`It cannot be compared: ${problem}`])].join('\n'),
  );
  const isFine = diffs.every(({ dangers, problem }) => dangers.length === 0 && problem === null);
  return { text: text.join('\n\n'), json: { version: context.version, stage, stacks: diffs }, isFine };
}

/** A version without a commit, or with uncommitted changes, could be that of any sources. */
function assertCommitted(version: string): void {
  if (!version.includes('+'))
    throw new UsageError(
      `${version}: no commit is known, because these sources are no clone of git. Deploy from a clone.`,
    );
  if (version.endsWith('.dirty'))
    throw new UsageError(`${version}: the sources have changes that are in no commit. Commit them before you deploy.`);
}

async function deploy(typed: TypedWords, context: FleetContext): Promise<CommandOutcome> {
  const stage = stageOf(typed);
  const ring = wantedRing(typed);
  const watch = { usual: usualWatchMinutes, least: leastWatchMinutes, most: 60 };
  const watchMs = wholeNumber(typed, 'watch', watch) * 60_000;
  assertCommitted(context.version);
  const stacks = soundFleet(readFleet(typed.text('merchants'), [stage]));
  const folder = stateFolderOf(typed);
  const state = openState(folder);
  try {
    const rollout: Rollout = { stacks, ring, state, watchMs, filesOf: filesIn(folder) };
    const outcomes = await rollOut(context, rollout);
    const isFine = outcomes.every(({ result }) => result === 'checked' || result === 'skipped');
    const text = rolloutText(outcomes, { version: context.version, stage, logs: join(folder, 'logs') });
    return { text, json: { version: context.version, stage, ring: ring ?? null, stacks: outcomes }, isFine };
  } finally {
    state.release();
  }
}

const { stage } = stackOptions;
const ring = { value: '<ring>', help: 'only this ring; without it, all of them one after the other', choices: rings };
const state = { value: '<folder>', help: 'where the state, the logs and the templates are; default: .data/fleet' };

const commands: readonly ProgramCommand<FleetContext>[] = [
  {
    name: 'status',
    summary: 'Says of every stack the version, the state, the alarms, the last sale, what is due and what is missing.',
    options: {
      stage: { ...stage, help: 'only this stage; without it, both' },
      drift: { help: 'looks for drift now, which takes minutes; without it, what CloudFormation has last found' },
      cost: { help: 'asks Cost Explorer for the month, which costs 0.01 dollars for each account' },
    },
    details: `Costs need the tags merchant, stage and service as cost allocation tags of the payer's account.
It ends with 1 if a stack is in trouble: it cannot be read, an alarm rings, it was not deployed well, money is stopped,
a rule or a queue of failures is not as it should be, or it has drifted. A stack that is not deployed is no trouble.`,
    examples: ['status --merchants ../merchants', 'status --merchants ../merchants --stage live --cost --json'],
    run: status,
  },
  {
    name: 'diff',
    summary: 'Says what a deployment of these sources would change in every stack.',
    options: { stage, ring, state },
    details: `It compares the deployed templates with those of these sources, and changes nothing. It ends with 1 if something
that holds data or has an address would be removed or replaced.`,
    examples: ['diff --merchants ../merchants --stage live'],
    run: diff,
  },
  {
    name: 'deploy',
    summary: 'Deploys these sources to every stack, ring by ring, and checks each. It stops at the first that fails.',
    options: {
      ...{ stage, ring, state },
      watch: {
        value: '<minutes>',
        help: `how long errors are watched after each stack, at least ${leastWatchMinutes}; default: ${usualWatchMinutes}`,
      },
    },
    details: `A sandbox is checked by a purchase, a live stack by a session that is opened, quoted and expired. Then errors are
compared with those before. After a failure no other stack is begun. The same command goes on where it was stopped.`,
    examples: [
      'deploy --merchants ../merchants --stage sandbox',
      'deploy --merchants ../merchants --stage live --ring canary',
    ],
    run: deploy,
  },
];

interface FleetSurroundings extends Surroundings {
  world: FleetWorld;
}

const fleetProgram: Program<FleetContext, FleetSurroundings> = programOf({
  name: 'tillstack-fleet',
  file: import.meta.filename,
  invocation: 'npm run fleet --',
  about: "Looks after all stacks of a folder of merchants' files.",
  notes: `A stage's "role" in a merchant's file is taken for its stack, and its "ring" says when it is deployed.
Other AWS credentials and the region come from the environment, as for the AWS CLI.
Exit codes: 0 all is well, 1 something is wrong or failed, 2 the command line is not valid.`,
  options: {
    ...merchantsOption,
    'at-once': { value: '<number>', help: `how many stacks are worked on at once; default: ${usualAtOnce}` },
  },
  commands,
  open: (typed, { terminal: { out, error }, world }) => ({
    ...world,
    atOnce: wholeNumber(typed, 'at-once', { usual: usualAtOnce, most: 50 }),
    say: (line) => (typed.flag('json') ? error : out)(`${line}\n`),
    findsDrift: typed.flag('drift'),
    asksCost: typed.flag('cost'),
    costs: new Map(),
  }),
});

const realWorld = (): FleetWorld => ({
  ...{ openClients, cdk: realCdk, checkSales, pause, now: () => new Date() },
  version: sourceVersionOf(),
});

/** Runs `npm run fleet -- …` and returns its exit code. */
export const runFleet = (args: readonly string[], to: Terminal, world: FleetWorld = realWorld()): Promise<number> =>
  runProgram(fleetProgram, args, { terminal: to, world });

if (import.meta.main) process.exitCode = await runFleet(process.argv.slice(2), terminal);
