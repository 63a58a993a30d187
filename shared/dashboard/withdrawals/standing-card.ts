import type { Payment } from '../../domain/payments/payment.ts';
import { statusOf } from '../../domain/withdrawal/withdrawal-case.ts';
import { type Html, html } from '../../pages/html.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import type { WithdrawalStanding } from '../../use-cases/withdrawal/load-standing.ts';
import { time } from '../dates.ts';
import type { Frame } from '../frame.ts';
import { card } from '../parts.ts';
import { textsOf } from '../texts.ts';
import { lineStanding, periodFacts } from './standing-words.ts';
import { dueText, outcomeBadge, proofBadge } from './withdrawal-words.ts';

/**
 * The card on a payment's page about withdrawal: the declarations, and the state of the right with period, reasons and
 * proofs.
 */
export function standingCard(
  frame: Frame,
  { payment, withdrawal, now }: { payment: Payment; withdrawal: WithdrawalStanding | undefined; now: Date },
): Html {
  if (!withdrawal) return html``;
  const { standing, withdrawals } = withdrawal;
  if (!standing.isConsumer && withdrawals.length === 0) return html``;
  const t = textsOf(dashboardTexts('withdrawals'), frame);
  const lines = standing.lines.map((line) => html`<div>${lineStanding(payment, line, t)}</div>`);
  return card(
    { name: 'withdrawal', title: t('standing') },
    html`<div class="stack">${withdrawals.map((current) => html`<p><a href="/dashboard/withdrawals/${current.id}">${time(current.createdAt, t.locale)}</a> ${outcomeBadge(current, statusOf(current, payment), t)} ${proofBadge(current, t)}<br>${t('due')}: ${dueText(current, { now, status: statusOf(current, payment) }, t)}</p>`)}
${periodFacts(standing, null, t)}
<details><summary>${t('lines')}</summary><div class="stack">${lines}</div></details></div>`,
  );
}
