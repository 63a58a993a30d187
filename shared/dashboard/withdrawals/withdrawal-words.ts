import { dayMs } from '../../domain/duration.ts';
import { decisionOf, dueAtOf, type WithdrawalCase, warnAtOf } from '../../domain/withdrawal/withdrawal-case.ts';
import { type Html, html } from '../../pages/html.ts';
import type { TextKey } from '../../texts/texts.ts';
import { date } from '../dates.ts';
import { badge } from '../parts.ts';
import type { Texts } from '../texts.ts';

export type WithdrawalTexts = Texts<TextKey<'withdrawals'>>;

/** The decision as a badge. */
export function outcomeBadge(current: WithdrawalCase, t: WithdrawalTexts): Html {
  const outcome = decisionOf(current)?.outcome;
  return outcome ? badge(outcome, 'none', t(`outcome.${outcome}`)) : badge('open', 'wait', t('open'));
}

/** The proof of a declaration as a badge. */
export const proofBadge = ({ proof }: WithdrawalCase, t: WithdrawalTexts): Html =>
  proof ? badge('proven', 'good', t(`proven.${proof.by}`)) : badge('unproven', 'wait', t('unproven'));

/**
 * The day by which the money must be refunded. While there is no decision, it also has the number of days that are
 * left.
 */
export function dueText(current: WithdrawalCase, now: Date, t: WithdrawalTexts): Html {
  const day = date(dueAtOf(current), t.locale);
  if (decisionOf(current)) return day;
  const left = Math.ceil((Date.parse(dueAtOf(current)) - now.getTime()) / dayMs);
  if (left <= 0) return html`${badge('overdue', 'bad', t('overdue'))} ${day}`;
  const words = t.count('left', left);
  return now.getTime() >= Date.parse(warnAtOf(current))
    ? html`${badge('soon', 'bad', words)} ${day}`
    : html`${words} <span class="hint">${day}</span>`;
}
