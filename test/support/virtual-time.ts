import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

/** How many checks may find no sleeper while other work is running, such as the loading of a module. */
const mostIdle = 10_000;

interface Timer {
  at: number;
  wake: () => void;
  isCleared?: true;
}

/** The place of the first timer that ends after an instant. The timers are in order, and there can be thousands. */
function firstAfter(timers: readonly Timer[], at: number): number {
  let [least, most] = [0, timers.length];
  while (least < most) {
    const middle = (least + most) >> 1;
    if ((timers[middle]?.at ?? at) > at) most = middle;
    else least = middle + 1;
  }
  return least;
}

/** A clock that stands still while code works, and then jumps to the end of the shortest sleep. */
export function virtualTime() {
  const sleepers: Timer[] = [];
  let now = 0;
  const after = (ms: number, wake: () => void): Timer => {
    const timer = { at: now + ms, wake };
    sleepers.splice(firstAfter(sleepers, timer.at), 0, timer);
    return timer;
  };
  const pause = (ms: number) => new Promise<void>((wake) => void after(ms, wake));

  /** Runs until the work is done. Sleeps take no real time, only computing does. */
  async function run<T>(work: Promise<T>, turnsBetween = 1): Promise<T> {
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    done.catch(() => {});
    for (let idle = 0; ; ) {
      for (let turn = 0; turn < turnsBetween; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      if (isDone) return done;
      const next = sleepers.shift();
      idle = next ? 0 : idle + 1;
      if (idle > mostIdle) throw new Error('Everybody waits, and nobody sleeps.');
      if (!next || next.isCleared) continue;
      now = next.at;
      next.wake();
    }
  }

  return { elapsedMs: () => now, after, pause, run };
}

/** The number of event loop turns that a function needs between two calls. */
const turnsOfWork = 3;

type Time = ReturnType<typeof virtualTime>;

/** Makes the timers of this process virtual too, such as the time limit of a function. Returns a function that undoes it. */
function useTimersOf(time: Time): () => void {
  const { setTimeout: realTimer, clearTimeout: clearReal } = globalThis;
  const { timeout: realLimit } = AbortSignal;
  const virtual = new WeakMap<object, Timer>();
  globalThis.setTimeout = ((act: () => void, ms = 0) => {
    const timer = time.after(ms, act);
    virtual.set(timer, timer);
    return timer;
  }) as unknown as typeof realTimer;
  globalThis.clearTimeout = ((timer?: NodeJS.Timeout) => {
    const cleared = timer && virtual.get(timer);
    if (cleared) cleared.isCleared = true;
    else clearReal(timer);
  }) as typeof clearReal;
  AbortSignal.timeout = (ms) => {
    const limit = new AbortController();
    time.after(ms, () => limit.abort(new DOMException('The operation timed out.', 'TimeoutError')));
    return limit.signal;
  };
  return () => {
    Object.assign(globalThis, { setTimeout: realTimer, clearTimeout: clearReal });
    AbortSignal.timeout = realLimit;
  };
}

/** Runs work with virtual time: all pauses, timers and reads of the monotonic clock are virtual. */
export async function inVirtualTime<T>(work: () => Promise<T>): Promise<T> {
  const time = virtualTime();
  const { setTimeout: realPause } = timers;
  const { now } = performance;
  timers.setTimeout = ((ms = 0, value) => time.pause(ms).then(() => value)) as typeof realPause;
  performance.now = () => time.elapsedMs();
  const restoreTimers = useTimersOf(time);
  syncBuiltinESMExports();
  try {
    return await time.run(work(), turnsOfWork);
  } finally {
    timers.setTimeout = realPause;
    performance.now = now;
    restoreTimers();
    syncBuiltinESMExports();
  }
}
