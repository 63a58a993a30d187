import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isOfDialect } from '../../../../shared/domain/webhooks/event-types.ts';
import { toSecret } from '../../../../shared/domain/webhooks/webhook.ts';
import { eventTypes } from '../../../../shared/events/catalogue.ts';
import { UsageError } from '../../../usage-error.ts';
import type { CommandOutcome, ProgramCommand, TypedWords } from '../../kit/command.ts';
import type { ApiCaller } from '../api.ts';
import type { Context } from '../context.ts';
import { exitCodeFor } from '../failures.ts';
import { momentOf } from '../moment.ts';
import { EventFeed, type FeedEvent } from './event-feed.ts';
import { type Forwarded, forwardEvent, localAddressOf } from './forward.ts';
import { openListener } from './listeners.ts';

const usualInterval = '2';
const longestWaitMs = 30_000;

/** The state of `listen` while it runs. */
interface Watch {
  context: Context;
  api: ApiCaller;
  to: string | undefined;
  secret: string;
  types: ReadonlySet<string> | undefined;
  intervalMs: number;
  counts: { forwarded: number; failed: number };
}

/** The types of events to forward; undefined for all. */
function typesOf(text: string | undefined): ReadonlySet<string> | undefined {
  if (text === undefined) return undefined;
  const wanted = text.split(',').map((type) => type.trim());
  const unknown = wanted.find((type) => !eventTypes.some((known) => known === type));
  if (unknown !== undefined) throw new UsageError(`There is no event "${unknown}". Events: ${eventTypes.join(', ')}.`);
  return new Set(wanted);
}

function intervalOf(text: string): number {
  const seconds = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && seconds >= 0.1 && seconds <= 3_600) return seconds * 1_000;
  throw new UsageError('--interval must be a number of seconds from 0.1 to 3600.');
}

function secretOf({ listenSecret }: Context['environment']): string {
  if (listenSecret === undefined) return toSecret(randomBytes(24));
  if (/^whsec_[A-Za-z0-9+/]{24,}={0,2}$/.test(listenSecret)) return listenSecret;
  throw new UsageError('TILLSTACK_LISTEN_SECRET must be whsec_ and base64, such as an earlier "listen" printed.');
}

async function openWatch(typed: TypedWords, context: Context): Promise<Watch> {
  const forwardTo = typed.text('forward-to');
  return {
    context,
    to: forwardTo === undefined ? undefined : localAddressOf(forwardTo),
    types: typesOf(typed.text('events')),
    intervalMs: intervalOf(typed.text('interval') ?? usualInterval),
    secret: secretOf(context.environment),
    counts: { forwarded: 0, failed: 0 },
    api: await context.connect({ tries: 1 }),
  };
}

const print = ({ context }: Watch, text: string, json: object): void =>
  context.terminal.out(`${context.isJson ? JSON.stringify(json) : text}\n`);

function greet(watch: Watch): void {
  const { api, to, secret, types, intervalMs } = watch;
  const what = types === undefined ? 'all events' : [...types].join(', ');
  const where = to === undefined ? 'They are printed only: --forward-to sends them on.' : `They are sent on to ${to}.`;
  const signed = to === undefined ? '' : `\nSigned with this secret, for this listener only: ${secret}`;
  const text = `Reads ${what} of ${api.url} every ${intervalMs / 1_000} seconds. ${where}${signed}
It changes nothing in the stack: no endpoint is created, and endpoints get their webhooks as always. Ctrl-C ends it.
`;
  print(watch, text, { listening: api.url, forward_to: to ?? null, ...(to !== undefined && { secret }) });
}

/** Like an endpoint without a filter, a receiver gets no type that only this service has. */
const notNamed = '→ not sent on: only receivers that name this type get it (--events)';

const clockTime = (timestamp: string): string => new Date(timestamp).toISOString().slice(11, 19);

function outcomeText({ to }: Watch, { status, error, durationMs }: Forwarded): string {
  if (status !== null) return `→ ${status} in ${durationMs} ms`;
  return `→ not delivered: ${error}. Is your server running at ${to}?`;
}

async function take(watch: Watch, event: FeedEvent): Promise<void> {
  const { types, to, secret, context, counts } = watch;
  if (types !== undefined && !types.has(event.type)) return;
  const head = `${clockTime(event.timestamp)}  ${event.type.padEnd(18)}  ${event.event_id}  ${event.payment_id}`;
  if (to === undefined) return print(watch, head, event);
  if (types === undefined && !isOfDialect(event.type)) return print(watch, `${head}  ${notNamed}`, event);
  const forwarded = await forwardEvent(event, { to, secret, signal: context.signal });
  const isTaken = forwarded.status !== null && forwarded.status >= 200 && forwarded.status < 300;
  counts[isTaken ? 'forwarded' : 'failed'] += 1;
  print(watch, `${head}  ${outcomeText(watch, forwarded)}`, { ...event, forwarded });
}

/** Whether a later poll may succeed. It may if the stack was not reached, or if it is busy. */
const isPassing = (error: unknown): boolean => exitCodeFor(error) === 4 || isBusy(error);

const isBusy = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'answer' in error &&
  (error.answer as { status: number }).status === 429;

/** Polls once. Returns how many polls have failed since the last success. */
async function lookOnce({ context }: Watch, look: () => Promise<void>, failures: number): Promise<number> {
  try {
    await look();
  } catch (error) {
    if (context.signal.aborted) return failures;
    if (!isPassing(error)) throw error;
    if (failures === 0) context.terminal.error(`${(error as Error).message}\nTrying again until it does.\n`);
    return failures + 1;
  }
  if (failures > 0) context.terminal.error('Connected again.\n');
  return 0;
}

/** Polls until it is stopped. After each poll that does not reach the stack, the pause is longer. */
async function watchEvents(watch: Watch, look: () => Promise<void>): Promise<void> {
  const { signal } = watch.context;
  for (let failures = 0; !signal.aborted; ) {
    failures = await lookOnce(watch, look, failures);
    const waitMs = Math.min(longestWaitMs, watch.intervalMs * 2 ** Math.min(failures, 10));
    await pause(waitMs, undefined, { signal }).catch(() => {});
  }
}

async function listen(typed: TypedWords, context: Context): Promise<CommandOutcome | undefined> {
  const watch = await openWatch(typed, context);
  const since = typed.text('since');
  const feed = new EventFeed();
  await feed.begin(watch.api, since === undefined ? undefined : momentOf('--since', since, new Date()));
  const listener = await openListener(context.environment, watch.api.url);
  greet(watch);
  const look = async () => {
    await feed.next(watch.api, (event) => take(watch, event));
    for (const id of await listener.take()) await take(watch, await watch.api.get<FeedEvent>(`/webhook-events/${id}`));
  };
  await watchEvents(watch, look).finally(() => listener.close());
  const { forwarded, failed } = watch.counts;
  if (!context.isJson) context.terminal.out(`Stopped. ${forwarded} delivered, ${failed} not delivered.\n`);
  return undefined;
}

export const listenCommand: ProgramCommand<Context> = {
  name: 'listen',
  summary: 'Prints events as they happen, and forwards them to your machine, signed.',
  options: {
    'forward-to': { value: '<address>', help: 'posts each event there, as a webhook' },
    events: { value: '<types>', help: 'only these types, with commas: payment.succeeded,refund.succeeded' },
    since: { value: '<time>', help: 'begins with the events from then on: 10m, or a time' },
    interval: { value: '<seconds>', help: `how often it asks the stack; default: ${usualInterval}` },
  },
  details: `It reads events through the API, so it needs no public address and works with a deployed stack. An event that your server does
not accept is not sent again by itself: "events resend <id>" on the same machine does it, or restart with --since. Types that only this service has,
such as invoice.corrected, are sent on if --events names them. The secret is new for each run, unless
TILLSTACK_LISTEN_SECRET has one.`,
  examples: [
    'listen --forward-to http://localhost:3000/webhooks',
    'listen --forward-to http://localhost:3000/webhooks --events payment.succeeded,refund.succeeded',
    'listen --since 1h --json',
  ],
  run: listen,
};
