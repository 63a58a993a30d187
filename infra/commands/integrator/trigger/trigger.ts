import { setTimeout as pause } from 'node:timers/promises';
import type * as z from 'zod';
import { isNamed, isOfDialect } from '../../../../shared/domain/webhooks/event-types.ts';
import { eventTypes } from '../../../../shared/events/catalogue.ts';
import { testCards } from '../../../../shared/outside/processor/sandbox/sandbox-cards.ts';
import type { webhookAnswers } from '../../../../shared/wire/webhooks/webhook-answer.ts';
import { UsageError } from '../../../usage-error.ts';
import type { CommandOutcome, ProgramCommand, TypedWords } from '../../kit/command.ts';
import { plainText } from '../../kit/table-text.ts';
import type { ApiCaller } from '../api.ts';
import type { Context } from '../context.ts';
import { NotHappened } from '../failures.ts';
import { leaveProcessorPage } from './leave-page.ts';
import { buyWithTestCard } from './test-purchase.ts';

type EventPage = z.infer<typeof webhookAnswers.EventPage>;
type WebhookList = z.infer<typeof webhookAnswers.WebhookList>;
type TestCard = (typeof testCards)[number];

/** How an event is triggered: by a purchase with a test card, and by the steps after it. */
interface Cause {
  card: string;
  followedBy?: 'refund' | 'leave';
  /** The longest time until the event is there, in seconds. */
  withinSeconds: number;
}

/** The seconds after which the sandbox decides a pending refund, and the bank decides a dispute. */
const pendingSeconds = 180;
const bankSeconds = 420;

/**
 * The cause that begins with a purchase. It uses the first test card for which `fits` is true; undefined if there is
 * none.
 */
function withCard(fits: (card: TestCard) => boolean, cause: Omit<Cause, 'card'>): Cause | undefined {
  const card = testCards.find(fits);
  return card && { ...cause, card: card.number.slice(-4) };
}

/**
 * How a type of event is triggered in a sandbox: with which card, and by which steps. Undefined if it cannot be
 * triggered.
 */
function causeOf(type: string): Cause | undefined {
  const [subject, status] = type.split('.');
  if (subject === 'payment') {
    const isLeft = status === 'cancelled';
    const charge = isLeft ? 'step' : status;
    return withCard((card) => card.charge === charge, { withinSeconds: 30, ...(isLeft && { followedBy: 'leave' }) });
  }
  // The sandbox does not report what a refund waits for, so this event cannot happen there.
  if (type === 'refund.delayed') return undefined;
  if (subject === 'refund') {
    const isSlow = status === 'failed';
    const fits = (card: TestCard) => card.charge === 'succeeded' && card.refundEnds === (isSlow ? status : undefined);
    return withCard(fits, { followedBy: 'refund', withinSeconds: isSlow ? pendingSeconds : 20 });
  }
  if (subject !== 'dispute') return undefined;
  if (status === 'opened') return withCard(({ dispute }) => dispute !== undefined, { withinSeconds: pendingSeconds });
  return withCard(({ dispute }) => dispute === status, { withinSeconds: bankSeconds });
}

/** The events that a purchase in a sandbox makes happen. */
export const triggerableTypes: readonly string[] = eventTypes.filter((type) => causeOf(type) !== undefined);

/** Waits until the API lists the event of this payment. */
async function untilListed(
  api: ApiCaller,
  query: { type: string; payment_id: string },
  context: Context,
  seconds: number,
) {
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const end = Date.now() + seconds * 1_000;
  for (;;) {
    const page = { ...query, cursor: 'start', page_size: 100, created_at_gte: since };
    const [found] = (await api.get<EventPage>('/webhook-events', page)).items;
    if (found) return found;
    if (Date.now() >= end) throw new NotHappened(`${query.type} has not happened within ${seconds} seconds.`);
    await pause(500, undefined, { signal: context.signal });
  }
}

/** Sends the event as a test to every enabled endpoint that would get it, where no purchase makes it happen. */
async function sendTests(api: ApiCaller, type: string): Promise<CommandOutcome> {
  const { data } = await api.get<WebhookList>('/webhooks', { limit: 100 });
  const wanting = data.filter(
    ({ disabled, filter_types: filters }) => !disabled && (filters ? isNamed(filters, type) : isOfDialect(type)),
  );
  if (wanting.length === 0)
    throw new NotHappened(
      `No purchase makes ${type} happen here, so endpoints that want it get it as a test. None does: create one with --filter-types ${type}, or send it to any by "webhooks test <id> --type ${type}".`,
    );
  const tests = await Promise.all(
    wanting.map(async ({ id, url }) => {
      const { event_id } = await api.post<{ event_id: string }>(`/webhooks/${id}/test`, { type });
      return { webhook_id: id, url, event_id };
    }),
  );
  const lines = tests.map(({ event_id, url }) => `${type}  ${event_id}  test to ${plainText(url)}`);
  return { text: lines.join('\n'), json: { type, tests } };
}

const shown = ({ type, event_id, payment_id }: EventPage['items'][number]): string =>
  `${type}  ${event_id}  ${payment_id}`;

async function trigger(typed: TypedWords, context: Context): Promise<CommandOutcome> {
  const type = typed.word(0);
  const api = await context.connect();
  if (api.mode === 'live') throw new UsageError('trigger works in a sandbox only: this is a key of a live stack.');
  const cause = causeOf(type);
  const buyer = { product: typed.text('product'), country: typed.text('country') };
  const bought = cause && (await buyWithTestCard(api, { ...buyer, card: cause.card }));
  if (!cause || !bought) return sendTests(api, type);
  const { paymentId, checkoutUrl, cookies } = bought;
  if (cause.followedBy === 'refund') await api.post('/refunds', { payment_id: paymentId, reason: 'trigger' });
  if (cause.followedBy === 'leave') await leaveProcessorPage({ checkoutUrl, cookies }, context.signal);
  if (!context.isJson && cause.withinSeconds > 60)
    context.terminal.error(
      `${paymentId}: the sandbox takes its time, up to ${Math.ceil(cause.withinSeconds / 60)} minutes.\n`,
    );
  const event = await untilListed(api, { type, payment_id: paymentId }, context, cause.withinSeconds);
  return { text: shown(event), json: event };
}

export const triggerCommand: ProgramCommand<Context> = {
  name: 'trigger',
  summary: 'Makes an event happen in a sandbox: it buys, refunds or disputes, or sends a test.',
  takes: ['<event>'],
  choices: eventTypes,
  options: {
    product: { value: '<id>', help: 'buys this product; by default, one that it creates once' },
    country: { value: '<code>', help: 'the country of the buyer; default: DE' },
  },
  details: `It buys with a test card and does what leads to the event, so everything that belongs to it is there: the payment, its
documents, and the webhooks to your endpoints. Disputes take minutes. An event that no purchase makes happen, or no test
card where a processor takes the payments, goes to the endpoints that want it as a test, with example data. Types that
only this service has, such as invoice.corrected, go to endpoints that name them. "listen" shows no tests.`,
  examples: ['trigger payment.succeeded', 'trigger refund.succeeded --product pdt_…'],
  run: trigger,
};
