import { GetQueueAttributesCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, expect, it, vi } from 'vitest';
import { type QueueServer, startQueueServer } from '../../infra/local-aws/bus/queue-server.ts';
import { localAws } from '../../infra/local-aws/local-aws.ts';
import { collectLog } from '../local/log.ts';

const log = collectLog();
let queue: QueueServer;
afterEach(() => queue.stop());

/** A queue with the real client; `batches` are the bodies that its function is called with. */
async function queueWith(seconds: number) {
  const batches: string[][] = [];
  const invoke = async (_: string, event: unknown) => {
    const { Records } = event as { Records: { body: string }[] };
    batches.push(Records.map(({ body }) => body));
  };
  queue = await startQueueServer({ consumer: { function: 'documents/issue', batch: { most: 10, seconds } }, invoke });
  const { origin } = new URL(queue.url);
  const client = new SQSClient({ endpoint: origin, region: localAws.region, credentials: localAws, maxAttempts: 1 });
  const send = (bodies: readonly string[], QueueUrl = queue.url, DelaySeconds = 0) => {
    const Entries = bodies.map((MessageBody, index) => ({ Id: String(index), MessageBody, DelaySeconds }));
    return client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
  };
  const count = async () => {
    const AttributeNames: ['ApproximateNumberOfMessages'] = ['ApproximateNumberOfMessages'];
    return (await client.send(new GetQueueAttributesCommand({ QueueUrl: queue.url, AttributeNames }))).Attributes;
  };
  return { send, count, batches };
}

it('the local queue server accepts messages from the real SQS client, and delivers them in one batch', async () => {
  const { send, batches } = await queueWith(0.01);
  const { Successful, Failed } = await send(['{"a":1}', '{"b":2}']);
  expect(Successful?.map(({ Id }) => Id)).toEqual(['0', '1']);
  expect(Failed ?? []).toEqual([]);
  await vi.waitFor(() => expect(batches).toEqual([['{"a":1}', '{"b":2}']]));
});

it('the local queue server delivers waiting messages when it stops', async () => {
  const { send, batches } = await queueWith(60);
  await send(['{"a":1}']);
  await queue.stop();
  expect(batches).toEqual([['{"a":1}']]);
});

it('the local queue server counts the messages that no call has taken', async () => {
  const { send, count } = await queueWith(60);
  await send(['{"a":1}', '{"b":2}']);
  expect(await count()).toEqual({ ApproximateNumberOfMessages: '2' });
});

it('the local queue server delivers a message after its delay, or when it stops', async () => {
  const { send, count, batches } = await queueWith(0);
  await send(['{"a":1}'], queue.url, 60);
  expect([await count(), batches]).toEqual([{ ApproximateNumberOfMessages: '0' }, []]);
  await queue.stop();
  expect(batches).toEqual([['{"a":1}']]);
});

it('the local queue server refuses another queue’s messages, and more than ten at once', async () => {
  const { send, batches } = await queueWith(0);
  await expect(send(['{}'], `${queue.url}-other`)).rejects.toThrow();
  await expect(send(Array(11).fill('{}'))).rejects.toThrow();
  await queue.stop();
  expect(batches).toEqual([]);
  expect(log.filter((line) => line.includes('The queue failed.'))).toHaveLength(2);
});
