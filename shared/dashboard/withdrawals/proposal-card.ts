import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { Declaration } from '../../domain/withdrawal/declaration.ts';
import type { Proposal } from '../../domain/withdrawal/proposal.ts';
import { type Html, html } from '../../pages/html.ts';
import { type Frame, may } from '../frame.ts';
import { card, formKeys, money, textArea } from '../parts.ts';
import { amountBack, lineStanding, periodFacts } from './standing-words.ts';
import type { WithdrawalTexts } from './withdrawal-words.ts';

const commands = dashboardCommands.withdrawals;

/** What a form confirms. If something else is proposed when it arrives, nothing is done. */
export const proposedText = (proposal: Proposal): string =>
  'amount' in proposal ? `${proposal.kind} ${proposal.amount}` : proposal.kind;

interface ProposalView {
  declaration: Declaration;
  payment: Payment | undefined;
  proposal: Proposal;
}

/** What is proposed and why, with each proof, and the one button that does it. */
export function proposalCard(frame: Frame, view: ProposalView, t: WithdrawalTexts): Html {
  const { proposal, payment, declaration } = view;
  const weighed = suggestionOf(proposal);
  const isOpen = weighed === proposal && 'standing' in proposal;
  return card(
    { name: 'proposal', title: t('proposal') },
    html`<p class="lead"><strong>${proposalText(proposal, payment, t)}</strong></p>
${weighed !== proposal && html`<p>${t('suggestion')} ${proposalText(weighed, payment, t)}</p>`}
${isOpen ? confirmForm(frame, view, t) : offButton(frame, view, weighed, t)}
${payment && 'standing' in weighed && reasons(payment, weighed, declaration, t)}`,
  );
}

type Weighed = Extract<Proposal, { standing: unknown }>;

/** How the right of each line stands and why, what goes back of it, and the period. */
const reasons = (
  payment: Payment,
  { lines, standing }: Weighed,
  { receivedAt }: Declaration,
  t: WithdrawalTexts,
): Html =>
  html`<div class="stack after-columns">${lines.map((line) => html`<div>${lineStanding(payment, line.standing, t)}${amountBack(payment, line, t)}</div>`)}
<div><h3>${t('period')}</h3>${periodFacts(standing, receivedAt, t)}</div></div>`;

/** The proposal behind one that waits for a person. */
const suggestionOf = (proposal: Proposal): Proposal =>
  proposal.kind === 'by_hand' && 'suggestion' in proposal ? proposal.suggestion : proposal;

/** A proposal in plain words. */
function proposalText(proposal: Proposal, payment: Payment | undefined, t: WithdrawalTexts): string {
  if (proposal.kind === 'refused') return t(`proposal.refused.${proposal.reason}`);
  if ('amount' in proposal)
    return t(`proposal.${proposal.kind}`, { amount: money(proposal.amount, payment?.currency ?? '', t.locale) });
  return t(`proposal.${proposal.why}`);
}

/** The label of the button for a proposal, with the amount. */
function buttonText(proposal: Proposal, payment: Payment | undefined, t: WithdrawalTexts): string {
  if ('amount' in proposal)
    return t('confirm.refund', { amount: money(proposal.amount, payment?.currency ?? '', t.locale) });
  return t(proposal.kind === 'refused' ? 'confirm.refuse' : 'confirm.end');
}

const effectOf = (proposal: Proposal) =>
  'amount' in proposal ? 'refund' : proposal.kind === 'refused' ? 'refuse' : 'end';

function confirmForm(frame: Frame, { proposal, payment, declaration }: ProposalView, t: WithdrawalTexts): Html {
  if (!may(frame, commands.confirm)) return html``;
  return html`<form method="post" action="/dashboard/withdrawals/${declaration.id}">${formKeys(frame)}<input type="hidden" name="proposed" value="${proposedText(proposal)}">
<details><summary>${t('note.add')}</summary>${textArea({ id: 'note_confirm', label: t('note'), value: '', maxLength: 1_000, hint: t('note.hint') })}</details>
<p class="submit"><button class="main" name="action" value="confirm">${buttonText(proposal, payment, t)}</button></p>
<p class="hint">${t(`effect.${effectOf(proposal)}`)}</p></form>`;
}

/** The button that is off while nothing proves who declared. The words above say why. */
const offButton = (frame: Frame, { proposal, payment }: ProposalView, weighed: Proposal, t: WithdrawalTexts): Html =>
  weighed === proposal || !('standing' in weighed) || !may(frame, commands.confirm)
    ? html``
    : html`<p class="submit"><button type="button" class="main" disabled>${buttonText(weighed, payment, t)}</button></p>
<p class="hint">${t('confirm.off')}</p>`;
