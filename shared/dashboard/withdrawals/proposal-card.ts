import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { Declaration } from '../../domain/withdrawal/declaration.ts';
import type { Proposal } from '../../domain/withdrawal/proposal.ts';
import { type Html, html } from '../../pages/html.ts';
import { type Frame, may } from '../frame.ts';
import { card, formKeys, money, sums, textArea } from '../parts.ts';
import { amountBack, lineStanding, periodFacts } from './standing-words.ts';
import type { WithdrawalTexts } from './withdrawal-words.ts';

const commands = dashboardCommands.withdrawals;

/**
 * The proposal as text, which the form contains. If the proposal has changed when the form arrives, nothing is done.
 */
export const proposedText = (proposal: Proposal): string =>
  'amount' in proposal ? `${proposal.kind} ${proposal.amount}` : proposal.kind;

interface ProposalView {
  declaration: Declaration;
  payment: Payment | undefined;
  proposal: Proposal;
  /** The address that gets the mails about the order now. */
  orderAddress: string;
}

/** The card with the proposal, its reasons and proofs, and the one button that carries it out. */
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

/** The reasons of a proposal: the state of each line's right and why, the amount to refund for it, and the period. */
const reasons = (
  payment: Payment,
  { lines, standing }: Weighed,
  { receivedAt }: Declaration,
  t: WithdrawalTexts,
): Html =>
  html`<div class="stack after-columns">${lines.map((line) => html`<div>${lineStanding(payment, line.standing, t)}${amountBack(payment, line, t)}</div>`)}
<div><h3>${t('period')}</h3>${periodFacts(standing, receivedAt, t)}</div></div>`;

/** The suggestion inside a proposal that says that a person must decide. Other proposals stay as they are. */
const suggestionOf = (proposal: Proposal): Proposal =>
  proposal.kind === 'by_hand' && 'suggestion' in proposal ? proposal.suggestion : proposal;

/** The proposal as text. */
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

function confirmForm(frame: Frame, view: ProposalView, t: WithdrawalTexts): Html {
  const { proposal, payment, declaration, orderAddress } = view;
  if (!may(frame, commands.confirm)) return html``;
  return html`<form method="post" action="/dashboard/withdrawals/${declaration.id}">${formKeys(frame)}<input type="hidden" name="proposed" value="${proposedText(proposal)}">
<details><summary>${t('note.add')}</summary>${textArea({ id: 'note_confirm', label: t('note'), value: '', maxLength: 1_000, hint: t('note.hint') })}</details>
${'amount' in proposal && payment ? askedRefund(proposal, { payment, orderAddress }, t) : pressed(proposal, payment, t)}</form>`;
}

const pressed = (proposal: Proposal, payment: Payment | undefined, t: WithdrawalTexts): Html =>
  html`<p class="submit"><button class="main" name="action" value="confirm">${buttonText(proposal, payment, t)}</button></p>
<p class="hint">${t(`effect.${effectOf(proposal)}`)}</p>`;

type Paying = Extract<Proposal, { amount: number }>;

/** The button of a proposal that pays money back. It asks once more, with the amount of each line. */
function askedRefund(
  proposal: Paying,
  { payment, orderAddress }: { payment: Payment; orderAddress: string },
  t: WithdrawalTexts,
): Html {
  const inMoney = (amount: number) => money(amount, payment.currency, t.locale);
  return html`<details class="asked"><summary>${buttonText(proposal, payment, t)}</summary>
${sums([
  ...proposal.lines.map(
    ({ line, amount }) => [payment.lines[line]?.name ?? String(line + 1), inMoney(amount)] as const,
  ),
  [t('refund.sum', { email: orderAddress }), inMoney(proposal.amount)],
])}
${pressed(proposal, payment, t)}</details>`;
}

/** A disabled button. It is disabled while nothing proves who declared. The text above says so. */
const offButton = (frame: Frame, { proposal, payment }: ProposalView, weighed: Proposal, t: WithdrawalTexts): Html =>
  weighed === proposal || !('standing' in weighed) || !may(frame, commands.confirm)
    ? html``
    : html`<p class="submit"><button type="button" class="main" disabled>${buttonText(weighed, payment, t)}</button></p>
<p class="hint">${t('confirm.off')}</p>`;
