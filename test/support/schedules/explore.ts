import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { pickOne } from '../seeded.ts';
import { sendThrough } from '../table/send-through.ts';
import { areIndependent } from './footprint.ts';
import { reverseRaces, tryRacer } from './reversals.ts';
import { type Move, ScheduleStage } from './stage.ts';

/** Commands that run at the same time. */
export interface Race {
  racers: readonly ((stage: ScheduleStage) => Promise<unknown>)[];
  /** Those that may die before any of their calls. Default: all. */
  mortals?: readonly number[];
  /** Brings everything back to where the race begins. */
  reset: () => Promise<void>;
  /** Throws where something does not hold that must hold after every schedule. Who died has no outcome. */
  verify: (outcomes: readonly unknown[]) => Promise<void>;
}

export interface Explored {
  /** Schedules in which all lived to the end. */
  schedules: number;
  /** Schedules in which one of them died on the way. */
  crashes: number;
  /** The calls of all of them. */
  calls: number;
}

/** A point at which somebody has to be chosen. */
interface Choice {
  moves: readonly Move[];
  /** Moves that lead to nothing new from here, by id. */
  asleep: ReadonlySet<string>;
  tried: Set<string>;
  /** Racers whose calls are tried here; deaths always are. */
  racers: Set<number>;
  chosen: Move;
}

/** A death ends every other move of its racer; there is one death at the most. */
const commute = (a: Move, b: Move): boolean =>
  !(a.isDeath && b.isDeath) &&
  !((a.isDeath || b.isDeath) && a.racer === b.racer) &&
  areIndependent(a.footprint, b.footprint);

/** What was tried before, or sleeps, stays asleep after a move that changes nothing for it. */
function asleepAfter({ moves, asleep, tried, chosen }: Choice): Set<string> {
  const sleepers = moves.filter(({ id }) => asleep.has(id) || tried.has(id));
  return new Set(sleepers.filter((one) => commute(one, chosen)).map(({ id }) => id));
}

type Open = Omit<Choice, 'chosen'>;

const isSpent = ({ asleep, tried }: Open, { id }: Move): boolean => asleep.has(id) || tried.has(id);

/** Whether nothing new follows a death: it changes nothing for the calls of the others, and from here they lead to nothing new. */
function isIdleDeath(choice: Open, { racer, isDeath }: Move): boolean {
  const others = choice.moves.filter((move) => !move.isDeath && move.racer !== racer);
  return isDeath && others.length > 0 && others.every((move) => isSpent(choice, move));
}

const untried = (choice: Open): Move | undefined =>
  choice.moves.find(
    (move) => !isSpent(choice, move) && !isIdleDeath(choice, move) && (move.isDeath || choice.racers.has(move.racer)),
  );

/**
 * Runs a race in every order of its calls, with every death at every point. Of orders that differ only in calls that touch
 * different rows one is run (sleep sets, Godefroid 1996), because the others have the same effect and the same answers. Another
 * racer is tried first only where a later call of it touches the same rows (source sets, Abdulla and others 2014).
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

/** Runs a race too large to be explored in so many random orders of its calls. Returns how many of them differed. */
export async function sample(
  client: DynamoDBDocumentClient,
  { racers, reset, verify }: Race,
  { random, runs }: { random: () => number; runs: number },
): Promise<number> {
  const orders = new Set<string>();
  for (let run = 0; run < runs; run += 1) {
    await reset();
    const stage = new ScheduleStage(racers.length);
    const restore = sendThrough(client, stage.gate);
    const order: string[] = [];
    try {
      stage.start(racers.map((racer) => () => racer(stage)));
      for (let moves = await stage.nextMoves([]); moves.length > 0; moves = await stage.nextMoves([])) {
        const move = pickOne(random, moves);
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

/** Follows the path, then goes on in new ways; undefined where nothing new lies. */
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

/** Takes the last choice that has another way out; false when there is none. */
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
