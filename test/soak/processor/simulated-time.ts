import { world } from '../../../shared/wiring/runtime.ts';

export const minuteMs = 60_000;

interface Sleeper {
  at: number;
  wake: () => void;
}

/** A clock that stands still while anybody does something, and scripts that sleep by it. */
export class SimulatedTime {
  readonly faults: unknown[] = [];
  #at: number;
  #awake = 0;
  #sleepers: Sleeper[] = [];
  #settled: () => void = () => {};

  constructor(start: string) {
    this.#at = Date.parse(start);
    world.now = () => new Date(this.#at);
  }

  now(): number {
    return this.#at;
  }

  get asleep(): number {
    return this.#sleepers.length;
  }

  /** When the next script goes on; undefined: there is none. */
  get nextAt(): number | undefined {
    return this.#sleepers.length === 0 ? undefined : Math.min(...this.#sleepers.map(({ at }) => at));
  }

  /** Begins a script. An error that it throws is stored as a fault. */
  begin(script: () => Promise<void>): void {
    this.#awake += 1;
    script()
      .catch((error: unknown) => void this.faults.push(error))
      .finally(() => this.#rest());
  }

  sleep(minutes: number): Promise<void> {
    const { promise, resolve: wake } = Promise.withResolvers<void>();
    this.#sleepers.push({ at: this.#at + minutes * minuteMs, wake });
    this.#rest();
    return promise;
  }

  /** Goes several ways at the same time, each of which may sleep, and on when all have ended. */
  async together<Result>(ways: readonly (() => Promise<Result>)[]): Promise<Result[]> {
    let unfinished = ways.length;
    this.#awake += unfinished - 1;
    const go = async (way: () => Promise<Result>): Promise<Result> => {
      try {
        return await way();
      } finally {
        unfinished -= 1;
        if (unfinished > 0) this.#rest();
      }
    };
    return Promise.all(ways.map(go));
  }

  /** Moves the clock, wakes those whose time has come, and waits until all of them sleep or have ended. */
  async advance(milliseconds: number): Promise<void> {
    this.#at += milliseconds;
    const due = this.#sleepers.filter(({ at }) => at <= this.#at);
    this.#sleepers = this.#sleepers.filter(({ at }) => at > this.#at);
    for (const { wake } of due) {
      this.#awake += 1;
      wake();
    }
    await this.settled();
  }

  async settled(): Promise<void> {
    if (this.#awake === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#settled = resolve;
    await promise;
  }

  #rest(): void {
    this.#awake -= 1;
    if (this.#awake === 0) this.#settled();
  }
}
