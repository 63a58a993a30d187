interface Timer {
  at: number;
  wake: () => void;
}

/** A clock that stands still during work, and jumps to the end of the shortest sleep. */
export function virtualTime() {
  const timers: Timer[] = [];
  let now = 0;
  const pause = (ms: number) =>
    new Promise<void>((wake) => {
      const timer = { at: now + ms, wake };
      const later = timers.findIndex(({ at }) => at > timer.at);
      timers.splice(later < 0 ? timers.length : later, 0, timer);
    });

  /** Runs until the work is done; the real time that passes is the processor's alone. */
  async function run<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    done.catch(() => {});
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      if (isDone) return done;
      const next = timers.shift();
      if (!next) throw new Error('Everybody waits, and nobody sleeps.');
      now = next.at;
      next.wake();
    }
  }

  return { elapsedMs: () => now, pause, run };
}
