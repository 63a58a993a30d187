import type { Mailer } from '../domain/mail.ts';
import { clamp } from '../domain/money/money.ts';
import type { DocumentQueue, EventBus } from '../events/event-bus.ts';
import type { RecordedEvent } from '../events/recorded-event.ts';
import type { DueRow, DueStore } from '../store/events/due-store.ts';
import type { EventStore } from '../store/events/event-store.ts';
import { takeInTurn } from './take-in-turn.ts';

export interface Reporting {
  report: (message: string, fields: Record<string, unknown>, error?: unknown) => void;
}

export interface RepublishEventsDeps extends Reporting {
  due: DueStore;
  events: Pick<EventStore, 'find'>;
  bus: EventBus;
  documentQueue: DocumentQueue;
  /** Says how many mails may be sent. Absent if none are sent. */
  mailer?: Pick<Mailer, 'quota'> | undefined;
  now: () => Date;
}

/** How long the oldest event has waited for its deliveries, and the oldest one for its document. */
export interface WaitedEvents {
  oldestEventSeconds: number;
  oldestDocumentSeconds: number;
}

/** After how many seconds an event is published again if its work is still not done. */
const republishSeconds = 60;
/**
 * The longest pause before an event that only waits for its document is published again. The pause is as long as the
 * event has waited. It must be shorter than the period of the alarm.
 */
const laterSeconds = 240;
/** How many events are read at the same time. */
const atOnce = 8;
/**
 * How many messages may wait in the queue of documents while the sweep adds to it. If more wait, an event without a
 * document is most likely among them. The slowest shop needs no two minutes for so many, and events are due after two.
 */
const mostQueued = 1_000;
/** The most mails that one sweep sends again: a hundred a second. */
const mostMails = 6_000;

/**
 * Publishes events with unfinished work again: on the bus if deliveries are missing, and in the document queue if the
 * document or its mail is missing. Waiting mails come at the rate of the mail service. While the queue is long, nothing
 * is added to it. Each event is sent alone, so an event that the bus refuses blocks no other.
 * Returns how long the events have waited.
 */
export async function republishEvents(
  deps: RepublishEventsDeps,
  rows: readonly DueRow[],
  hasTime: () => boolean,
): Promise<WaitedEvents> {
  const now = deps.now().getTime();
  const secondsSince = (instant: string) => (now - Date.parse(instant)) / 1_000;
  const mails = await mailRows(deps);
  const mailIds = new Set(mails.rows.map(({ id }) => id));
  const waiting = new Map<string, WaitedEvents>(
    rows.map((row) => [row.id, waitingFor(deliveriesOnly, secondsSince(row.at))]),
  );
  const claimed: RecordedEvent[] = [];
  await takeInTurn([...rows, ...mails.rows], { atOnce, hasTime }, (row) =>
    orReport(deps, row, async () => {
      const event = await deps.events.find(row.id);
      if (!event) return;
      const seconds = secondsSince(event.occurredAt);
      waiting.set(event.id, waitingFor(event.open, seconds));
      const until = new Date(now + 1_000 * pauseSeconds(event.open, seconds)).toISOString();
      if (await deps.due.postpone(row, until)) claimed.push(event);
    }),
  );
  const isMail = ({ id }: RecordedEvent) => mailIds.has(id);
  await publishClaimed(
    deps,
    claimed.filter((event) => !isMail(event)),
    { events: claimed.filter(isMail), perSecond: mails.perSecond },
  );
  const oldest = (of: keyof WaitedEvents) => Math.max(0, ...[...waiting.values()].map((one) => one[of]));
  return { oldestEventSeconds: oldest('oldestEventSeconds'), oldestDocumentSeconds: oldest('oldestDocumentSeconds') };
}

interface WaitingMails {
  events: readonly RecordedEvent[];
  perSecond: number;
}

async function publishClaimed(
  deps: RepublishEventsDeps,
  claimed: readonly RecordedEvent[],
  mails: WaitingMails,
): Promise<void> {
  const undocumented = claimed.filter(({ open }) => open.document);
  const isHeld = undocumented.length + mails.events.length > 0 && (await queued(deps)) > mostQueued;
  const refusals = await Promise.all([
    deps.bus.publish(
      claimed.filter(({ open }) => open.deliveries),
      'apart',
    ),
    deps.documentQueue.send(isHeld ? [] : undocumented),
    deps.documentQueue.send(isHeld ? [] : mails.events, mails.perSecond),
  ]);
  for (const { event, reason } of refusals.flat())
    deps.report('An event could not be published again.', { event_id: event.id }, reason);
}

/** Counts the waiting messages. If that fails, the sweep sends as if there were none, so that nothing is lost. */
const queued = (deps: RepublishEventsDeps): Promise<number> =>
  deps.documentQueue.waiting().catch((error: unknown) => {
    deps.report('The queue of documents cannot be counted.', {}, error);
    return 0;
  });

/** The events whose mail is due: as many as the mail service accepts until the next sweep, and its rate. */
async function mailRows(deps: RepublishEventsDeps): Promise<{ rows: DueRow[]; perSecond: number }> {
  const rows = await deps.due.mails(deps.now().toISOString(), mostMails).catch((error: unknown): DueRow[] => {
    deps.report('The waiting mails cannot be read.', {}, error);
    return [];
  });
  if (rows.length === 0 || !deps.mailer?.quota) return { rows, perSecond: Number.POSITIVE_INFINITY };
  const { perSecond, leftToday } = await deps.mailer.quota().catch((error: unknown) => {
    deps.report('The mail service does not say its quota.', {}, error);
    return { perSecond: 1, leftToday: Number.POSITIVE_INFINITY };
  });
  // If the quota of the day is used up, one mail finds out when it has grown again.
  return { rows: rows.slice(0, Math.max(1, Math.floor(Math.min(60 * perSecond, leftToday)))), perSecond };
}

type Open = RecordedEvent['open'];

/** The open work that is assumed for an event whose row cannot be read. */
const deliveriesOnly: Open = { deliveries: true, document: false };

const waitingFor = (open: Open, seconds: number): WaitedEvents => ({
  oldestEventSeconds: open.deliveries ? seconds : 0,
  oldestDocumentSeconds: open.document ? seconds : 0,
});

const pauseSeconds = (open: Open, waitedSeconds: number): number =>
  open.deliveries ? republishSeconds : clamp(waitedSeconds, republishSeconds, laterSeconds);

/** Runs a step and reports a failure. Returns whether it succeeded. */
export async function orReport({ report }: Reporting, row: DueRow, act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    report('A due row is left to a later sweep.', { kind: row.kind, id: row.id }, error);
    return false;
  }
}
