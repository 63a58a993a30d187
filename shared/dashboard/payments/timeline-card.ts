import { isPermitted } from '../../domain/access/access.ts';
import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { chargeStatusOf } from '../../domain/payments/charge.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { type Moment, timelineOf } from '../../domain/reports/timeline.ts';
import type { Delivery } from '../../domain/webhooks/delivery.ts';
import { type Html, html, type Slot } from '../../pages/html.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import type { PaymentOverview } from '../../use-cases/reports/load-payment-overview.ts';
import { time } from '../dates.ts';
import type { Frame } from '../frame.ts';
import { actionButton, card, money } from '../parts.ts';
import { type Texts, textsOf } from '../texts.ts';
import { attemptText, deliveryBadge } from '../webhooks/delivery-words.ts';
import { declineText } from './decline-text.ts';
import { disputeBadge } from './dispute-badge.ts';
import { type LogPlace, logLink } from './log-link.ts';
import { isTrouble, mailDetails } from './mail-words.ts';
import { statusBadge } from './payment-list-page.ts';
import { refusalWords } from './refusal-words.ts';

const { resend } = dashboardCommands.payments;

const section = '/dashboard/payments';

interface TimelineView extends PaymentOverview {
  functionLogs?: LogPlace | undefined;
  now: Date;
}

/** The card with the history of a payment, from the opening of its session to the webhooks that were sent. */
export function timelineCard(frame: Frame, view: TimelineView): Html {
  const t = textsOf(dashboardTexts('payment'), frame);
  const { payment, events } = view;
  const missing = payment.events - events.length;
  const told = events.map((entry) => ({ at: entry.event.occurredAt, event: entry }));
  const entries = timelineOf(view, told).map((one) =>
    one.kind === 'event' ? eventEntry(frame, view, one.event) : momentEntry(view, one, t),
  );
  return card(
    { name: 'timeline', title: t('timeline'), isLinked: true },
    html`<ol class="timeline">${entries}</ol>
${missing > 0 && html`<p class="hint">${t.count('timeline.missing', missing)}</p>`}${logHint(frame, view, t)}`,
  );
}

/** The link to the functions' log, for an admin. The reader also needs an AWS account. */
function logHint(
  frame: Frame,
  { functionLogs, now, ...overview }: TimelineView,
  t: Texts<TextKey<'payment'>>,
): Html | false {
  if (!functionLogs || !isPermitted(frame.viewer, 'admin')) return false;
  return html`<p class="hint"><a href="${logLink(functionLogs, overview, now)}" rel="noreferrer">${t('timeline.logs')}</a></p>`;
}

interface Entry {
  mood?: 'good' | 'bad';
  title: string;
  details?: Slot;
}

const entryOf = ({ mood, title, details }: Entry, when: Html): Html =>
  html`<li class="${mood ?? ''}"><p><strong>${title}</strong> <span class="soft">${when}</span></p>
${details && html`<p class="hint">${details}</p>`}</li>
`;

/** An entry of the history that is not an event. It says who was informed, and has a link. */
const momentEntry = ({ payment }: TimelineView, moment: Moment, t: Texts<TextKey<'payment'>>): Html =>
  entryOf(entryOfMoment(payment, moment, t), time(moment.at, t.locale));

function entryOfMoment({ currency }: Payment, moment: Moment, t: Texts<TextKey<'payment'>>): Entry {
  const inMoney = (amount: number) => ({ amount: money(amount, currency, t.locale) });
  switch (moment.kind) {
    case 'session':
      return { title: t('timeline.session'), details: sessionDetails(moment.session, t) };
    case 'attempt':
      return { mood: 'bad', title: t('timeline.attempt'), details: attemptDetails(moment.payment, t) };
    case 'payment':
      return { title: t('timeline.payment', inMoney(moment.payment.gross)) };
    case 'refund':
      return {
        title: t('timeline.refund', inMoney(moment.refund.amount)),
        ...(moment.refund.keepsAccess && { details: t('timeline.keptAccess') }),
      };
    case 'dispute':
      return {
        mood: 'bad',
        title: t('timeline.dispute', inMoney(moment.dispute.amount)),
        details: disputeBadge(moment.dispute, t),
      };
    case 'document':
      return { title: t('timeline.document', { number: moment.document.number }) };
    case 'mail':
      return mailEntry(moment, t);
  }
}

function mailEntry(
  { note, document: { number } }: Extract<Moment, { kind: 'mail' }>,
  t: Texts<TextKey<'payment'>>,
): Entry {
  const key = note.what === 'sent' ? (note.about ?? note.what) : note.what;
  return {
    mood: isTrouble(note) ? 'bad' : 'good',
    title: t(`timeline.${key}`, { number }),
    details: mailDetails(note, t),
  };
}

const sessionDetails = ({ id, attempts }: { id: string; attempts: number }, t: Texts<TextKey<'payment'>>): Html =>
  html`<code>${id}</code> · ${t.count('timeline.attempts', attempts)}`;

const attemptDetails = (payment: Payment, t: Texts<TextKey<'payment'>>): Html =>
  html`${statusBadge(chargeStatusOf(payment), t)} ${declineText(payment, t)} ${payment.refusal && refusalWords(payment.refusal, t)} <a href="${section}/${payment.id}"><code>${payment.id}</code></a>`;

function eventEntry(
  frame: Frame,
  { payment, endpoints, now }: TimelineView,
  { event, deliveries }: PaymentOverview['events'][number],
): Html {
  const mood = event.type.endsWith('failed') ? 'bad' : event.type.endsWith('succeeded') ? 'good' : '';
  const t = textsOf(dashboardTexts('payment'), frame);
  const to = `${section}/${payment.id}`;
  return html`<li class="${mood}"><p>${eventTitle(event.type, t)} <span class="soft">${time(event.occurredAt, t.locale)}</span></p>
<p class="hint"><code>${event.type}</code></p>
${event.type === 'payment.failed' && payment.refusal && html`<p class="hint">${refusalWords(payment.refusal, t)}</p>`}
<ul class="deliveries">${deliveries.map((delivery) => deliveryEntry(frame, to, delivery, endpoints.find(({ id }) => id === delivery.endpointId)?.url))}</ul>
${deliveries.length === 0 && html`<p class="hint">${t(withoutDelivery(event.occurredAt, endpoints.length, now))}</p>`}</li>
`;
}

/** The name of an event for people: `payment.succeeded` becomes "payment succeeded". */
function eventTitle(type: string, t: Texts<TextKey<'payment'>>): Html {
  const [noun = '', status = ''] = type.split('.');
  const key = `timeline.event.${noun}`;
  if (!isPaymentKey(key)) return html`<strong>${type}</strong>`;
  return html`<strong>${t(key)}</strong> ${statusBadge(status, t)}`;
}

const isPaymentKey = (key: string): key is TextKey<'payment'> => Object.hasOwn(dashboardTexts('payment').en, key);

/** How many milliseconds the deliveries of an event may take to appear. */
const dispatchMs = 2 * 60_000;

function withoutDelivery(occurredAt: string, endpoints: number, now: Date): TextKey<'payment'> {
  if (endpoints === 0) return 'timeline.noEndpoint';
  const isFresh = now.getTime() - Date.parse(occurredAt) < dispatchMs;
  return isFresh ? 'timeline.inAMoment' : 'timeline.notNotified';
}

function deliveryEntry(frame: Frame, to: string, delivery: Delivery, url: string | undefined): Html {
  const t = textsOf(dashboardTexts('payment'), frame);
  const last = delivery.attempts.at(-1);
  const answer = last ? `${attemptText(last, t)}, ${last.latencyMs} ms` : t('timeline.notAttempted');
  const fields = { event_id: delivery.eventId, endpoint_id: delivery.endpointId };
  return html`<li>${deliveryBadge(delivery, t)} ${url ? html`<a class="address" href="/dashboard/webhooks/${delivery.endpointId}">${url}</a>` : html`<span class="soft">${t('timeline.removedEndpoint')}</span>`} <span class="soft">${answer}</span>
${url && actionButton(frame, { to, action: 'resend', needs: resend, label: t('timeline.sendAgain'), fields })}</li>
`;
}
