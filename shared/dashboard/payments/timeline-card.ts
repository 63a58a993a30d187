import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { chargeStatusOf } from '../../domain/payments/charge.ts';
import { type Moment, timelineOf } from '../../domain/reports/timeline.ts';
import type { Delivery } from '../../domain/webhooks/delivery.ts';
import { type Html, html, type Slot } from '../../pages/html.ts';
import type { PaymentOverview } from '../../use-cases/reports/load-payment-overview.ts';
import type { Frame } from '../frame.ts';
import { actionButton, badge, money, time } from '../parts.ts';
import { statusBadge } from './dispute-pages.ts';
import { timelineWords as words } from './timeline-words.ts';

const { resend } = dashboardCommands.payments;

const section = '/dashboard/payments';

interface TimelineView extends PaymentOverview {
  now: Date;
}

/** All that happened to a payment, from the session that was opened to the webhooks that were sent. */
export function timelineCard(frame: Frame, view: TimelineView): Html {
  const { payment, events } = view;
  const missing = payment.events - events.length;
  const told = events.map((entry) => ({ at: entry.event.occurredAt, event: entry }));
  const entries = timelineOf(view, told).map((one) =>
    one.kind === 'event' ? eventEntry(frame, view, one.event) : momentEntry(view, one),
  );
  return html`<section class="card" id="timeline" aria-labelledby="timeline-title"><h2 id="timeline-title">${words.title}</h2>
<ol class="timeline">${entries}</ol>
${missing > 0 && html`<p class="hint">${words.missing(missing)}</p>`}</section>`;
}

const entryOf = (mood: string, title: Slot, at: string, details?: Slot): Html =>
  html`<li class="${mood}"><p><strong>${title}</strong> <span class="soft">${time(at)}</span></p>
${details && html`<p class="hint">${details}</p>`}</li>
`;

/** What happened besides the events: who is told of it, and where it leads. */
function momentEntry({ payment: { currency } }: TimelineView, moment: Moment): Html {
  const { at } = moment;
  switch (moment.kind) {
    case 'session':
      return entryOf('', words.session, at, sessionDetails(moment.session));
    case 'attempt':
      return entryOf('bad', words.attempt, at, attemptDetails(moment.payment));
    case 'payment':
      return entryOf('', words.payment(money(moment.payment.gross, currency)), at);
    case 'refund':
      return entryOf('', words.refund(money(moment.refund.amount, currency)), at);
    case 'dispute':
      return entryOf('bad', words.dispute(money(moment.dispute.amount, currency)), at, statusBadge(moment.dispute));
    case 'document':
      return entryOf('', words.document(moment.document.number), at);
    case 'mail':
      return entryOf(moment.outcome === 'refused' ? 'bad' : 'good', words[moment.outcome](moment.document.number), at);
  }
}

const sessionDetails = ({ id, attempts }: { id: string; attempts: number }): Html =>
  html`<code>${id}</code> · ${words.sessionAttempts(attempts)}`;

const attemptDetails = (payment: Extract<Moment, { kind: 'attempt' }>['payment']): Html =>
  html`${badge(chargeStatusOf(payment))} ${payment.errorMessage} <a href="${section}/${payment.id}"><code>${payment.id}</code></a>`;

function eventEntry(
  frame: Frame,
  { payment, endpoints, now }: TimelineView,
  { event, deliveries }: PaymentOverview['events'][number],
): Html {
  const mood = event.type.endsWith('failed') ? 'bad' : event.type.endsWith('succeeded') ? 'good' : '';
  const to = `${section}/${payment.id}`;
  return html`<li class="${mood}"><p><strong>${event.type}</strong> <span class="soft">${time(event.occurredAt)}</span></p>
<ul class="deliveries">${deliveries.map((delivery) => deliveryEntry(frame, to, delivery, endpoints.find(({ id }) => id === delivery.endpointId)?.url))}</ul>
${deliveries.length === 0 && html`<p class="hint">${withoutDelivery(event.occurredAt, endpoints.length, now)}</p>`}</li>
`;
}

/** How long the deliveries of an event may take to appear. */
const dispatchMs = 2 * 60_000;

function withoutDelivery(occurredAt: string, endpoints: number, now: Date): string {
  if (endpoints === 0) return words.noEndpoint;
  const isFresh = now.getTime() - Date.parse(occurredAt) < dispatchMs;
  return isFresh ? words.inAMoment : words.notNotified;
}

function deliveryEntry(frame: Frame, to: string, delivery: Delivery, url: string | undefined): Html {
  const last = delivery.attempts.at(-1);
  const answer = last ? `${last.status ?? last.error}, ${last.latencyMs} ms` : words.notAttempted;
  const fields = { event_id: delivery.eventId, endpoint_id: delivery.endpointId };
  return html`<li>${badge(delivery.status)} ${url ? html`<a href="/dashboard/webhooks/${delivery.endpointId}">${url}</a>` : html`<span class="soft">${words.removedEndpoint}</span>`} <span class="soft">${answer}</span>
${url && actionButton(frame, { to, action: 'resend', needs: resend, label: words.sendAgain, fields })}</li>
`;
}
