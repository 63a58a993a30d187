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

const once = ({ invoke, function: name }: Schedule): Promise<unknown> =>
  invoke(name, tick()).catch((error: unknown) =>
    reportFailure('A scheduled function failed.', error, { functionName: name }),
  );

async function repeat(schedule: Schedule, signal: AbortSignal): Promise<void> {
  for (;;) {
    await pause(schedule.everySeconds * 1_000, undefined, { signal });
    await once(schedule);
  }
}

/**
 * Calls a function repeatedly, each time after the previous call ends, and besides whenever it is told to. Stopping
 * waits for the running call.
 */
export function startSchedule(schedule: Schedule): { runNow(): Promise<unknown>; stop(): Promise<void> } {
  const stopping = new AbortController();
  const repeating = repeat(schedule, stopping.signal).catch(() => {});
  return {
    runNow: () => once(schedule),
    stop: () => {
      stopping.abort();
      return repeating;
    },
  };
}
