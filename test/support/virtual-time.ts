import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

/** How often no sleeper may be left while other work is under way, such as a module that loads. */
const mostIdle = 10_000;

interface Timer {
  at: number;
  wake: () => void;
}

/** A clock that stands still during work, and jumps to the end of the shortest sleep. */
export function virtualTime() {
  const sleepers: Timer[] = [];
  let now = 0;
  const pause = (ms: number) =>
    new Promise<void>((wake) => {
      const timer = { at: now + ms, wake };
      const later = sleepers.findIndex(({ at }) => at > timer.at);
      sleepers.splice(later < 0 ? sleepers.length : later, 0, timer);
    });

  /** Runs until the work is done; the real time that passes is the processor's alone. */
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

/** What a function does between two calls takes so many turns of the event loop. */
const turnsOfWork = 3;

/** Runs work whose every pause, and every look at a clock that never goes back, is of virtual time. */
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
