import type { SQSEvent } from 'aws-lambda';
import { describe, expect, it, vi } from 'vitest';
import { startQueue } from '../../infra/local-aws/bus/queue.ts';
import { collectLog } from '../local/log.ts';

const log = collectLog();

type Act = (bodies: string[], records: SQSEvent['Records'], call: number) => unknown;

/** A queue of three messages a call; `calls` are the bodies of each call. */
function queueWith(act: Act = () => undefined, windowMs = 5) {
  const calls: string[][] = [];
  const invoke = async (_: string, event: unknown) => {
    const { Records } = event as SQSEvent;
    const bodies = Records.map(({ body }) => body);
    calls.push(bodies);
    return act(bodies, Records, calls.length);
  };
  const queue = startQueue({ function: 'documents', invoke, most: 3, windowMs, retryDelaysMs: [1, 1] });
  return { queue, calls };
}

const failing = (records: SQSEvent['Records']) => ({
  batchItemFailures: records.map(({ messageId }) => ({ itemIdentifier: messageId })),
});

describe('the local queue', () => {
  it('passes all messages of one time window to the function in one call', async () => {
    const { queue, calls } = queueWith();
    queue.send('a');
    queue.send('b');
    await vi.waitFor(() => expect(calls).toEqual([['a', 'b']]));
    await queue.stop();
  });

  it('passes a full batch to the function at once', async () => {
    const { queue, calls } = queueWith(undefined, 60_000);
    for (const message of ['a', 'b', 'c', 'd']) queue.send(message);
    await vi.waitFor(() => expect(calls).toEqual([['a', 'b', 'c']]));
    await queue.stop();
    expect(calls).toEqual([['a', 'b', 'c'], ['d']]);
  });

  it('repeats only the messages that the function names as failed', async () => {
    const { queue, calls } = queueWith((bodies, records, call) =>
      call === 1 ? failing(records.filter((_, index) => bodies[index] === 'b')) : undefined,
    );
    queue.send('a');
    queue.send('b');
    await vi.waitFor(() => expect(calls).toEqual([['a', 'b'], ['b']]));
    await queue.stop();
    expect(calls).toHaveLength(2);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('No.'))],
    ['answers something else', () => ({ batchItemFailures: [{}] })],
  ])('gives up a batch and logs an error after its function %s three times', async (_, act) => {
    const { queue, calls } = queueWith(act);
    queue.send('a');
    await vi.waitFor(() => expect(log.join()).toContain('Messages were given up.'));
    await queue.stop();
    expect(calls).toHaveLength(3);
  });
});
