import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { awaitsGround } from '../../domain/disputes/dispute-adjustment.ts';
import { awaitsEvidence, type Dispute } from '../../domain/payments/dispute.ts';
import { type Html, html } from '../../pages/html.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import type { DisputeEvidence } from '../../use-cases/payments/load-dispute-evidence.ts';
import { date, time } from '../dates.ts';
import { dashboardAnswer, type Frame, may } from '../frame.ts';
import { card, copyButton, type FormFault, facts, money } from '../parts.ts';
import { disputeBadge } from '../payments/dispute-badge.ts';
import { type Texts, textsOf, withMarkup } from '../texts.ts';
import { logText, serviceText } from './evidence-text.ts';
import { groundCard } from './ground-card.ts';

const section = '/dashboard/disputes';

/** The page of a dispute. It shows the known facts about the delivery and the use of the sale, as texts to copy. */
export function disputePage(frame: Frame, view: DisputeEvidence, faults: readonly FormFault[] = []) {
  const { dispute, payment, used } = view;
  const t = textsOf(dashboardTexts('evidence'), frame);
  const amount = money(dispute.amount, dispute.currency, t.locale);
  const main = html`${nextCard(frame, view, t)}${factsCard(view, t)}
${groundCard(frame, { evidence: view, faults })}
${card(
  { name: 'evidence', title: t('title') },
  html`<p class="hint">${t(used.length > 0 ? 'lead' : 'nothing')}</p>
${copyText({ id: 'service', label: t('service'), hint: t('service.hint'), text: serviceText(view, t), t })}
${used.length > 0 && copyText({ id: 'log', label: t('log'), hint: t('log.hint'), text: logText(view, t), t })}`,
)}`;
  return dashboardAnswer(
    frame,
    {
      title: t('dispute', { amount }),
      section,
      above: { href: `/dashboard/payments/${payment.id}`, label: t('payment') },
      main,
    },
    { statusCode: faults.length > 0 ? 422 : 200 },
  );
}

/** The card that says what the merchant can do now, until when, and where. */
function nextCard(frame: Frame, { dispute, payment }: DisputeEvidence, t: Texts<TextKey<'evidence'>>): Html {
  const { url, dueBy, stage, isRefundable } = dispute;
  if (!awaitsEvidence(dispute)) return card({ name: 'next', title: t('next') }, html`<p>${t(endOf(dispute))}</p>`);
  const isInquiry = stage === 'pre_dispute';
  return card(
    { name: 'next', title: t('next'), kind: 'attention' },
    html`<p>${reasonText(dispute, t)}</p>
<p>${isInquiry && `${t('next.inquiry')} `}${t('next.open')}${dueBy && html` <strong>${withMarkup(t('next.until'), { day: date(dueBy, t.locale) })}</strong>`}</p>
<p class="submit">${url && html`<a class="button" href="${url}" rel="noreferrer">${t('answer')}</a>`}${isRefundable && payment.refundable > 0 && may(frame, dashboardCommands.payments.refund) && html`<a class="button second" href="${`/dashboard/payments/${payment.id}#refund`}">${t('next.refund')}</a>`}</p>`,
  );
}

/** What is left to do in a dispute that takes no evidence: nothing, or the choice about its tax. */
function endOf(dispute: Dispute): 'next.won' | 'next.lost' | 'next.done' | 'next.waits' {
  const { status } = dispute;
  if (status === 'won' || status === 'cancelled') return 'next.won';
  if (status !== 'lost') return 'next.waits';
  return awaitsGround(dispute) ? 'next.lost' : 'next.done';
}

/** The bank's reason in words; its code if there are no words for it. */
const reasonText = ({ reason }: Pick<Dispute, 'reason'>, t: Texts<TextKey<'evidence'>>): string =>
  reason === null ? t('reason.general') : (t.find(`reason.${reason}`) ?? reason);

function factsCard({ dispute, payment }: DisputeEvidence, t: Texts<TextKey<'evidence'>>): Html {
  const { dueBy, reason, createdAt, id, claimed } = dispute;
  return card(
    { name: 'facts', title: t('facts') },
    facts([
      [t('status'), disputeBadge(dispute, t)],
      [t('stage'), stageText(dispute, t)],
      [t('opened'), time(createdAt, t.locale)],
      [t('due'), awaitsEvidence(dispute) && dueBy ? date(dueBy, t.locale) : null],
      ...(claimed ? [[t('claimed'), claimText(claimed, t)] as const] : []),
      [t('reason'), html`${reasonText(dispute, t)}${reason && html` <code>${reason}</code>`}`],
      [t('payment'), html`<a href="/dashboard/payments/${payment.id}"><code>${payment.id}</code></a>`],
      [t('reference'), html`<code>${id}</code>`],
    ]),
  );
}

/**
 * The stage of a dispute. The bank only asks, or it takes the money back. For a former inquiry, it has the time when it
 * became a chargeback.
 */
function stageText({ stage, escalatedAt }: Dispute, t: Texts<TextKey<'evidence'>>): Html | string {
  if (stage === 'pre_dispute') return t('stage.inquiry');
  return escalatedAt ? withMarkup(t('stage.escalated'), { at: time(escalatedAt, t.locale) }) : t('stage.chargeback');
}

/**
 * What the bank demands, if its currency differs from that of the payment. If the amount is not certain, only the
 * currency is shown.
 */
const claimText = ({ amount, currency }: NonNullable<Dispute['claimed']>, { locale }: Texts<TextKey<'evidence'>>) =>
  amount === null ? currency : money(amount, currency, locale);

interface CopiedText {
  id: string;
  label: string;
  hint: string;
  text: string;
  t: Texts<TextKey<'evidence'>>;
}

/** A text to copy with a button. Without the script, the reader copies it from the field. */
const copyText = ({ id, label, hint, text, t }: CopiedText): Html => html`<div class="field">
<label for="${id}">${label}</label>
<p class="hint" id="${id}-hint">${hint}</p>
<textarea id="${id}" class="evidence" rows="${String(text.split('\n').length + 1)}" readonly spellcheck="false" dir="auto" aria-describedby="${id}-hint">${text}</textarea>
<p>${copyButton(text, t('copy'))}</p>
</div>
`;
