import { createHash, randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import * as z from 'zod';
import type { Invoke } from '../functions.ts';
import { localAws } from '../local-aws.ts';
import { reportFailure } from '../log.ts';
import { listenOnLoopback, readBody } from '../loopback-server.ts';
import { startQueue } from './queue.ts';

interface QueueServerOptions {
  /**
   * The function that gets the messages. `batch` is the most messages of one call, and how many seconds the first
   * message waits for others.
   */
  consumer: { function: string; batch: { most: number; seconds: number } };
  invoke: Invoke;
  /** The pauses in milliseconds before each repetition of messages that failed. */
  retryDelaysMs?: readonly number[];
}

export interface QueueServer {
  /** The address of the queue, in the form of SQS. */
  url: string;
  /** Accepts no more messages, delivers the waiting ones, and waits for running calls. */
  stop(): Promise<void>;
}

const maxRequestBytes = 1024 * 1024;

const OfQueue = z.object({ QueueUrl: z.string() });

const SendMessageBatch = OfQueue.extend({
  Entries: z
    .array(
      z.object({
        Id: z.string(),
        MessageBody: z.string().min(1),
        DelaySeconds: z.int().min(0).max(900).default(0),
      }),
    )
    .min(1)
    .max(10),
});
type SendMessageBatch = z.infer<typeof SendMessageBatch>;

const taken = ({ Id, MessageBody }: SendMessageBatch['Entries'][number]) => ({
  Id,
  MessageId: randomUUID(),
  MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
});

/**
 * Starts an SQS queue on this machine. It has SendMessageBatch and GetQueueAttributes over HTTP, and calls a function
 * with the messages.
 */
export async function startQueueServer(options: QueueServerOptions): Promise<QueueServer> {
  const { consumer, invoke, retryDelaysMs = [200, 1_000] } = options;
  const { most, seconds } = consumer.batch;
  const queue = startQueue({
    ...{ function: consumer.function, invoke, most, windowMs: seconds * 1_000, retryDelaysMs },
  });
  const accept = (body: unknown) => {
    const { QueueUrl, Entries } = SendMessageBatch.parse(body);
    refuseOther(QueueUrl);
    for (const { MessageBody, DelaySeconds } of Entries) queue.send(MessageBody, DelaySeconds * 1_000);
    return { Successful: Entries.map(taken), Failed: [] };
  };
  const count = (body: unknown) => {
    refuseOther(OfQueue.parse(body).QueueUrl);
    return { Attributes: { ApproximateNumberOfMessages: String(queue.waiting()) } };
  };
  const refuseOther = (url: string) => {
    if (!url.endsWith(path)) throw new Error(`There is no queue ${url}.`);
  };
  const path = `/${localAws.account}/${consumer.function.replace(/.*\//, '')}`;
  const listener: RequestListener = async (request, response) => {
    try {
      const body = await readBody(request, maxRequestBytes);
      const isCount = request.headers['x-amz-target'] === 'AmazonSQS.GetQueueAttributes';
      const answer = (isCount ? count : accept)(JSON.parse(String(body)));
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' });
      response.end(JSON.stringify(answer));
    } catch (error) {
      reportFailure('The queue failed.', error);
      response.destroy();
    }
  };
  const server = await listenOnLoopback(listener);
  return {
    url: `http://127.0.0.1:${server.port}${path}`,
    stop: async () => {
      await server.close();
      await queue.stop();
    },
  };
}
