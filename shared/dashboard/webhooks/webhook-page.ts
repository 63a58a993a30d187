import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { Delivery } from '../../domain/webhooks/delivery.ts';
import { currentSecret, type WebhookEndpoint } from '../../domain/webhooks/webhook.ts';
import { eventTypes } from '../../events/catalogue.ts';
import { option } from '../../pages/fields.ts';
import { type Html, html } from '../../pages/html.ts';
import { dashboardAnswer, type Frame, may } from '../frame.ts';
import {
  actionButton,
  badge,
  checkBox,
  copyField,
  dataTable,
  type FormFault,
  faultSummary,
  formKeys,
  guarded,
  pager,
  time,
} from '../parts.ts';
import { endpointFields, stateBadge, type WebhookDraft } from './webhook-form.ts';

const commands = dashboardCommands.webhooks;

const section = '/dashboard/webhooks';

interface WebhookView {
  endpoint: WebhookEndpoint;
  draft: WebhookDraft;
  faults: readonly FormFault[];
  deliveries: readonly Delivery[];
  newest: string | undefined;
  older: string | undefined;
}

export function webhookPage(frame: Frame, view: WebhookView) {
  const { endpoint, faults, draft } = view;
  const to = `${section}/${endpoint.id}`;
  const main = html`<p class="states">${stateBadge(endpoint)}<code>${endpoint.id}</code></p>
${endpoint.disabled && endpoint.disabled.reason !== 'merchant' && html`<p class="note wait">It was disabled ${time(endpoint.disabled.at)}, because ${endpoint.disabled.reason === 'gone' ? 'it answered 410 Gone' : 'it failed for days'}. Enable it below when it works again.</p>`}
${faultSummary(faults)}
<div class="columns main-aside">
<div class="stack">${deliveriesCard(frame, view, to)}</div>
<div class="stack">
${
  may(frame, commands.rotate) &&
  html`<section class="card" aria-labelledby="secret-title"><h2 id="secret-title">Signing secret</h2>
<details><summary>Show the secret</summary>${copyField('secret', 'Signing secret', currentSecret(endpoint))}</details>
${guarded(frame, 'Replace this secret', 'The new secret signs from now on. The old one also signs for 24 hours.', { to, action: 'rotate', needs: commands.rotate, label: 'Rotate the secret' })}</section>`
}
${
  may(frame, commands.save) &&
  html`${testCard(frame, endpoint, to)}
<section class="card" aria-labelledby="settings-title"><h2 id="settings-title">Settings</h2>
<form method="post" action="${to}" novalidate>${formKeys(frame)}${endpointFields(draft, faults, may(frame, 'admin'))}
${checkBox({ id: 'enabled', label: 'Enabled', isChecked: draft.isEnabled, hint: 'A disabled endpoint receives no events.' })}
<p class="submit"><button class="main" name="action" value="save">Save</button></p></form></section>
`
}
${may(frame, commands.delete) && html`<section class="card">${guarded(frame, 'Delete this endpoint', 'It receives no more events, and its secret is deleted.', { to, action: 'delete', needs: commands.delete, label: 'Delete' })}</section>`}
</div></div>`;
  const answered = { statusCode: faults.length > 0 ? 422 : 200 };
  return dashboardAnswer(
    frame,
    { title: endpoint.url, section, above: { href: section, label: 'Webhooks' }, main },
    answered,
  );
}

const testCard = (frame: Frame, { disabled }: WebhookEndpoint, to: string): Html =>
  disabled
    ? html``
    : html`<section class="card" aria-labelledby="test-title"><h2 id="test-title">Try it</h2>
<form method="post" action="${to}">${formKeys(frame)}<div class="field"><label for="test_type">Send a test event</label><select id="test_type" name="type">${eventTypes.map((type) => option(type, type, type === 'payment.succeeded'))}</select></div>
<p class="submit"><button class="second" name="action" value="test">Send it</button></p></form></section>`;

function deliveriesCard(frame: Frame, { endpoint, deliveries, newest, older }: WebhookView, to: string): Html {
  const recover = guarded(
    frame,
    'Send failed events again',
    'Sends events of the last seven days whose delivery failed or was cancelled, or that this endpoint missed while it was disabled or did not exist yet. At most 500 events at a time.',
    { to, action: 'recover', needs: commands.recover, label: 'Send failed events' },
  );
  const shown =
    deliveries.length === 0
      ? html`<p class="soft">Nothing was sent yet. Send a test event, or wait for the first payment.</p>`
      : deliveryTable(frame, deliveries, to);
  return html`<section class="card" id="deliveries" aria-labelledby="deliveries-title"><h2 id="deliveries-title">Deliveries</h2>
${shown}${pager(newest, older)}${!endpoint.disabled && deliveries.length > 0 && recover}</section>`;
}

const deliveryTable = (frame: Frame, deliveries: readonly Delivery[], to: string): Html =>
  dataTable(
    'Deliveries',
    [
      {
        label: 'Event',
        cell: ({ eventType, createdAt }) =>
          html`<strong>${eventType}</strong><span class="hint">${time(createdAt)}</span>`,
      },
      { label: 'State', cell: ({ status }) => badge(status) },
      { label: 'Attempts', cell: attemptList },
      {
        label: '',
        cell: ({ eventId }) =>
          actionButton(frame, {
            to,
            action: 'resend',
            needs: commands.resend,
            label: 'Send again',
            fields: { event_id: eventId },
          }),
      },
    ],
    deliveries,
  );

/** The last attempt, and all attempts with their responses behind a click. */
function attemptList({ attempts, nextAttemptAt }: Delivery): Html {
  const last = attempts.at(-1);
  if (!last) return html`<span class="soft">on its way</span>`;
  const words = (attempt: typeof last) => `${attempt.status ?? attempt.error} after ${attempt.latencyMs} ms`;
  return html`<details><summary>${attempts.length === 1 ? words(last) : `${attempts.length}, last: ${words(last)}`}</summary>
<ol>${attempts.map((attempt) => html`<li>${time(attempt.at)}: ${words(attempt)}${attempt.answer && html`<pre class="answer" tabindex="0">${attempt.answer}</pre>`}</li>`)}</ol></details>
${nextAttemptAt && html`<span class="hint">next ${time(nextAttemptAt)}</span>`}`;
}
