import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { Declaration } from '../../domain/withdrawal/declaration.ts';
import {
  type Acknowledgement,
  isClosed,
  statusOf,
  type WithdrawalCase,
  type WithdrawalDecision,
} from '../../domain/withdrawal/withdrawal-case.ts';
import { textField } from '../../pages/fields.ts';
import { type Html, html } from '../../pages/html.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import type { Proposed } from '../../use-cases/withdrawal/decide-withdrawal.ts';
import { time } from '../dates.ts';
import { dashboardAnswer, type Frame, may } from '../frame.ts';
import { card, facts, formKeys, money } from '../parts.ts';
import { textsOf } from '../texts.ts';
import { decideForms, type LineRefund } from './decide-forms.ts';
import { proposalCard } from './proposal-card.ts';
import { dueText, outcomeBadge, proofBadge, type WithdrawalTexts } from './withdrawal-words.ts';

const section = '/dashboard/withdrawals';
const commands = dashboardCommands.withdrawals;

interface WithdrawalView extends Proposed {
  /** The address that gets the mails about the order now; empty if there is no order, or if its buyer is erased. */
  orderAddress: string;
  /** A typed refund whose sum must be confirmed. */
  typed?: LineRefund | undefined;
  /** Why a command was refused. */
  fault: string | undefined;
  now: Date;
}

/**
 * The page of a withdrawal: the declaration word for word, its proof, the proposal, and the forms with which a person
 * decides.
 */
export function withdrawalPage(frame: Frame, view: WithdrawalView) {
  const t = textsOf(dashboardTexts('withdrawals'), frame);
  const { declaration, current, payment, fault, now } = view;
  const isEnded = isClosed(current, payment);
  const status = statusOf(current, payment);
  const main = html`<p class="states">${outcomeBadge(current, status, t)}${proofBadge(current, t)}<span>${t('due')}: ${dueText(current, { now, status }, t)}</span></p>
${fault && html`<p class="note fault-note" role="alert" tabindex="-1" autofocus>${fault}</p>`}
<div class="columns main-aside">
<div class="stack">${current.decisions.length > 0 && decisionsCard(current, payment, t)}${!isEnded && proposalCard(frame, view, t)}${decideForms(frame, view, t)}</div>
<div class="stack">${declarationCard(declaration, payment, t)}${orderCard(frame, view, t)}${proofCard(current, t)}${mailsCard(current, t)}</div>
</div>`;
  const above = { href: section, label: t('nav./dashboard/withdrawals') };
  const content = { title: t('title', { name: declaration.name }), section, above, main } as const;
  return dashboardAnswer(frame, content, { statusCode: fault ? 422 : 200 });
}

/** The card with the declaration as it arrived. Nobody can change it. */
const declarationCard = (declaration: Declaration, payment: Payment | undefined, t: WithdrawalTexts): Html => {
  const { id, receivedAt, source, name, email, reference, lines } = declaration;
  const named = lines?.map((line) => payment?.lines[line]?.name ?? String(line + 1)).join(', ');
  return card(
    { name: 'declaration', title: t('declaration') },
    facts([
      [t('received'), time(receivedAt, t.locale)],
      [t('source'), t(`source.${source}`)],
      [t('name'), html`<span dir="auto">${name}</span>`],
      [t('email'), email],
      [t('reference'), html`<span dir="auto">${reference}</span>`],
      [t('about'), named ?? t('about.all')],
      [t('id'), html`<code>${id}</code>`],
    ]),
  );
};

/** The card with the order. If none is known, it has the form with which a member names it. */
function orderCard(
  frame: Frame,
  { declaration, payment, current, orderAddress }: WithdrawalView,
  t: WithdrawalTexts,
): Html {
  const link = (id: string) => html`<a href="/dashboard/payments/${id}"><code>${id}</code></a>`;
  if (payment) {
    const { id, createdAt, gross, refundable, currency } = payment;
    return card(
      { name: 'order', title: t('order') },
      facts([
        [t('order'), link(id)],
        [t('bought'), time(createdAt, t.locale)],
        [t('orderEmail'), orderAddress],
        [t('paid'), money(gross, currency, t.locale)],
        [t('left'), money(refundable, currency, t.locale)],
      ]),
    );
  }
  if (current.paymentId !== null) return card({ name: 'order', title: t('order') }, link(current.paymentId));
  const form = html`<form method="post" action="${section}/${declaration.id}">${formKeys(frame)}
${textField({ id: 'payment_id', name: 'payment_id', label: t('orderId'), value: '', isRequired: true, maxLength: 40, hint: t('orderId.hint') })}
<p class="submit"><button class="second" name="action" value="match">${t('match')}</button></p></form>`;
  return card(
    { name: 'order', title: t('order') },
    html`<p class="hint">${t('unmatched.text')}</p>${may(frame, commands.match) && form}`,
  );
}

const proofCard = ({ proof, paymentId }: WithdrawalCase, t: WithdrawalTexts): Html =>
  card(
    { name: 'proof', title: t('proof') },
    proof
      ? html`<p>${t(`proven.${proof.by}.text`)}</p><p class="hint">${time(proof.at, t.locale)}</p>`
      : html`<p>${t(paymentId === null ? 'unproven.unmatched' : 'unproven.text')}</p>`,
  );

const decisionsCard = ({ decisions }: WithdrawalCase, payment: Payment | undefined, t: WithdrawalTexts): Html =>
  card(
    { name: 'decisions', title: t('decisions') },
    decisions.map((decision) => decisionFacts(decision, payment, t)),
  );

function decisionFacts(decision: WithdrawalDecision, payment: Payment | undefined, t: WithdrawalTexts): Html {
  const { outcome, reason, note, by, at, refundId } = decision;
  const refund =
    payment && refundId !== null && html`<a href="/dashboard/payments/${payment.id}"><code>${refundId}</code></a>`;
  return facts([
    [t('decision'), t(`outcome.${outcome}`)],
    [t('when'), time(at, t.locale)],
    [t('by'), by === 'automatic' ? t('by.automatic') : html`<span dir="auto">${by}</span>`],
    ...(reason ? [[t('choice.refuse.reason'), t(`reason.${reason}`)] as const] : []),
    ...(refund ? [[t('refund'), refund] as const] : []),
    ...(note === null ? [] : [[t('note'), html`<span dir="auto">${note}</span>`] as const]),
  ]);
}

/** The card with the results of the mails about the declaration and the decision. */
function mailsCard({ acknowledgement, notice, reply }: WithdrawalCase, t: WithdrawalTexts): Html {
  const state = ({ status, at }: Acknowledgement) =>
    html`${t(`mail.${status}`)}${at !== null && html` ${time(at, t.locale)}`}`;
  return card(
    { name: 'mails', title: t('mails') },
    facts([
      [t('mails.acknowledgement'), state(acknowledgement)],
      ...(notice ? [[t('mails.notice'), state(notice)] as const] : []),
      ...(reply ? [[t('mails.reply'), state(reply)] as const] : []),
    ]),
  );
}
