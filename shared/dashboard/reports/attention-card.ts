import { dueAtOf } from '../../domain/withdrawal/withdrawal-case.ts';
import { type Html, html } from '../../pages/html.ts';
import type { TextKey } from '../../texts/texts.ts';
import type { Attention } from '../../use-cases/reports/load-attention.ts';
import { dayText } from '../dates.ts';
import { card, money } from '../parts.ts';
import { thresholdName } from '../tax/tax-thresholds.ts';
import type { Texts } from '../texts.ts';

const most = 5;

/** The card with problems that the merchant should look at. Empty if there are none. */
export function attentionCard(attention: Attention, t: Texts<TextKey<'reports'>>): Html {
  const items = [
    ...attention.disputes.slice(0, most).map((one) => disputeItem(one, t)),
    ...attention.withdrawals.slice(0, most).map((one) => withdrawalItem(one, t)),
    ...attention.webhooks.slice(0, most).map((one) => webhookItem(one, t)),
    ...attention.unsent.slice(0, most).map((one) => unsentItem(one, t)),
    ...attention.pools.slice(0, most).map((one) => poolItem(one, t)),
    ...attention.keys.slice(0, most).map((one) => keyItem(one, t)),
    ...(attention.decisions > 0 ? [decisionsItem(attention.decisions, t)] : []),
    ...(attention.thresholds.length > 0 ? [thresholdItem(attention.thresholds, t)] : []),
    ...(attention.accountLacks ? [lacksItem(attention.accountLacks, t)] : []),
    ...(attention.leftOutFields.length > 0 ? [leftOutItem(attention.leftOutFields, t)] : []),
  ];
  return items.length === 0
    ? html``
    : card(
        { name: 'attention', title: t('attention'), kind: 'attention' },
        html`<ul class="steps">${items.map((item) => html`<li>${item}</li>`)}</ul>`,
      );
}

const disputeItem = (
  { id, amount, currency, dueBy }: Attention['disputes'][number],
  t: Texts<TextKey<'reports'>>,
): Html =>
  html`<strong>${t('disputeOpen')}</strong> <a href="/dashboard/disputes/${id}">${t('disputeText', { amount: money(amount, currency, t.locale) })}</a>${dueBy && html` ${t('evidenceDue', { day: dayText(dueBy, t.locale) })}`}`;

const withdrawalItem = (current: Attention['withdrawals'][number], t: Texts<TextKey<'reports'>>): Html =>
  html`<strong>${t('withdrawalOpen')}</strong> <a href="/dashboard/withdrawals/${current.id}">${t('withdrawalOpen.text', { day: dayText(dueAtOf(current), t.locale) })}</a>`;

const webhookItem = ({ id, url }: Attention['webhooks'][number], t: Texts<TextKey<'reports'>>): Html =>
  html`<strong>${t('webhookFails')}</strong> <a href="/dashboard/webhooks/${id}">${url}</a>`;

const unsentItem = ({ id, paymentId, why }: Attention['unsent'][number], t: Texts<TextKey<'reports'>>): Html =>
  why === 'bounced'
    ? html`<strong>${t('mailCameBack')}</strong> ${t('mailCameBack.text')} <a href="/dashboard/payments/${paymentId}/order"><code>${paymentId}</code></a>`
    : html`<strong>${t('unsent')}</strong> ${t(id === paymentId ? 'unsent.invoice' : 'unsent.creditNote')} <a href="/dashboard/payments/${paymentId}"><code>${paymentId}</code></a>`;

const poolItem = (
  { entitlementId, productId, name, free, waiting }: Attention['pools'][number],
  t: Texts<TextKey<'reports'>>,
): Html => {
  const text =
    waiting > 0
      ? t.count('pool.waiting', waiting, { name: name ?? '' })
      : t.count('pool.low', free, { name: name ?? '' });
  return html`<strong>${t('pool')}</strong> ${text} <a href="/dashboard/products/${productId ?? ''}/entitlements/${entitlementId}">${t('addCodes')}</a>`;
};

const keyItem = ({ name, expiresAt }: Attention['keys'][number], t: Texts<TextKey<'reports'>>): Html =>
  html`<strong>${t('keyEnds')}</strong> ${t('keyEnds.text', { name, day: dayText(expiresAt ?? '', t.locale) })} <a href="/dashboard/keys">${t('seeKeys')}</a>`;

const decisionsItem = (count: number, t: Texts<TextKey<'reports'>>): Html =>
  html`<strong>${t('decisions')}</strong> ${t.count('decisionsText', count)} <a href="/dashboard/payments?attention=waiting">${t('seeDecisions')}</a>`;

const thresholdItem = (thresholds: Attention['thresholds'], t: Texts<TextKey<'reports'>>): Html =>
  html`<strong>${t('threshold')}</strong> ${t('threshold.text', { names: thresholds.map(({ id }) => thresholdName(id, t.locale)).join(', ') })} <a href="/dashboard/tax">${t('seeTax')}</a>`;

const lacksItem = (
  { rights, events, at }: NonNullable<Attention['accountLacks']>,
  t: Texts<TextKey<'reports'>>,
): Html =>
  html`<strong>${t('accountLacks')}</strong> ${rights.length > 0 && html`${t('accountLacks.rights')} ${listed(rights)}. `}${events.length > 0 && html`${t('accountLacks.events')} ${listed(events)}. `}${t('accountLacks.advice', { day: dayText(at, t.locale), command: 'npm run processor -- check' })}`;

const listed = (names: readonly string[]): Html[] =>
  names.map((name, index) => html`${index > 0 && ', '}<code>${name}</code>`);

const leftOutItem = (fields: Attention['leftOutFields'], t: Texts<TextKey<'reports'>>): Html =>
  html`<strong>${t('leftOut')}</strong> ${t('leftOut.text')} ${fields.map(
    ({ name, lastDay }, index) => html`${index > 0 && ', '}<code>${name}</code> (${dayText(lastDay, t.locale)})`,
  )}. ${t('leftOut.advice', { setting: 'strictFields' })}`;
