import { rmSync } from 'node:fs';
import { takeInTurn } from '../../../shared/use-cases/take-in-turn.ts';
import { rings } from '../../stage-settings.ts';
import { findStack } from '../ops/stack-parts.ts';
import { versionOf } from '../ops/status.ts';
import { takeRole } from './access.ts';
import type { CdkFiles } from './cdk.ts';
import { countErrors, type ErrorCounts, risenErrors } from './errors.ts';
import { type FleetContext, messageOf, namesOf } from './fleet-context.ts';
import type { FleetState } from './state.ts';
import type { FleetStack, Ring } from './targets.ts';

export interface Rollout {
  stacks: readonly FleetStack[];
  /** The only ring to deploy; undefined for all, one after the other. */
  ring: Ring | undefined;
  state: FleetState;
  /** How long errors are watched after a deployment, and counted before it. */
  watchMs: number;
  filesOf(stack: FleetStack): CdkFiles;
}

/** What became of one stack. */
export interface StackOutcome {
  stack: string;
  ring: Ring;
  result: 'checked' | 'skipped' | 'failed' | 'not begun';
  /** The version before, such as `0.2.0+97cf8f7a`; null if there was none or it is not known. */
  earlier_version: string | null;
  check: string | null;
  errors_before: ErrorCounts | null;
  errors_after: ErrorCounts | null;
  problem: string | null;
}

const outcomeOf = ({ name, ring }: FleetStack): StackOutcome => ({
  ...{ stack: name, ring, result: 'not begun', earlier_version: null, check: null },
  ...{ errors_before: null, errors_after: null, problem: null },
});

/**
 * Deploys one ring after the other. As soon as a stack fails, no other is begun; those that were begun are finished.
 * A stack that has this version and this file, and was checked, is left out, so a run that was stopped goes on.
 */
export async function rollOut(context: FleetContext, rollout: Rollout): Promise<StackOutcome[]> {
  const outcomes = new Map(rollout.stacks.map((stack) => [stack.name, outcomeOf(stack)]));
  const wanted = rings.filter((ring) => rollout.ring === undefined || ring === rollout.ring);
  const done = await findDone(context, rollout);
  assertEarlierRings(context, rollout, done);
  const hasFailed = () => [...outcomes.values()].some(({ result }) => result === 'failed');
  for (const ring of wanted) {
    if (hasFailed()) break;
    const stacks = rollout.stacks.filter((stack) => stack.ring === ring);
    if (stacks.length > 0) context.say(`Ring ${ring}: ${stacks.length} of ${rollout.stacks.length} stacks.`);
    await takeInTurn(stacks, { atOnce: context.atOnce, hasTime: () => !hasFailed() }, async (stack) => {
      const isDone = done.has(stack.name);
      outcomes.set(stack.name, isDone ? skipped(context, stack) : await roll(context, rollout, stack));
    });
  }
  return [...outcomes.values()].filter(({ ring }) => wanted.includes(ring));
}

/**
 * The stacks that have this version and this file, and were checked. Whether they still have it is asked of AWS, because
 * somebody may have deployed another one since. So the role of each stack is taken before the first stack is changed.
 */
async function findDone(context: FleetContext, { stacks, state, ring }: Rollout): Promise<Set<string>> {
  const { atOnce, version } = context;
  const done = new Set<string>();
  const refused: string[] = [];
  const until = ring ? rings.indexOf(ring) : rings.length;
  const looked = stacks.filter((stack) => rings.indexOf(stack.ring) <= until);
  await takeInTurn(looked, { atOnce, hasTime: () => true }, async (stack) => {
    try {
      const { clients } = await takeRole(stack, context.openClients);
      if (state.entryOf(stack, version)?.step !== 'checked') return;
      const deployed = await findStack(clients.cloudFormation, stack.name);
      if (deployed && versionOf(deployed) === version) done.add(stack.name);
    } catch (error) {
      refused.push(`${stack.name}: ${messageOf(error)}`);
    }
  });
  if (refused.length > 0) throw new Error(`Nothing was deployed.\n${refused.sort().join('\n')}`);
  return done;
}

/** Refuses a ring as long as a stack of an earlier one lacks this version. */
function assertEarlierRings({ version }: FleetContext, { stacks, ring = 'canary' }: Rollout, done: Set<string>): void {
  const earlier = rings.slice(0, rings.indexOf(ring));
  const missing = stacks.filter((stack) => earlier.includes(stack.ring) && !done.has(stack.name));
  if (missing.length > 0)
    throw new Error(
      `The ring ${ring} is not begun, because stacks of earlier rings were not deployed and checked with ${version}: ${namesOf(missing)}.`,
    );
}

function skipped({ say, version }: FleetContext, stack: FleetStack): StackOutcome {
  say(`${stack.name}: has ${version} and was checked`);
  return { ...outcomeOf(stack), result: 'skipped' };
}

async function roll(context: FleetContext, rollout: Rollout, stack: FleetStack): Promise<StackOutcome> {
  const { say } = context;
  const outcome = outcomeOf(stack);
  try {
    await deployOne(context, rollout, stack, outcome);
    say(`${stack.name}: done`);
    return { ...outcome, result: 'checked' };
  } catch (error) {
    say(`${stack.name}: FAILED: ${messageOf(error)}`);
    return { ...outcome, result: 'failed', problem: messageOf(error) };
  }
}

/** Deploys and checks a stack. Each step is noted in the state and in the outcome, also where the next one fails. */
async function deployOne(context: FleetContext, rollout: Rollout, stack: FleetStack, outcome: StackOutcome) {
  const { version, say, now } = context;
  const begun = await beginning(context, rollout, stack);
  Object.assign(outcome, { errors_before: begun.errorsBefore, earlier_version: begun.earlierVersion });
  const note = (step: 'deploying' | 'checked' | 'failed') =>
    rollout.state.save(stack, { ...begun, version, step, at: now().toISOString() });
  note('deploying');
  try {
    await deployFiles(context, rollout, stack);
    const deployedAt = now();
    const { clients } = await takeRole(stack, context.openClients);
    outcome.check = await context.checkSales(stack, clients);
    say(`${stack.name}: ${outcome.check}`);
    await context.pause(rollout.watchMs);
    const after = await takeRole(stack, context.openClients);
    const errors = await countErrors(after.clients, stack.name, { from: deployedAt, to: now() });
    outcome.errors_after = errors;
    const risen = risenErrors(begun.errorsBefore, errors);
    if (risen.length > 0) throw new Error(`After the deployment, ${risen.join(', and ')}.`);
  } catch (error) {
    note('failed');
    throw error;
  }
  note('checked');
}

/** The version and the errors before. If a run has begun this deployment, they are those that it has noted. */
async function beginning({ openClients, now, version }: FleetContext, { state, watchMs }: Rollout, stack: FleetStack) {
  const noted = state.entryOf(stack, version);
  if (noted) return { earlierVersion: noted.earlierVersion, errorsBefore: noted.errorsBefore };
  const { clients } = await takeRole(stack, openClients);
  const deployed = await findStack(clients.cloudFormation, stack.name);
  const to = now();
  const errorsBefore = await countErrors(clients, stack.name, { from: new Date(to.getTime() - watchMs), to });
  return { earlierVersion: (deployed && versionOf(deployed)) ?? null, errorsBefore };
}

async function deployFiles({ cdk, say, openClients }: FleetContext, { filesOf }: Rollout, stack: FleetStack) {
  const files = filesOf(stack);
  try {
    say(`${stack.name}: making its templates`);
    await cdk.synth(stack, files);
    say(`${stack.name}: deploying`);
    const { credentials } = await takeRole(stack, openClients);
    await cdk.deploy(stack, files, credentials);
  } finally {
    rmSync(files.assembly, { recursive: true, force: true });
  }
}
