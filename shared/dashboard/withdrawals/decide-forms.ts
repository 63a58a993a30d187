import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { decisionOf, isClosed, isRefundFailed, withdrawalRefusals } from '../../domain/withdrawal/withdrawal-case.ts';
import { textField } from '../../pages/fields.ts';
import { type Html, html, type Slot } from '../../pages/html.ts';
import type { Proposed } from '../../use-cases/withdrawal/decide-withdrawal.ts';
import { type Frame, may } from '../frame.ts';
import { card, choices, formKeys, money, textArea } from '../parts.ts';
import type { WithdrawalTexts } from './withdrawal-words.ts';

const commands = dashboardCommands.withdrawals;

/** A refund as a member typed it. It is shown again with its sum, which the member must confirm. */
export interface LineRefund {
  amounts: readonly string[];
  note: string;
  /** The sum of the amounts. */
  sum: number;
}

interface Deciding extends Proposed {
  typed?: LineRefund | undefined;
}

/**
 * The forms for other decisions than the proposal. Each is folded. A refusal can only be changed to a refund. After a
 * failed refund, the contract can also be ended, if the merchant has refunded in another way.
 */
export function decideForms(frame: Frame, view: Deciding, t: WithdrawalTexts): Html {
  if (!may(frame, commands.refund)) return html``;
  const { current, payment } = view;
  if (isClosed(current, payment)) return html``;
  const title = titleOf(view);
  return card(
    { name: 'choices', title: t(title) },
    html`<p class="hint">${t(`${title}.text`)}</p>${[refundForm(frame, view, t), ...closingForms(frame, view, t)]}`,
  );
}

function titleOf({ current, payment }: Proposed) {
  if (isRefundFailed(current, payment)) return 'choices.failed';
  return decisionOf(current) ? 'choices.after' : 'choices';
}

interface FoldedForm {
  action: 'refund' | 'refuse' | 'end' | 'close';
  fields: Slot;
  isOpen?: boolean;
  note?: string;
}

const folded = (
  frame: Frame,
  { declaration }: Proposed,
  { action, fields, isOpen = false, note = '' }: FoldedForm,
  t: WithdrawalTexts,
): Html =>
  html`<details class="guarded"${isOpen && html` open`}><summary>${t(`choice.${action}`)}</summary>
<form method="post" action="/dashboard/withdrawals/${declaration.id}">${formKeys(frame)}
${fields}
${textArea({ id: `note_${action}`, label: t('note'), value: note, maxLength: 1_000, hint: t('note.hint') })}
<p class="submit"><button class="second danger" name="action" value="${action}">${t(`choice.${action}.button`)}</button></p></form></details>
`;

/**
 * The form for a refund by lines. Its fields start empty, and say how much is left of each line. Before money moves, it
 * asks once more with the sum.
 */
function refundForm(frame: Frame, view: Deciding, t: WithdrawalTexts): Html {
  const { payment, typed } = view;
  if (!payment || payment.refundable === 0) return html``;
  const { currency } = payment;
  const asked = typed && t('choice.refund.confirm', { amount: money(typed.sum, currency, t.locale) });
  const fields = html`<p class="hint">${t('choice.refund.text')}</p>
<input type="hidden" name="confirmed" value="${typed?.sum}">
${asked && html`<p class="note wait" role="alert" tabindex="-1" autofocus>${asked}</p>`}
${payment.lines.map(({ name, refundable }, line) =>
  textField({
    id: `amount_${line}`,
    name: `amount_${line}`,
    label: t('choice.refund.line', { name, currency }),
    value: typed?.amounts[line] ?? '',
    maxLength: 40,
    isCode: true,
    hint: t('choice.refund.left', { left: money(refundable, currency, t.locale) }),
  }),
)}`;
  const again = typed && { isOpen: true, note: typed.note };
  return folded(frame, view, { action: 'refund', fields, ...again }, t);
}

function closingForms(frame: Frame, view: Proposed, t: WithdrawalTexts): Html[] {
  const { current, payment } = view;
  const end = folded(frame, view, { action: 'end', fields: html`<p class="hint">${t('choice.end.text')}</p>` }, t);
  if (isRefundFailed(current, payment)) return [end];
  if (decisionOf(current)) return [];
  return [
    folded(frame, view, { action: 'refuse', fields: refuseFields(view, t) }, t),
    end,
    folded(frame, view, { action: 'close', fields: html`<p class="hint">${t('choice.close.text')}</p>` }, t),
  ];
}

/**
 * The reasons for a refusal that the law allows, with the conditions of each. If the stored facts do not prove them,
 * there is a warning.
 */
function refuseFields({ proposal }: Proposed, t: WithdrawalTexts): Html {
  const weighed = proposal.kind === 'by_hand' && 'suggestion' in proposal ? proposal.suggestion : proposal;
  const proven = weighed.kind === 'refused' ? weighed.reason : null;
  return html`${proven === null && html`<p class="note wait">${t('choice.refuse.unproven')}</p>`}
${choices({
  id: 'reason',
  label: t('choice.refuse.reason'),
  value: proven ?? '',
  options: withdrawalRefusals.map((value) => ({
    value,
    label: t(`reason.${value}`),
    hint: t(`reason.${value}.law`),
  })),
})}`;
}
