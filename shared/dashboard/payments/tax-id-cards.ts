import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { RegisterCheck, TaxIdCheck } from '../../domain/checkout/buyer.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { attentionOf } from '../../domain/payments/payment-row.ts';
import type { CorrectionState } from '../../domain/payments/tax-correction.ts';
import { type Html, html } from '../../pages/html.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import type { CorrectionWorth } from '../../use-cases/tax-ids/make-correction.ts';
import { time } from '../dates.ts';
import type { Frame } from '../frame.ts';
import { actionButton, badge, card, facts, guarded, money } from '../parts.ts';
import { type Texts, textsOf, withMarkup } from '../texts.ts';

const { correct, leave } = dashboardCommands.payments;

interface CorrectionView {
  payment: Payment;
  correctionFault?: string | undefined;
  /** Why the proposed correction is impossible now. Then its button is left out. */
  whyNotCorrected?: string | undefined;
  /** What the proposed correction does now. */
  correctionWorth?: CorrectionWorth | undefined;
}

/**
 * The card about a tax id that was confirmed after the sale. It shows what the merchant can correct. Empty if there is
 * nothing.
 */
export function correctionCard(
  frame: Frame,
  { payment, correctionFault, whyNotCorrected, correctionWorth }: CorrectionView,
): Html {
  const t = textsOf(dashboardTexts('payment'), frame);
  const { correction } = payment;
  if (!correction) return attentionOf(payment) === 'tax_id_denied' ? deniedNote(payment, t) : html``;
  return card(
    { name: 'correction', title: t('correction') },
    html`<p>${t(`correction.${correction.cause}`)} ${effectOf(correctionWorth ?? correction, payment.currency, t)}</p>
${!correction.isNamed && otherName(payment, correction, t)}
${correctionFault && html`<p class="note fault-note" role="alert">${correctionFault}</p>`}
${whyNotCorrected && !correctionFault && html`<p class="note wait">${whyNotCorrected}</p>`}
${correction.status === 'proposed' ? decision(frame, { payment, worth: correctionWorth }, t) : decidedNote(payment, correction, t)}`,
  );
}

interface DecisionView {
  payment: Payment;
  /** Undefined if the correction is impossible now. */
  worth: CorrectionWorth | undefined;
}

/**
 * The buttons of a proposed correction. A correction moves money, so it asks once more with the figures. A button whose
 * command would be refused is left out.
 */
function decision(frame: Frame, { payment, worth }: DecisionView, t: Texts<TextKey<'payment'>>): Html {
  const to = `/dashboard/payments/${payment.id}`;
  const label = t('correction.button');
  const action = { to, action: 'correct', needs: correct, label };
  const seen = worth && { amount: String(worth.amount), tax: String(worth.tax) };
  return html`${worth && guarded(frame, label, effectOf(worth, payment.currency, t), { ...action, fields: seen })}
<div class="submit">${actionButton(frame, { to, action: 'leave', needs: leave, label: t('correction.leave') })}</div>`;
}

function effectOf({ amount, tax }: CorrectionWorth, currency: string, t: Texts<TextKey<'payment'>>): string {
  if (tax === 0) return t('correction.taxStays');
  const inMoney = (value: number) => money(value, currency, t.locale);
  const falls = t('correction.taxFalls', { amount: inMoney(tax) });
  const back = amount > 0 ? t('correction.back', { amount: inMoney(amount) }) : t('correction.noMoney');
  const kept = amount < tax ? [t('correction.kept')] : [];
  return [falls, back, ...kept, t('correction.documents')].join(' ');
}

function otherName(
  { customer }: Payment,
  { taxId, businessName }: CorrectionState,
  t: Texts<TextKey<'payment'>>,
): Html {
  const given = businessName ?? customer.name;
  return html`<p class="note wait">${withMarkup(t('correction.names'), { registered: html`<span dir="auto">${registeredName(taxId)}</span>`, given: html`<span dir="auto">${given}</span>` })}</p>`;
}

const registeredName = ({ checks = [] }: TaxIdCheck): string => checks.at(-1)?.name ?? '–';

function decidedNote({ id }: Payment, { status, at, refundId }: CorrectionState, t: Texts<TextKey<'payment'>>): Html {
  const when = { time: time(at, t.locale) };
  if (status === 'dismissed') return html`<p class="hint">${withMarkup(t('correction.left'), when)}</p>`;
  const link = (query: string, label: string) => html`<a href="${`/dashboard/payments/${id}?${query}`}">${label}</a>`;
  return html`<p class="hint">${withMarkup(t('correction.done'), when)}</p>
<p class="submit">${link(`document=${refundId}`, t('creditNote'))} ${link(`document=${refundId}&corrected=true`, t('newInvoice'))}</p>`;
}

const deniedNote = ({ taxId }: Payment, t: Texts<TextKey<'payment'>>): Html =>
  html`<p class="note wait">${t('correction.denied', { id: taxId?.id ?? '' })}</p>`;

/** The registers' answers about the buyer's tax id, as proof for a tax office. */
export function taxIdCard({ taxId, correction }: Payment, t: Texts<TextKey<'payment'>>): Html {
  const shown = correction?.cause === 'buyer' ? correction.taxId : taxId;
  const { checks = [] } = shown ?? {};
  if (!shown || checks.length === 0) return html``;
  return card(
    { name: 'proof', title: t('proof') },
    html`<p><code>${shown.id}</code> ${taxIdBadge(shown, t)}</p>
${checks.map((check) => checkFacts(check, t))}`,
  );
}

/** The result of a tax id's check, in a colour that matches it. */
export const taxIdBadge = ({ status }: Pick<TaxIdCheck, 'status'>, t: Texts<TextKey<'payment'>>): Html =>
  badge(status, status === 'valid' ? 'good' : 'wait', t(`taxId.${status}`));

const checkFacts = (
  { register, at, verdict, fault, consultation, name, address }: RegisterCheck,
  t: Texts<TextKey<'payment'>>,
): Html =>
  facts([
    [t('proof.asked'), html`${t(`proof.${register}`)}, ${time(at, t.locale)}`],
    [t('proof.answer'), html`${t(`proof.answer.${verdict}`)}${fault !== undefined && html` <code>${fault}</code>`}`],
    [t('proof.consultation'), consultation ? html`<code>${consultation}</code>` : null],
    [t('name'), name ? html`<span dir="auto">${name}</span>` : null],
    [t('address'), address ? html`<span dir="auto">${address}</span>` : null],
  ]);
