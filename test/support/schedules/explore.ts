import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { pickOne } from '../seeded.ts';
import { sendThrough } from '../table/send-through.ts';
import { areIndependent } from './footprint.ts';
import { reverseRaces, tryRacer } from './reversals.ts';
import { type Move, ScheduleStage } from './stage.ts';

/** A race: commands that run at the same time. */
export interface Race {
  racers: readonly ((stage: ScheduleStage) => Promise<unknown>)[];
  /** The racers that may die before any of their calls. Default: all. */
  mortals?: readonly number[];
  /** Restores the state at the start of the race. */
  reset: () => Promise<void>;
  /** Throws if a condition fails that must hold after every schedule. A racer that died has no outcome. */
  verify: (outcomes: readonly unknown[]) => Promise<void>;
}

export interface Explored {
  /** The number of schedules in which all racers reached the end. */
  schedules: number;
  /** The number of schedules in which one racer died. */
  crashes: number;
  /** The number of calls in all schedules. */
  calls: number;
}

/** A point of a schedule at which the next racer is chosen. */
interface Choice {
  moves: readonly Move[];
  /** The moves that lead to no new result from here ("asleep"), by id. */
  asleep: ReadonlySet<string>;
  tried: Set<string>;
  /** The racers whose calls are tried here. Deaths are always tried. */
  racers: Set<number>;
  chosen: Move;
}

/** A death ends every other move of its racer. A schedule has at most one death. */
const commute = (a: Move, b: Move): boolean =>
  !(a.isDeath && b.isDeath) &&
  !((a.isDeath || b.isDeath) && a.racer === b.racer) &&
  areIndependent(a.footprint, b.footprint);

/** Returns the moves that stay asleep after a move: those that were tried or asleep before, and do not depend on it. */
function asleepAfter({ moves, asleep, tried, chosen }: Choice): Set<string> {
  const sleepers = moves.filter(({ id }) => asleep.has(id) || tried.has(id));
  return new Set(sleepers.filter((one) => commute(one, chosen)).map(({ id }) => id));
}

type Open = Omit<Choice, 'chosen'>;

const isSpent = ({ asleep, tried }: Open, { id }: Move): boolean => asleep.has(id) || tried.has(id);

/**
 * Says whether a death leads to no new result. It does not change the calls of other racers, so this is the case if all
 * these calls were already tried or are asleep.
 */
function isIdleDeath(choice: Open, { racer, isDeath }: Move): boolean {
  const others = choice.moves.filter((move) => !move.isDeath && move.racer !== racer);
  return isDeath && others.length > 0 && others.every((move) => isSpent(choice, move));
}

const untried = (choice: Open): Move | undefined =>
  choice.moves.find(
    (move) => !isSpent(choice, move) && !isIdleDeath(choice, move) && (move.isDeath || choice.racers.has(move.racer)),
  );

/**
 * Runs a race in every order of its calls, with every death at every point. If orders differ only in calls that touch
 * different rows, it runs one of them (sleep sets, Godefroid 1996), because the others have the same effect and
 * answers. It tries another racer first only if a later call of that racer touches the same rows (source sets, Abdulla
 * and others 2014).
 */
export async function explore(client: DynamoDBDocumentClient, race: Race): Promise<Explored> {
  const explored: Explored = { schedules: 0, crashes: 0, calls: 0 };
  const path: Choice[] = [];
  do {
    await race.reset();
    const known = path.length;
    const stage = await runOnce(client, race, path);
    reverseRaces(path, Math.max(known - 1, 0));
    if (!stage) continue;
    explored[stage.dead === undefined ? 'schedules' : 'crashes'] += 1;
    explored.calls += stage.made;
    await race.verify(stage.outcomes).catch((error) => {
      throw new Error(`${error.message}\nin the order ${path.map(({ chosen }) => chosen.id).join(' ')}`, {
        cause: error,
      });
    });
  } while (turnBack(path));
  return explored;
}

interface Sampling {
  random: () => number;
  runs: number;
  /** The racers that may die in one of the runs. By default, all live. */
  mortals?: readonly number[];
}

/** How often a racer dies, if one still may. */
const deathsPerMove = 0.1;

/**
 * Runs a race in this many random orders of its calls, if it is too large to try all. Returns how many of them
 * differed.
 */
export async function sample(
  client: DynamoDBDocumentClient,
  { racers, reset, verify }: Race,
  { random, runs, mortals = [] }: Sampling,
): Promise<number> {
  const choose = (moves: readonly Move[]): Move => {
    const deaths = moves.filter(({ isDeath }) => isDeath);
    if (deaths.length > 0 && random() < deathsPerMove) return pickOne(random, deaths);
    return pickOne(
      random,
      moves.filter(({ isDeath }) => !isDeath),
    );
  };
  const orders = new Set<string>();
  for (let run = 0; run < runs; run += 1) {
    await reset();
    const stage = new ScheduleStage(racers.length);
    const restore = sendThrough(client, stage.gate);
    const order: string[] = [];
    try {
      stage.start(racers.map((racer) => () => racer(stage)));
      for (let moves = await stage.nextMoves(mortals); moves.length > 0; moves = await stage.nextMoves(mortals)) {
        const move = choose(moves);
        order.push(move.id);
        stage.make(move);
      }
    } finally {
      restore();
    }
    orders.add(order.join(' '));
    await verify(stage.outcomes).catch((error) => {
      throw new Error(`${error.message}\nin the order ${order.join(' ')}`, { cause: error });
    });
  }
  return orders.size;
}

/** Follows the path and then continues with new moves. Returns undefined if there is nothing new. */
async function runOnce(
  client: DynamoDBDocumentClient,
  { racers, mortals = racers.map((_, index) => index) }: Race,
  path: Choice[],
): Promise<ScheduleStage | undefined> {
  const stage = new ScheduleStage(racers.length);
  const restore = sendThrough(client, stage.gate);
  let isNew = true;
  try {
    stage.start(racers.map((run) => () => run(stage)));
    for (let depth = 0; ; depth += 1) {
      const moves = await stage.nextMoves(mortals);
      if (moves.length === 0) return isNew ? stage : undefined;
      const next: Move | undefined = isNew ? choose(path, depth, moves) : undefined;
      isNew &&= next !== undefined;
      stage.make(next ?? (moves[0] as Move));
    }
  } finally {
    restore();
  }
}

function choose(path: Choice[], depth: number, moves: readonly Move[]): Move | undefined {
  const known = path[depth];
  if (known) {
    const move = moves.find(({ id }) => id === known.chosen.id);
    if (!move) throw new Error(`${known.chosen.id} is not possible again: a racer depends on more than its calls.`);
    Object.assign(known, { moves, chosen: move });
    return move;
  }
  const before = path.at(-1);
  const asleep = before ? asleepAfter(before) : new Set<string>();
  const first = moves.find(({ id, isDeath }) => !isDeath && !asleep.has(id));
  const choice = { moves, asleep, tried: new Set<string>(), racers: new Set<number>() };
  if (first) tryRacer(choice, first.racer);
  const chosen = untried(choice);
  if (chosen) path.push({ ...choice, chosen });
  return chosen;
}

/** Goes back to the last choice that has an untried move. Returns false if there is none. */
function turnBack(path: Choice[]): boolean {
  for (;;) {
    const last = path.at(-1);
    if (!last) return false;
    last.tried.add(last.chosen.id);
    const next = untried(last);
    if (next) {
      last.chosen = next;
      return true;
    }
    path.pop();
  }
}
