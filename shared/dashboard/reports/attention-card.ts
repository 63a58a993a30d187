import { type Html, html } from '../../pages/html.ts';
import type { Attention } from '../../use-cases/reports/load-attention.ts';
import { dayText, money } from '../parts.ts';
import { thresholdName } from '../tax/tax-thresholds.ts';
import { overviewWords as words } from './overview-words.ts';

const most = 5;

/** What the merchant should look at; nothing on a good day. */
export function attentionCard(attention: Attention): Html {
  const items = [
    ...attention.disputes.slice(0, most).map(disputeItem),
    ...attention.webhooks.slice(0, most).map(webhookItem),
    ...attention.unsent.slice(0, most).map(unsentItem),
    ...attention.keys.slice(0, most).map(keyItem),
    ...(attention.decisions > 0 ? [decisionsItem(attention.decisions)] : []),
    ...(attention.thresholds.length > 0 ? [thresholdItem(attention.thresholds)] : []),
  ];
  return items.length === 0
    ? html``
    : html`<section class="card attention" aria-labelledby="attention-title"><h2 id="attention-title">${words.attention}</h2>
<ul class="steps">${items.map((item) => html`<li>${item}</li>`)}</ul></section>`;
}

const disputeItem = ({ paymentId, amount, currency, dueBy }: Attention['disputes'][number]): Html =>
  html`<strong>${words.disputeOpen}</strong> <a href="/dashboard/payments/${paymentId}">${words.disputeText(money(amount, currency))}</a>${dueBy && html` ${words.evidenceDue(dayText(dueBy))}`}`;

const webhookItem = ({ id, url }: Attention['webhooks'][number]): Html =>
  html`<strong>${words.webhookFails}</strong> <a href="/dashboard/webhooks/${id}">${url}</a>`;

const unsentItem = (paymentId: string): Html =>
  html`<strong>${words.unsent}</strong> ${words.unsentText} <a href="/dashboard/payments/${paymentId}"><code>${paymentId}</code></a>`;

const keyItem = ({ name, expiresAt }: Attention['keys'][number]): Html =>
  html`<strong>${words.keyEnds}</strong> ${words.keyEndsText(name, dayText(expiresAt ?? ''))} <a href="/dashboard/keys">${words.seeKeys}</a>`;

const decisionsItem = (count: number): Html =>
  html`<strong>${words.decisions}</strong> ${words.decisionsText(count)} <a href="/dashboard/payments?attention=waiting">${words.seeDecisions}</a>`;

const thresholdItem = (thresholds: Attention['thresholds']): Html =>
  html`<strong>${words.threshold}</strong> ${words.thresholdText(thresholds.map(({ id }) => thresholdName(id)).join(', '))} <a href="/dashboard/tax">${words.seeTax}</a>`;
