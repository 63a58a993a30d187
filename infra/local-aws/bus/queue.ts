import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { failedItems } from '../batch-response.ts';
import type { Invoke } from '../functions.ts';
import { reportGivenUp, reportRetry } from '../log.ts';

interface QueueOptions {
  function: string;
  invoke: Invoke;
  /** The most messages of one call. */
  most: number;
  /** How many milliseconds a message waits for others. */
  windowMs: number;
  /** The pauses in milliseconds before each retry of failed messages. After the last retry, they are dropped. */
  retryDelaysMs: readonly number[];
}

/** A queue in front of a function. */
interface LocalQueue {
  send(body: string, delayMs?: number): void;
  /** Counts the messages that no call has taken yet. */
  waiting(): number;
  /** Delivers the waiting messages, stops retrying, and waits for running calls. */
  stop(): Promise<void>;
}

interface Message {
  messageId: string;
  body: string;
}

/** Acts after delays, or at once when the signal ends them. */
function delays(signal: AbortSignal) {
  const waiting = new Set<Promise<void>>();
  const after = (ms: number, act: () => void): void => {
    const delay = pause(ms, undefined, { signal })
      .then(act, act)
      .finally(() => waiting.delete(delay));
    waiting.add(delay);
  };
  return { after, ended: () => Promise.all(waiting) };
}

/**
 * Calls a function with batches of messages, like SQS and Lambda. Messages that the function reports as failed are
 * delivered again.
 */
export function startQueue({ invoke, most, windowMs, retryDelaysMs, ...options }: QueueOptions): LocalQueue {
  const waiting: Message[] = [];
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  const delayed = delays(stopping.signal);
  let timer: NodeJS.Timeout | undefined;

  const failedOf = async (batch: readonly Message[]): Promise<readonly Message[]> => {
    try {
      const failed = failedItems(await invoke(options.function, { Records: batch }));
      return failed ? batch.filter(({ messageId }) => failed.includes(messageId)) : batch;
    } catch (error) {
      reportRetry('A batch of messages failed.', error, { functionName: options.function });
      return batch;
    }
  };

  const deliver = async (batch: readonly Message[]): Promise<void> => {
    let rest = await failedOf(batch);
    for (const delayMs of retryDelaysMs) {
      if (rest.length === 0) return;
      await pause(delayMs, undefined, { signal: stopping.signal });
      rest = await failedOf(rest);
    }
    if (rest.length > 0)
      reportGivenUp('Messages were given up.', { functionName: options.function, messages: rest.length });
  };

  const handOver = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const delivering: Promise<void> = deliver(waiting.splice(0, most))
      .catch(() => {}) // Only the pause before a retry can reject, when the queue stops.
      .then(() => void running.delete(delivering));
    running.add(delivering);
  };

  const accept = (body: string): void => {
    waiting.push({ messageId: randomUUID(), body });
    if (waiting.length >= most) handOver();
    else timer ??= setTimeout(handOver, windowMs);
  };

  return {
    send(body, delayMs = 0) {
      if (delayMs === 0) return accept(body);
      delayed.after(delayMs, () => accept(body));
    },
    waiting: () => waiting.length,
    async stop() {
      stopping.abort();
      await delayed.ended();
      if (waiting.length > 0) handOver();
      await Promise.all(running);
    },
  };
}
