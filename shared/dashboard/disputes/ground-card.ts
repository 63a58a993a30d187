import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import {
  adjustedAmounts,
  awaitsGround,
  type DisputeAdjustment,
  type DisputeGround,
  disputeGrounds,
  standingAdjustment,
} from '../../domain/disputes/dispute-adjustment.ts';
import { noAccessOf } from '../../domain/entitlements/access-right.ts';
import { isLost } from '../../domain/payments/dispute-standing.ts';
import { type Html, html } from '../../pages/html.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import type { DisputeEvidence } from '../../use-cases/payments/load-dispute-evidence.ts';
import { date } from '../dates.ts';
import { type Frame, may } from '../frame.ts';
import { card, choices, dataTable, type FormFault, faultSummary, formKeys, messageAt, money } from '../parts.ts';
import { type Texts, textsOf } from '../texts.ts';

const { choose_ground } = dashboardCommands.disputes;

type GroundTexts = Texts<TextKey<'evidence'>>;

/**
 * Proposes a ground for a lost dispute. If the buyer has lost access to a disputed line, the sale is undone. Otherwise,
 * the buyer keeps what was sold.
 */
export function proposedGround({ dispute, payment, used }: DisputeEvidence): DisputeGround {
  const disputed = new Set(dispute.lines.map(({ productId }) => productId));
  const hasEnded = used.some(({ grant }) => disputed.has(grant.productId) && isEnded(noAccessOf(grant, payment)));
  return hasEnded ? 'rescinded' : 'uncollectible';
}

const isEnded = (why: ReturnType<typeof noAccessOf>): boolean =>
  why === 'revoked' || why === 'lost' || why === 'refunded';

interface GroundView {
  evidence: DisputeEvidence;
  faults: readonly FormFault[];
}

/**
 * The card about the effect of a lost dispute on the taxed amount. It has the choice of the ground, and the adjustments
 * that were booked.
 */
export function groundCard(frame: Frame, { evidence, faults }: GroundView): Html {
  const { dispute } = evidence;
  const { adjustments = [] } = dispute;
  if (!awaitsGround(dispute) && adjustments.length === 0) return html``;
  const t = textsOf(dashboardTexts('evidence'), frame);
  return card(
    { name: 'ground', title: t('ground') },
    html`${faultSummary(faults, t)}${awaitsGround(dispute) && groundForm(frame, evidence, faults, t)}${adjustments.length > 0 && adjustmentTable(evidence, adjustments, t)}${changeForm(frame, dispute, t)}`,
  );
}

/** The form that changes a booked ground into the other one, as long as the bank keeps the money. */
function changeForm(frame: Frame, dispute: DisputeEvidence['dispute'], t: GroundTexts): Html {
  const standing = standingAdjustment(dispute);
  const other = disputeGrounds.find((ground) => ground !== standing?.ground);
  if (!standing || !other || !isLost(dispute) || !may(frame, choose_ground)) return html``;
  return html`<form method="post" action="/dashboard/disputes/${dispute.id}">${formKeys(frame)}
<input type="hidden" name="ground" value="${other}">
<input type="hidden" name="replaces" value="${standing.ground}">
<p class="hint">${t('ground.change.does')}</p>
<p class="submit"><button class="second" name="action" value="choose_ground">${t(`ground.change.${other}`)}</button></p></form>`;
}

function groundForm(frame: Frame, evidence: DisputeEvidence, faults: readonly FormFault[], t: GroundTexts): Html {
  const { dispute, payment } = evidence;
  const { amount, tax } = adjustedAmounts(dispute);
  const inMoney = (value: number) => money(value, dispute.currency, t.locale);
  const figures = { amount: inMoney(amount), net: inMoney(amount - tax), tax: inMoney(tax) };
  const proposed = proposedGround(evidence);
  const isBritish = ['GB', 'IM', 'XI'].includes(payment.calculation.country);
  const options = disputeGrounds.map((ground) => ({
    value: ground,
    label: t(`ground.${ground}`),
    hint: t(`ground.${ground}.does`, figures),
  }));
  return html`<p>${t('ground.lead', figures)}</p>
<p class="hint">${t(`ground.proposed.${proposed}`)}</p>
${
  may(frame, choose_ground) &&
  html`<form method="post" action="/dashboard/disputes/${dispute.id}">${formKeys(frame)}
${choices({ id: 'ground', label: t('ground.question'), value: proposed, options, fault: messageAt(faults, 'ground') })}
${isBritish && html`<p class="hint">${t('ground.british')}</p>`}
<p class="hint">${t('ground.once')}</p>
<p class="submit"><button class="main" name="action" value="choose_ground">${t('ground.button', figures)}</button></p></form>`
}`;
}

const adjustmentTable = (
  { dispute, payment }: DisputeEvidence,
  adjustments: readonly DisputeAdjustment[],
  t: GroundTexts,
): Html =>
  dataTable(
    t('ground.booked'),
    [
      { label: t('ground.day'), cell: ({ at }) => date(at, t.locale) },
      {
        label: t('ground'),
        cell: ({ id, kind, ground, isChoice }) =>
          html`${t(`ground.${isChoice ? 'changed' : kind}.${ground}`)}${ground === 'rescinded' && html`<span class="hint"><a href="${`/dashboard/payments/${payment.id}?document=${id}`}">${t('ground.document')}</a></span>`}`,
      },
      ...(['net', 'tax'] as const).map((figure) => ({
        label: t(`ground.${figure}`),
        isNumber: true,
        cell: (one: DisputeAdjustment) => {
          const { amount, tax } = adjustedAmounts(one);
          const value = figure === 'tax' ? tax : amount - tax;
          return money(one.kind === 'won' ? value : 0 - value, dispute.currency, t.locale);
        },
      })),
    ],
    adjustments,
  );
