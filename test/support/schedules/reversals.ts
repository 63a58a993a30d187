import { areIndependent } from './footprint.ts';
import type { Move } from './stage.ts';

/** A point of a schedule: the moves that were possible, the racers whose calls are to be tried, and the chosen move. */
interface Point {
  moves: readonly Move[];
  racers: Set<number>;
  chosen: Move;
}

/**
 * Marks a racer whose calls are to be tried at a point. If that racer makes several calls at a time, marks all racers,
 * because any of these calls may be its last one.
 */
export function tryRacer({ moves, racers }: Omit<Point, 'chosen'>, racer: number): void {
  const calls = moves.filter(({ isDeath }) => !isDeath);
  const isAlone = calls.filter((call) => call.racer === racer).length === 1;
  for (const call of isAlone ? [{ racer }] : calls) racers.add(call.racer);
}

/** Says whether two calls belong to different racers and one changes a row that the other touches. */
const conflict = (a: Move, b: Move): boolean => a.racer !== b.racer && !areIndependent(a.footprint, b.footprint);

/** Lists for each move the earlier moves that precede it in every order with the same effect. */
function causesOf(moves: readonly Move[]): Set<number>[] {
  const causes: Set<number>[] = [];
  for (const [at, move] of moves.entries()) {
    const own = new Set<number>();
    for (const [before, other] of moves.slice(0, at).entries())
      if (other.racer === move.racer || conflict(other, move))
        for (const one of [before, ...(causes[before] as Set<number>)]) own.add(one);
    causes.push(own);
  }
  return causes;
}

/**
 * Finds pairs of successive calls that touch the same rows and could run in reverse order. Marks a racer that leads to
 * the reverse order, to be tried before the first call. Checks only pairs whose second call is not before `from`.
 */
export function reverseRaces(path: readonly Point[], from: number): void {
  const causes = causesOf(path.map(({ chosen }) => chosen));
  for (let later = from; later < path.length; later += 1)
    for (const earlier of causes[later] ?? [])
      if (isRace(path, causes, earlier, later)) tryFirst(path, causes, earlier, later);
}

function isRace(path: readonly Point[], causes: readonly Set<number>[], earlier: number, later: number): boolean {
  const [a, b] = [path[earlier]?.chosen, path[later]?.chosen];
  if (!a || !b || a.racer === b.racer) return false;
  return ![...(causes[later] ?? [])].some((between) => causes[between]?.has(earlier));
}

/** Moves between the two that do not depend on the first one can run before it, and so can the second one. */
function tryFirst(path: readonly Point[], causes: readonly Set<number>[], earlier: number, later: number): void {
  const free: number[] = [];
  for (let at = earlier + 1; at <= later; at += 1) if (at === later || !causes[at]?.has(earlier)) free.push(at);
  const first = free.filter((at) => !free.some((other) => causes[at]?.has(other)));
  const leading = first.flatMap((at) => path[at]?.chosen ?? []);
  const point = path[earlier];
  if (!point || leading.some(({ isDeath, racer }) => isDeath || point.racers.has(racer))) return;
  if (leading[0]) tryRacer(point, leading[0].racer);
}
