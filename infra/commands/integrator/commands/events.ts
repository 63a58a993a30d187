import { eventTypes } from '../../../../shared/events/catalogue.ts';
import { type EventItem, EventPage, WholeEvent } from '../answers.ts';
import type { IntegratorCommand } from '../command.ts';
import { countOf, itemsOf } from '../listing.ts';
import { momentOf } from '../moment.ts';
import { tableText } from '../table-text.ts';

const eventRow = ({ timestamp, event_id, type, payment_id }: EventItem) => [timestamp, event_id, type, payment_id];

function deliveriesText({ deliveries }: WholeEvent): string {
  if (deliveries.length === 0) return 'It was sent to no endpoint.';
  const rows = deliveries.map(({ webhook_id, status, attempts, next_attempt_at }) => [
    webhook_id,
    status,
    String(attempts),
    next_attempt_at ?? '',
  ]);
  return tableText(['endpoint', 'delivery', 'attempts', 'next attempt'], rows, [2]);
}

const wholeText = (event: WholeEvent): string =>
  [
    tableText(['time', 'event', 'type', 'payment'], [eventRow(event)]),
    deliveriesText(event),
    JSON.stringify(event.body, null, 2),
  ].join('\n\n');

export const eventCommands: readonly IntegratorCommand[] = [
  {
    name: 'events list',
    summary: 'Lists events, the newest first.',
    options: {
      type: { value: '<type>', help: 'only of this type', choices: eventTypes },
      payment: { value: '<id>', help: 'only of this payment' },
      since: { value: '<time>', help: 'only from then on: 2h, 7d, or a time' },
      limit: { value: '<number>', help: 'how many at most; default: 20' },
    },
    examples: ['events list --since 1h', 'events list --payment pay_…'],
    run: async (typed, { connect }) => {
      const since = typed.text('since');
      const query = {
        type: typed.text('type'),
        payment_id: typed.text('payment'),
        created_at_gte: since === undefined ? undefined : momentOf('--since', since, new Date()),
      };
      const items = await itemsOf(await connect(), '/webhook-events', { query, page: EventPage, most: countOf(typed) });
      const table = tableText(['time', 'event', 'type', 'payment'], items.map(eventRow));
      return { text: items.length === 0 ? 'No event was found.' : table, json: items };
    },
  },
  {
    name: 'events get',
    summary: 'Shows an event, its body, and where it was sent.',
    takes: ['<event>'],
    examples: ['events get evt_…'],
    run: async (typed, { connect }) => {
      const json = await (await connect()).get(`/webhook-events/${encodeURIComponent(typed.word(0))}`);
      return { text: wholeText(WholeEvent.parse(json)), json };
    },
  },
  {
    name: 'events resend',
    summary: 'Sends an event again, to one endpoint or to all that want it.',
    takes: ['<event>'],
    options: { endpoint: { value: '<id>', help: 'only to this endpoint: whk_…' } },
    details: 'Receivers know it by its webhook-id, which stays the same.',
    examples: ['events resend evt_…', 'events resend evt_… --endpoint whk_…'],
    run: async (typed, { connect }) => {
      const path = `/webhook-events/${encodeURIComponent(typed.word(0))}/resend`;
      const json = await (await connect()).post(path, { webhook_id: typed.text('endpoint') ?? null });
      return { text: `It is sent again.\n\n${deliveriesText(WholeEvent.parse(json))}`, json };
    },
  },
];
