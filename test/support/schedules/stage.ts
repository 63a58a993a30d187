import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { Crashed } from '../faults/crash.ts';
import type { Send } from '../table/send-through.ts';
import { type Footprint, footprintOf, nothing } from './footprint.ts';

/** The next move of a racer: a call of the table, a step of the test, or its death. */
export interface Move {
  /** An id that is the same in every run that made the same moves before. */
  id: string;
  racer: number;
  isDeath: boolean;
  footprint: Footprint;
}

interface Waiting extends Move {
  go: () => void;
  die: () => void;
}

/** The longest time that a racer may compute between two calls. */
const patienceMs = 10_000;
/** A racer reacts to an answer within this many turns of the event loop, even while its other calls wait. */
const turnsAfterMove = 3;

/** Runs commands that wait before each call until the schedule lets them continue. */
export class ScheduleStage {
  readonly #racer = new AsyncLocalStorage<number>();
  readonly #waiting: Waiting[] = [];
  readonly #calls: number[];
  readonly #ended = new Set<number>();
  readonly outcomes: unknown[];
  /** The racers that have died. */
  dead: number | undefined;
  /** The calls that were allowed to run. */
  made = 0;

  constructor(racers: number) {
    this.#calls = Array.from({ length: racers }, () => 0);
    this.outcomes = Array.from({ length: racers }, () => undefined);
  }

  /** Intercepts the calls between a client and its table while the racers run. */
  gate =
    (send: Send): Send =>
    (command) =>
      this.#wait(footprintOf(command), () => send(command));

  /** Performs a step that is not a table call, such as a request to a receiver. */
  step = <Answer>(footprint: Footprint, act: () => Promise<Answer>): Promise<Answer> => this.#wait(footprint, act);

  #wait<Answer>(footprint: Footprint, act: () => Promise<Answer>): Promise<Answer> {
    const racer = this.#racer.getStore();
    if (racer === undefined) return act();
    if (this.dead === racer) return Promise.reject(new Crashed());
    const call = this.#calls[racer] as number;
    this.#calls[racer] = call + 1;
    return new Promise<Answer>((resolve, reject) => {
      const go = () => void act().then(resolve, reject);
      const die = () => reject(new Crashed());
      this.#waiting.push({ id: `${racer}.${call}`, racer, isDeath: false, footprint, go, die });
    });
  }

  start(racers: readonly (() => Promise<unknown>)[]): void {
    for (const [index, run] of racers.entries()) {
      const end = (outcome: unknown) => {
        this.outcomes[index] = this.dead === index ? undefined : outcome;
        this.#ended.add(index);
      };
      this.#racer.run(index, () => void run().then(end, end));
    }
  }

  /** Waits until every racer waits or has ended. Returns the possible next moves, including the death of a racer. */
  async nextMoves(mayDie: readonly number[]): Promise<Move[]> {
    const until = performance.now() + patienceMs;
    for (let turns = 0; turns < turnsAfterMove || !this.#isQuiet(); turns += 1) {
      if (performance.now() > until) throw new Error('A racer neither calls the table nor ends.');
      await turn();
    }
    const waiting = [...this.#waiting].sort((a, b) => (a.id < b.id ? -1 : 1));
    const mortal = this.dead === undefined ? mayDie.filter((racer) => waiting.some((one) => one.racer === racer)) : [];
    const deaths = mortal.map((racer) => ({ id: `${racer}.death`, racer, isDeath: true, footprint: nothing }));
    return [...waiting.map(({ go: _, die: __, ...move }) => move), ...deaths];
  }

  #isQuiet(): boolean {
    return this.#calls.every(
      (_, racer) => this.#ended.has(racer) || this.#waiting.some((waiting) => waiting.racer === racer),
    );
  }

  make({ id, racer, isDeath }: Move): void {
    if (isDeath) this.#kill(racer);
    else this.#letGo(id);
  }

  #letGo(id: string): void {
    const at = this.#waiting.findIndex((waiting) => waiting.id === id);
    const [waiting] = this.#waiting.splice(at, 1);
    this.made += 1;
    waiting?.go();
  }

  #kill(racer: number): void {
    this.dead = racer;
    const own = this.#waiting.filter((waiting) => waiting.racer === racer);
    for (const waiting of own) this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
    for (const waiting of own) waiting.die();
  }
}
