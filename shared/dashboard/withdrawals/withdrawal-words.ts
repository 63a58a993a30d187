import { dayMs } from '../../domain/duration.ts';
import {
  decisionOf,
  dueAtOf,
  type WithdrawalCase,
  type WithdrawalStatus,
  warnAtOf,
} from '../../domain/withdrawal/withdrawal-case.ts';
import { type Html, html } from '../../pages/html.ts';
import type { TextKey } from '../../texts/texts.ts';
import { date } from '../dates.ts';
import { badge } from '../parts.ts';
import type { Texts } from '../texts.ts';

export type WithdrawalTexts = Texts<TextKey<'withdrawals'>>;

/** The decision as a badge. If its refund has failed, the badge asks for another decision. */
export function outcomeBadge(current: WithdrawalCase, status: WithdrawalStatus, t: WithdrawalTexts): Html {
  if (status === 'refund_failed') return badge('failed', 'bad', t('outcome.failed'));
  const outcome = decisionOf(current)?.outcome;
  return outcome ? badge(outcome, 'none', t(`outcome.${outcome}`)) : badge('open', 'wait', t('open'));
}

/** The proof of a declaration as a badge. */
export const proofBadge = ({ proof }: WithdrawalCase, t: WithdrawalTexts): Html =>
  proof ? badge('proven', 'good', t(`proven.${proof.by}`)) : badge('unproven', 'wait', t('unproven'));

/**
 * The day by which the money must be refunded. While there is no decision, or its refund has failed, it also has the
 * number of days that are left.
 */
export function dueText(
  current: WithdrawalCase,
  { now, status }: { now: Date; status: WithdrawalStatus },
  t: WithdrawalTexts,
): Html {
  const day = date(dueAtOf(current), t.locale);
  if (status === 'decided') return day;
  const left = Math.ceil((Date.parse(dueAtOf(current)) - now.getTime()) / dayMs);
  if (left <= 0) return html`${badge('overdue', 'bad', t('overdue'))} ${day}`;
  const words = t.count('left', left);
  return now.getTime() >= Date.parse(warnAtOf(current))
    ? html`${badge('soon', 'bad', words)} ${day}`
    : html`${words} <span class="hint">${day}</span>`;
}
