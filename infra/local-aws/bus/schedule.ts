import { setTimeout as pause } from 'node:timers/promises';
import type { Invoke } from '../functions.ts';
import { reportFailure } from '../log.ts';
import { wrapEvent } from './event-envelope.ts';

export interface Schedule {
  function: string;
  everySeconds: number;
  invoke: Invoke;
}

const tick = () => wrapEvent({ source: 'aws.events', detailType: 'Scheduled Event', detail: {} });

async function repeat({ invoke, function: name, everySeconds }: Schedule, signal: AbortSignal): Promise<void> {
  for (;;) {
    await pause(everySeconds * 1_000, undefined, { signal });
    await invoke(name, tick()).catch((error: unknown) =>
      reportFailure('A scheduled function failed.', error, { functionName: name }),
    );
  }
}

/** Calls a function repeatedly, each time after the previous call ends. Stopping waits for the running call. */
export function startSchedule(schedule: Schedule): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const repeating = repeat(schedule, stopping.signal).catch(() => {});
  return {
    stop: () => {
      stopping.abort();
      return repeating;
    },
  };
}
