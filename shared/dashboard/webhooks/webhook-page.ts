import { isPermitted } from '../../domain/access/access.ts';
import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { mayLeave } from '../../domain/access/left-behind.ts';
import type { Delivery } from '../../domain/webhooks/delivery.ts';
import { currentSecret, keptTypes, type WebhookEndpoint } from '../../domain/webhooks/webhook.ts';
import { eventTypes } from '../../events/catalogue.ts';
import { option } from '../../pages/fields.ts';
import { formatCount } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import { time } from '../dates.ts';
import { drawing, type Filled } from '../entries.ts';
import { dashboardAnswer, type Frame, may } from '../frame.ts';
import {
  actionButton,
  card,
  copyField,
  dataTable,
  type FormFault,
  faultSummary,
  formKeys,
  guarded,
  pager,
} from '../parts.ts';
import { type Texts, textsOf, withMarkup } from '../texts.ts';
import { attemptText, deliveryBadge } from './delivery-words.ts';
import { endpointFields, expiringNote, stateBadge, webhookChangeEntries } from './webhook-form.ts';

const commands = dashboardCommands.webhooks;

const section = '/dashboard/webhooks';

interface WebhookView {
  endpoint: WebhookEndpoint;
  filled: Filled;
  faults: readonly FormFault[];
  deliveries: readonly Delivery[];
  newest: string | undefined;
  older: string | undefined;
}

export function webhookPage(frame: Frame, view: WebhookView) {
  const { endpoint, faults, filled } = view;
  const t = textsOf(dashboardTexts('webhooks'), frame);
  const to = `${section}/${endpoint.id}`;
  const main = html`<p class="states">${stateBadge(endpoint, t)}<code>${endpoint.id}</code></p>
${endpoint.disabled && endpoint.disabled.reason !== 'merchant' && html`<p class="note wait">${withMarkup(t(`disabled.${endpoint.disabled.reason}`), { time: time(endpoint.disabled.at, t.locale) })}</p>`}
${faultSummary(faults, t)}${expiringNote(frame, t)}
<div class="columns main-aside">
<div class="stack">${deliveriesCard(frame, view, t)}</div>
<div class="stack">
${
  may(frame, commands.rotate) &&
  card(
    { name: 'secret', title: t('secret') },
    html`<details><summary>${t('secret.show')}</summary>${copyField('secret', t('secret'), currentSecret(endpoint), t)}</details>
${guarded(frame, t('secret.replace'), t('secret.replace.text'), { to, action: 'rotate', needs: commands.rotate, label: t('secret.replace.button') })}`,
  )
}
${
  may(frame, commands.save) &&
  html`${testCard(frame, endpoint, t)}
${card(
  { name: 'settings', title: t('settings') },
  html`<form method="post" action="${to}" novalidate>${formKeys(frame)}${endpointFields({ filled, faults, mayMove: isPermitted(frame.viewer, 'admin') && mayLeave(frame.viewer, 'webhook_endpoint'), kept: keptTypes(endpoint) }, t)}
${drawing({ ...filled, faults })(webhookChangeEntries.enabled)}
<p class="submit"><button class="main" name="action" value="save">${t('save')}</button></p></form>`,
)}
`
}
${may(frame, commands.delete) && card({}, guarded(frame, t('delete'), t('delete.text'), { to, action: 'delete', needs: commands.delete, label: t('delete.button') }))}
</div></div>`;
  const answered = { statusCode: faults.length > 0 ? 422 : 200 };
  return dashboardAnswer(
    frame,
    { title: endpoint.url, section, above: { href: section, label: t('nav./dashboard/webhooks') }, main },
    answered,
  );
}

const testCard = (frame: Frame, { disabled, id }: WebhookEndpoint, t: Texts<TextKey<'webhooks'>>): Html =>
  disabled
    ? html``
    : card(
        { name: 'test', title: t('test') },
        html`<form method="post" action="${`${section}/${id}`}">${formKeys(frame)}<div class="field"><label for="test_type">${t('test.type')}</label><select id="test_type" name="type">${eventTypes.map((type) => option(type, type, type === 'payment.succeeded'))}</select></div>
<p class="submit"><button class="second" name="action" value="test">${t('test.button')}</button></p></form>`,
      );

function deliveriesCard(
  frame: Frame,
  { endpoint, deliveries, newest, older }: WebhookView,
  t: Texts<TextKey<'webhooks'>>,
): Html {
  const to = `${section}/${endpoint.id}`;
  const recover = guarded(frame, t('recover'), t('recover.text'), {
    to,
    action: 'recover',
    needs: commands.recover,
    label: t('recover.button'),
  });
  const shown =
    deliveries.length === 0
      ? html`<p class="soft">${t('deliveries.none')}</p>`
      : deliveryTable(frame, { deliveries, to }, t);
  return card(
    { name: 'deliveries', title: t('deliveries'), isLinked: true },
    html`${shown}${pager(newest, older, t)}${!endpoint.disabled && deliveries.length > 0 && recover}`,
  );
}

interface DeliveryList {
  deliveries: readonly Delivery[];
  to: string;
}

const deliveryTable = (frame: Frame, { deliveries, to }: DeliveryList, t: Texts<TextKey<'webhooks'>>): Html =>
  dataTable(
    t('deliveries'),
    [
      {
        label: t('event'),
        cell: ({ eventType, createdAt }) =>
          html`<strong>${eventType}</strong><span class="hint">${time(createdAt, t.locale)}</span>`,
      },
      { label: t('state'), cell: (delivery) => deliveryBadge(delivery, t) },
      { label: t('attempts'), cell: (delivery) => attemptList(delivery, t) },
      {
        label: '',
        spokenLabel: t('table.actions'),
        cell: ({ eventId }) =>
          actionButton(frame, {
            to,
            action: 'resend',
            needs: commands.resend,
            label: t('sendAgain'),
            fields: { event_id: eventId },
          }),
      },
    ],
    deliveries,
  );

/** The last attempt. A click opens all attempts with their responses. */
function attemptList({ attempts, nextAttemptAt }: Delivery, t: Texts<TextKey<'webhooks'>>): Html {
  const last = attempts.at(-1);
  if (!last) return html`<span class="soft">${t('onItsWay')}</span>`;
  const words = (attempt: typeof last) =>
    t('attempt', { answer: attemptText(attempt, t), time: formatCount(attempt.latencyMs, t.locale) });
  return html`<details><summary>${attempts.length === 1 ? words(last) : t('attempts.last', { count: String(attempts.length), attempt: words(last) })}</summary>
<ol>${attempts.map((attempt) => html`<li>${time(attempt.at, t.locale)}: ${words(attempt)}${attempt.answer && html`<pre class="answer" tabindex="0">${attempt.answer}</pre>`}</li>`)}</ol></details>
${nextAttemptAt && html`<span class="hint">${withMarkup(t('next'), { time: time(nextAttemptAt, t.locale) })}</span>`}`;
}
