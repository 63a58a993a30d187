import { setTimeout as pause } from 'node:timers/promises';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { GetAccountCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { queueConsumer } from '../../../infra/endpoints.ts';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { table } from '../../../shared/wiring/runtime.ts';
import { sendThrough } from '../../support/table/send-through.ts';
import { model } from './model.ts';

/** Thrown if Lambda starts no more functions. The gateway answers 503. */
export class NoFunctionLeft extends Error {}

/** Lambda: calls take time, start cold, and are refused beyond the account's concurrency. */
export function lambdas(atOnce: number = model.functionsAtOnce) {
  const seen = { running: 0, warm: 0, refused: 0 };
  async function call<Result>(ms: number, act: () => Promise<Result>): Promise<Result> {
    if (seen.running >= atOnce) {
      seen.refused += 1;
      throw new NoFunctionLeft();
    }
    seen.running += 1;
    const isCold = seen.running > seen.warm;
    seen.warm = Math.max(seen.warm, seen.running);
    try {
      await pause(ms + (isCold ? model.coldStartMs : 0));
      return await act();
    } finally {
      seen.running -= 1;
    }
  }
  return { call, seen };
}

type Lambdas = ReturnType<typeof lambdas>;

interface Message {
  body: string;
  at: number;
}

/** The queue of documents and its workers. A worker takes up to 99 messages, and works for as long as the model says. */
export function documentQueueOf({ call }: Lambdas, workers: number, isMailing: boolean) {
  const waiting: Message[] = [];
  const seen = { sent: 0, calls: 0, failed: 0, longest: 0 };
  const { most, seconds } = queueConsumer.batch;
  let running = 0;

  const workOn = async (batch: readonly Message[]): Promise<void> => {
    seen.calls += 1;
    const records = batch.map(({ body }, index) => ({ messageId: String(index), body }));
    const ms = batch.length * (model.callMs.document + (isMailing ? model.callMs.mail : 0));
    const work = () => invokeFunction(queueConsumer.function, { Records: records });
    const failed = await call(ms, work).then(
      (answer) => (answer as { batchItemFailures: { itemIdentifier: string }[] }).batchItemFailures,
      () => records.map(({ messageId }) => ({ itemIdentifier: messageId })),
    );
    seen.failed += failed.length;
    for (const { itemIdentifier } of failed)
      void pause(model.hiddenMs).then(() => push(batch[Number(itemIdentifier)]?.body ?? ''));
  };
  const poll = async (): Promise<void> => {
    if (running >= workers) return;
    running += 1;
    while (waiting.length > 0) {
      if (waiting.length < most) await pause(seconds * 1_000);
      const batch = waiting.splice(0, most);
      if (batch.length > 0) await workOn(batch);
    }
    running -= 1;
  };
  const push = (body: string): void => {
    waiting.push({ body, at: performance.now() });
    seen.longest = Math.max(seen.longest, waiting.length);
    void poll();
  };
  return { waiting, seen, push, isIdle: () => running === 0 && waiting.length === 0 };
}

/** SES: it accepts so many mails a second, and refuses the others. */
export function mailService(perSecond: number) {
  const accepted: { to: string; at: number }[] = [];
  const seen = { refused: 0 };
  let [room, since] = [perSecond, 0];
  const send = async (to: string): Promise<object> => {
    await pause(model.mailMs);
    const now = performance.now();
    room = Math.min(Math.max(1, perSecond), room + ((now - since) / 1_000) * perSecond);
    since = now;
    if (room < 1) {
      seen.refused += 1;
      throw Object.assign(new Error('Maximum sending rate exceeded.'), { name: 'TooManyRequestsException' });
    }
    room -= 1;
    accepted.push({ to, at: now });
    return { MessageId: '1' };
  };
  return { accepted, seen, perSecond, send };
}

interface Clients {
  queue: ReturnType<typeof documentQueueOf>;
  mails: ReturnType<typeof mailService>;
  /** Called with each entry that the sweep puts on the bus. */
  onBus: (detail: string) => void;
}

interface Sent {
  input: object;
}

/** Answers the clients of SQS, SES and EventBridge in this process. Returns a function that undoes it. */
export function answerClients({ queue, mails, onBus }: Clients): () => void {
  const replaced = (prototype: object, send: (command: Sent) => Promise<object>) => {
    Object.assign(prototype, { send });
    return () => void Reflect.deleteProperty(prototype, 'send');
  };
  const undo = [
    replaced(SQSClient.prototype, async (command) => {
      if (command instanceof GetQueueAttributesCommand)
        return { Attributes: { ApproximateNumberOfMessages: String(queue.waiting.length) } };
      const { Entries } = command.input as { Entries: { Id: string; MessageBody: string; DelaySeconds?: number }[] };
      queue.seen.sent += Entries.length;
      for (const { MessageBody, DelaySeconds = 0 } of Entries)
        void pause(DelaySeconds * 1_000).then(() => queue.push(MessageBody));
      return { Successful: Entries.map(({ Id }) => ({ Id })) };
    }),
    replaced(SESv2Client.prototype, async (command) => {
      const SendQuota = { MaxSendRate: mails.perSecond, Max24HourSend: -1 };
      if (command instanceof GetAccountCommand) return { SendQuota };
      return mails.send((command.input as { Destination: { ToAddresses: string[] } }).Destination.ToAddresses[0] ?? '');
    }),
    replaced(EventBridgeClient.prototype, async ({ input }) => {
      const { Entries } = input as { Entries: { Detail: string }[] };
      for (const { Detail } of Entries) onBus(Detail);
      return { Entries: Entries.map(() => ({ EventId: '1' })) };
    }),
  ];
  return () => {
    for (const one of undo) one();
  };
}

interface CommittedEvent {
  id: string;
  type: string;
  paymentId: string;
}

type Puts = { Put?: { Item: CommittedEvent & { entity: string; pk: string } } }[];

interface CommitWatch {
  event: (event: CommittedEvent) => void;
  /** Called with the id of a payment whose invoice was written. */
  document: (subjectId: string) => void;
}

/** Says what transactions have committed, as the table's stream does. */
export const watchCommits = (watch: CommitWatch): (() => void) =>
  sendThrough(table().client, (send) => async (command) => {
    const answer = await send(command);
    for (const { Put } of (command.input['TransactItems'] ?? []) as Puts) {
      if (Put?.Item.entity === 'EVENT') watch.event(Put.Item);
      if (Put?.Item.entity === 'DOCUMENT') watch.document(Put.Item.pk.slice('DOCUMENT#'.length));
    }
    return answer;
  });
