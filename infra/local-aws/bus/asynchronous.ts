import { setTimeout as pause } from 'node:timers/promises';
import type { Invoke } from '../functions.ts';
import { reportFailure, reportRetry } from '../log.ts';

/** Calls functions asynchronously, like Lambda does for a bus. */
interface AsynchronousCalls {
  start(functionName: string, event: unknown): void;
  /** Stops retrying, and waits for running calls. */
  stop(): Promise<void>;
}

/** Retries a failed call after each of the delays, then logs an error and gives up. */
export function asynchronousCalls(invoke: Invoke, retryDelaysMs: readonly number[]): AsynchronousCalls {
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();

  const call = async (functionName: string, event: unknown): Promise<void> => {
    for (const delayMs of retryDelaysMs) {
      try {
        await invoke(functionName, event);
        return;
      } catch (error) {
        reportRetry('A function failed and will be called again.', error, { functionName, delayMs });
        await pause(delayMs, undefined, { signal: stopping.signal });
      }
    }
    await invoke(functionName, event);
  };

  const giveUp = (functionName: string) => (error: unknown) => {
    if (stopping.signal.aborted) return;
    reportFailure('A function failed for the last time.', error, { functionName });
  };

  return {
    start(functionName, event) {
      const calling: Promise<void> = call(functionName, event)
        .catch(giveUp(functionName))
        .then(() => void running.delete(calling));
      running.add(calling);
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}
