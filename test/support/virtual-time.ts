import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

/** How many checks may find no sleeper while other work is running, such as the loading of a module. */
const mostIdle = 10_000;

interface Timer {
  at: number;
  wake: () => void;
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
  const pause = (ms: number) =>
    new Promise<void>((wake) => {
      const timer = { at: now + ms, wake };
      sleepers.splice(firstAfter(sleepers, timer.at), 0, timer);
    });

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
      if (!next) continue;
      now = next.at;
      next.wake();
    }
  }

  return { elapsedMs: () => now, pause, run };
}

/** The number of event loop turns that a function needs between two calls. */
const turnsOfWork = 3;

/** Runs work with virtual time: all pauses and all reads of the monotonic clock are virtual. */
export async function inVirtualTime<T>(work: () => Promise<T>): Promise<T> {
  const time = virtualTime();
  const { setTimeout: realPause } = timers;
  const { now } = performance;
  timers.setTimeout = ((ms = 0, value) => time.pause(ms).then(() => value)) as typeof realPause;
  performance.now = () => time.elapsedMs();
  syncBuiltinESMExports();
  try {
    return await time.run(work(), turnsOfWork);
  } finally {
    timers.setTimeout = realPause;
    performance.now = now;
    syncBuiltinESMExports();
  }
}
