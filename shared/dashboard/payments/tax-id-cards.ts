import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { RegisterCheck, RegisterName, TaxIdCheck } from '../../domain/checkout/buyer.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { attentionOf } from '../../domain/payments/payment-row.ts';
import type { CorrectionState } from '../../domain/payments/tax-correction.ts';
import { type Html, html } from '../../pages/html.ts';
import type { Frame } from '../frame.ts';
import { actionButton, badge, facts, money, time } from '../parts.ts';

const { correct, leave } = dashboardCommands.payments;

interface CorrectionView {
  payment: Payment;
  correctionFault?: string | undefined;
}

/** What a tax id changes that was proven after the sale, for the merchant to decide; empty where there is nothing. */
export function correctionCard(frame: Frame, { payment, correctionFault }: CorrectionView): Html {
  const { correction } = payment;
  if (!correction) return attentionOf(payment) === 'tax_id_denied' ? deniedNote(payment) : html``;
  return html`<section class="card" aria-labelledby="correction-title"><h2 id="correction-title">Corrected invoice</h2>
<p>${causes[correction.cause]} ${effectOf(correction, payment.currency)}</p>
${!correction.isNamed && otherName(payment, correction)}
${correctionFault && html`<p class="note fault-note" role="alert">${correctionFault}</p>`}
${correction.status === 'proposed' ? decision(frame, payment) : decidedNote(payment, correction)}</section>`;
}

function decision(frame: Frame, { id }: Payment): Html {
  const to = `/dashboard/payments/${id}`;
  return html`<p class="submit">${actionButton(frame, { to, action: 'correct', needs: correct, label: 'Correct the invoice' })}${actionButton(frame, { to, action: 'leave', needs: leave, label: 'Leave it as it is' })}</p>`;
}

const causes = {
  register: 'The register has confirmed the buyer’s tax id after the sale.',
  buyer: 'The buyer gave a tax id after the sale.',
} as const;

function effectOf({ amount, tax }: CorrectionState, currency: string): string {
  if (tax === 0) return 'The tax stays, and a new invoice shows the id.';
  const falls = `The tax of ${money(tax, currency)} falls away.`;
  const back = amount > 0 ? `${money(amount, currency)} of it go back to the buyer.` : 'The buyer gets no money back.';
  const kept = amount < tax ? ' The total of inclusive prices stays: their tax becomes your net.' : '';
  return `${falls} ${back}${kept} A credit note and a new invoice replace the first one.`;
}

function otherName({ customer }: Payment, { taxId, businessName }: CorrectionState): Html {
  const given = businessName ?? customer.name;
  return html`<p class="note wait">The register names “<span dir="auto">${registeredName(taxId)}</span>”, and the buyer “<span dir="auto">${given}</span>”. Correct the invoice only if both are the same business.</p>`;
}

const registeredName = ({ checks = [] }: TaxIdCheck): string => checks.at(-1)?.name ?? '–';

function decidedNote({ id }: Payment, { status, at, refundId }: CorrectionState): Html {
  if (status === 'dismissed') return html`<p class="hint">You left the invoice as it is, ${time(at)}.</p>`;
  const link = (query: string, label: string) => html`<a href="${`/dashboard/payments/${id}?${query}`}">${label}</a>`;
  return html`<p class="hint">Corrected ${time(at)}.</p>
<p class="submit">${link(`document=${refundId}`, 'Credit note')} ${link(`document=${refundId}&corrected=true`, 'New invoice')}</p>`;
}

const deniedNote = ({ taxId }: Payment): Html =>
  html`<p class="note wait">The register does not know the tax id ${taxId?.id}, and you sold without tax because of it. You may owe the tax: ask the buyer, or your adviser.</p>`;

/** What registers said of the buyer's tax id: the proof that a tax office asks for. */
export function taxIdCard({ taxId, correction }: Payment): Html {
  const shown = correction?.cause === 'buyer' ? correction.taxId : taxId;
  const { checks = [] } = shown ?? {};
  if (!shown || checks.length === 0) return html``;
  return html`<section class="card" aria-labelledby="proof-title"><h2 id="proof-title">Proof of the tax id</h2>
<p><code>${shown.id}</code> ${badge(shown.status, shown.status === 'valid' ? 'good' : 'wait')}</p>
${checks.map(checkFacts)}</section>`;
}

const registers: Readonly<Record<RegisterName, string>> = {
  vies: 'VIES, European Union',
  brreg: 'Enhetsregisteret, Norway',
  hmrc: 'HMRC, United Kingdom',
  abn: 'ABN Lookup, Australia',
  sandbox: 'the sandbox',
};

const verdicts = { valid: 'valid', invalid: 'not valid', none: 'no answer' } as const;

const checkFacts = ({ register, at, verdict, fault, consultation, name, address }: RegisterCheck): Html =>
  facts([
    ['Asked', html`${registers[register]}, ${time(at)}`],
    ['Answer', fault === undefined ? verdicts[verdict] : html`${verdicts[verdict]} <code>${fault}</code>`],
    ['Consultation', consultation ? html`<code>${consultation}</code>` : null],
    ['Name', name ? html`<span dir="auto">${name}</span>` : null],
    ['Address', address ? html`<span dir="auto">${address}</span>` : null],
  ]);
