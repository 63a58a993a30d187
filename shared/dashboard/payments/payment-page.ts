import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { isCalculationExact } from '../../domain/checkout/calculation.ts';
import { isSaleCarried } from '../../domain/documents/vat-breakdown.ts';
import { chargeStatusOf } from '../../domain/payments/charge.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { hasPaidOut } from '../../domain/payments/refund.ts';
import { nameCountries } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import { translator } from '../../pages/locale.ts';
import { taxLabel } from '../../pages/order-summary.ts';
import { totalsOf } from '../../pages/totals.ts';
import type { PaymentOverview } from '../../use-cases/reports/load-payment-overview.ts';
import { dashboardAnswer, type Frame, may } from '../frame.ts';
import { badge, dataTable, facts, money, sums, time } from '../parts.ts';
import { statusBadge } from './dispute-pages.ts';
import { type RefundFormView, refundForm } from './refund-form.ts';
import { correctionCard, taxIdCard } from './tax-id-cards.ts';
import { timelineCard } from './timeline-card.ts';

const commands = dashboardCommands.payments;

const section = '/dashboard/payments';

interface PaymentView extends PaymentOverview {
  /** Null where nothing can be refunded. */
  form: RefundFormView | null;
  /** Why the correction cannot be made now. */
  correctionFault?: string | undefined;
  now: Date;
}

export function paymentPage(frame: Frame, view: PaymentView) {
  const { payment, form } = view;
  const title = money(payment.gross, payment.currency);
  const main = html`<p class="states">${badge(chargeStatusOf(payment))}${payment.refunded > 0 && badge(payment.refunded === payment.gross ? 'refunded' : 'partly refunded')}${payment.disputes.map((dispute) => html`<a href="/dashboard/disputes">dispute ${statusBadge(dispute)}</a>`)}<span class="soft">${time(payment.createdAt)}</span></p>
${payment.errorMessage && html`<p class="note fault-note">${payment.errorMessage} <code>${payment.errorCode}</code></p>`}
<div class="columns main-aside">
<div class="stack">${correctionCard(frame, view)}${linesCard(payment)}${view.refunds.length > 0 && refundsCard(view)}${form && may(frame, commands.refund) && refundForm(frame, form)}${timelineCard(frame, view)}</div>
<div class="stack">${sumsCard(payment)}${buyerCard(payment)}${taxIdCard(payment)}${consentsCard(payment)}${evidenceCard(payment)}${idsCard(payment)}</div>
</div>`;
  const answered = { statusCode: form?.fault || view.correctionFault ? 422 : 200 };
  return dashboardAnswer(frame, { title, section, above: { href: section, label: 'Payments' }, main }, answered);
}

const linesCard = ({
  lines,
  currency,
}: Payment): Html => html`<section class="card" aria-labelledby="lines-title"><h2 id="lines-title">Lines</h2>
${dataTable(
  'What was bought',
  [
    {
      label: 'Product',
      cell: ({ productId, name, quantity, unitAmount }) =>
        html`<a href="/dashboard/products/${productId}" dir="auto">${name}</a><span class="hint">${quantity} × ${money(unitAmount, currency)}</span>`,
    },
    { label: 'Net', isNumber: true, cell: ({ net }) => money(net, currency) },
    { label: 'Tax', isNumber: true, cell: ({ tax }) => money(tax, currency) },
    { label: 'Total', isNumber: true, cell: ({ gross }) => money(gross, currency) },
    { label: 'Left to refund', isNumber: true, cell: ({ refundable }) => money(refundable, currency) },
  ],
  lines,
)}</section>`;

function sumsCard(payment: Payment): Html {
  const { currency, refunded, pending, disputed, refundable, status } = payment;
  const t = translator('en');
  const taxes = totalsOf(payment.lines).taxes.map(
    (tax) => [taxLabel(tax, 'en', t), money(tax.amount, currency)] as const,
  );
  const rows = [['Net', money(payment.net, currency)], ...taxes, ['Paid', money(payment.gross, currency)]] as const;
  const counters = [
    ['Refunded', money(refunded, currency)],
    ...(pending > 0 ? [['Refund pending', money(pending, currency)] as const] : []),
    ...(disputed > 0 ? [['Taken by the bank', money(disputed, currency)] as const] : []),
    ['Left to refund', money(refundable, currency)],
  ] as const;
  return html`<section class="card" aria-labelledby="sums-title"><h2 id="sums-title">Amounts</h2>${sums(rows)}${status === 'succeeded' && sums(counters)}${feeSums(payment)}
${status === 'succeeded' && html`<p class="submit">${documentLinks(payment, payment.id, 'Invoice')}</p>`}</section>`;
}

/** What the processor keeps. It may settle in another currency, in which nothing can be subtracted. */
function feeSums({ fee, gross, currency }: Payment): Html {
  if (!fee) return html``;
  const rows = [['Processor’s fee', money(fee.amount, fee.currency)]] as const;
  return fee.currency === currency
    ? sums([['Paid', money(gross, currency)], ...rows, ['Left after the fee', money(gross - fee.amount, currency)]])
    : sums(rows);
}

const refundsCard = ({
  refunds,
  payment,
}: PaymentView): Html => html`<section class="card" aria-labelledby="refunds-title"><h2 id="refunds-title">Refunds</h2>
${dataTable(
  'Refunds',
  [
    {
      label: 'When',
      cell: ({ createdAt, id }) => html`${time(createdAt)}<span class="hint"><code>${id}</code></span>`,
    },
    { label: 'Status', cell: ({ status }) => badge(status) },
    {
      label: 'Document',
      cell: (refund) => (hasPaidOut(refund) ? documentLinks(payment, refund.id, 'Credit note') : '–'),
    },
    { label: 'Private note', cell: ({ reason }) => html`<span dir="auto">${reason ?? '–'}</span>` },
    { label: 'Tax included', isNumber: true, cell: ({ tax, currency }) => money(tax, currency) },
    { label: 'Amount', isNumber: true, cell: ({ amount, currency }) => money(amount, currency) },
  ],
  refunds,
)}
${payment.refunds.length > refunds.length && html`<p class="hint">These are the newest ${refunds.length} of ${payment.refunds.length} refunds; the API lists all of them.</p>`}</section>`;

const countryName = (code: string): string => nameCountries([code], 'en')[0]?.name ?? code;

function buyerCard({ customer, billing, businessName, taxId }: Payment): Html {
  const { street, city, state, zipcode, country } = billing;
  const address = [street, [zipcode, city].filter(Boolean).join(' '), state, countryName(country)].filter(Boolean);
  return html`<section class="card" aria-labelledby="buyer-title"><h2 id="buyer-title">Buyer</h2>
${facts([
  ['Name', html`<span dir="auto">${businessName ?? customer.name}</span>`],
  ['E-mail', html`<a href="/dashboard/customers/${customer.id}">${customer.email || customer.id}</a>`],
  ['Address', address.join(', ')],
  ...(taxId
    ? [['Tax id', html`${taxId.id} ${badge(taxId.status, taxId.status === 'valid' ? 'good' : 'wait')}`] as const]
    : []),
])}</section>`;
}

/** What the buyer agreed to, as proof of it. */
const consentsCard = ({ consents = [] }: Payment): Html =>
  consents.length === 0
    ? html``
    : html`<section class="card" aria-labelledby="consents-title"><h2 id="consents-title">Consents</h2>
${consents.map(({ text, language, at }) => html`<p lang="${language}" dir="auto">“${text}”</p><p class="hint">${time(at)}</p>`)}</section>`;

const evidenceNames = { billing_address: 'Billing address', ip: 'Network address', card_country: 'Card' } as const;
const evidenceWords = {
  two_match: ['two items agree', 'good'],
  one_only: ['only one item', 'none'],
  conflict: ['contradictory', 'wait'],
} as const;

function evidenceCard(payment: Payment): Html {
  const { evidence, calculation } = payment;
  const [word, mood] = evidenceWords[evidence.status];
  const isExact = isCalculationExact(payment);
  return html`<section class="card" aria-labelledby="evidence-title"><h2 id="evidence-title">Tax evidence</h2>
<p class="states">${badge(word, mood)}</p>
${facts([
  ...evidence.items.map(
    ({ type, country, region }) =>
      [evidenceNames[type], `${countryName(country)}${region ? `, ${region}` : ''}`] as const,
  ),
  ['Tax date', calculation.taxDate],
  ['Rate table', calculation.tableVersion],
  ['Recomputed', isExact ? 'the same figures' : 'OTHER FIGURES'],
])}
${calculation.rows.length + calculation.warnings.length > 0 && html`<details><summary>Rates and rules</summary><ul>${[...calculation.rows, ...calculation.registrations, ...calculation.warnings].map((row) => html`<li><code>${row}</code></li>`)}</ul></details>`}</section>`;
}

const idsCard = ({
  id,
  sessionId,
  processor,
  card,
  brandId,
}: Payment): Html => html`<section class="card" aria-labelledby="ids-title"><h2 id="ids-title">References</h2>
${facts([
  ['Payment', html`<code>${id}</code>`],
  ['Checkout session', html`<code>${sessionId}</code>`],
  ['Card', card ? `${card.network} •••• ${card.lastFour}` : null],
  ['Processor', processor],
  ['Brand', html`<a href="/dashboard/brands/${brandId}"><code>${brandId}</code></a>`],
])}</section>`;

/** A document, and the same as XML where the standard can carry it. */
const documentLinks = (payment: Payment, subjectId: string, label: string): Html => {
  const address = `${section}/${payment.id}?document=${subjectId}`;
  return html`<a href="${address}">${label}</a>${isSaleCarried(payment) && html` · <a href="${`${address}&format=xml`}">XML</a>`}`;
};
