import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { isCalculationExact } from '../../domain/checkout/calculation.ts';
import type { Consent } from '../../domain/checkout/consent.ts';
import { isSaleCarried } from '../../domain/documents/vat-breakdown.ts';
import { sum } from '../../domain/money/money.ts';
import { mailStateOf } from '../../domain/orders/mail-notes.ts';
import { chargeStatusOf } from '../../domain/payments/charge.ts';
import { disputeStandingOf, lostOf, saleStateOf } from '../../domain/payments/dispute-standing.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { hasPaidOut } from '../../domain/payments/refund.ts';
import type { Payout } from '../../domain/payouts/payout.ts';
import { countryName, formatCount } from '../../pages/format.ts';
import { type Html, html, type Slot } from '../../pages/html.ts';
import { payLabel } from '../../pages/legal-labels.ts';
import { findLocale } from '../../pages/locale.ts';
import { taxLabel } from '../../pages/tax-label.ts';
import { totalsOf } from '../../pages/totals.ts';
import { evidenceFinding, evidenceRuleOf } from '../../tax/evidence-rule.ts';
import { buyerTaxTexts, dashboardTexts, type TextKey } from '../../texts/texts.ts';
import type { GrantOverview } from '../../use-cases/entitlements/grant-overview.ts';
import type { PaymentOverview } from '../../use-cases/reports/load-payment-overview.ts';
import type { CorrectionWorth } from '../../use-cases/tax-ids/make-correction.ts';
import type { WithdrawalStanding } from '../../use-cases/withdrawal/load-standing.ts';
import { date, time } from '../dates.ts';
import { dashboardAnswer, type Frame, may } from '../frame.ts';
import { paymentGrantsCard } from '../grants/grant-cards.ts';
import { actionButton, badge, card, dataTable, facts, money, sums } from '../parts.ts';
import { type Texts, textsOf, withMarkup } from '../texts.ts';
import { standingCard } from '../withdrawals/standing-card.ts';
import { declineText } from './decline-text.ts';
import { disputeBadge } from './dispute-badge.ts';
import type { LogPlace } from './log-link.ts';
import { isTrouble, mailDetails } from './mail-words.ts';
import { statusBadge } from './payment-list-page.ts';
import { type RefundFormView, refundForm } from './refund-form.ts';
import { refundWords, refusalWords } from './refusal-words.ts';
import { correctionCard, taxIdBadge, taxIdCard } from './tax-id-cards.ts';
import { timelineCard } from './timeline-card.ts';

const commands = dashboardCommands.payments;

const section = '/dashboard/payments';

interface PaymentView extends PaymentOverview {
  /** The refund form. Null if nothing can be refunded. */
  form: RefundFormView | null;
  /** Why the documents cannot be corrected now. */
  correctionFault?: string | undefined;
  /** Why the proposed correction is impossible now. Then its button is left out. */
  whyNotCorrected?: string | undefined;
  /** What the proposed correction does now. */
  correctionWorth?: CorrectionWorth | undefined;
  /** Codes that the customer has used more often than allowed. */
  repeatedCodes: readonly string[];
  /** The grants of the payment. */
  grants: readonly GrantOverview[];
  /** The state of the right of withdrawal. Undefined if the payment has not succeeded. */
  withdrawal: WithdrawalStanding | undefined;
  /** The payout with its money; undefined if none is known. */
  payout: Payout | undefined;
  /** Whether the stack sends mail. */
  canMail: boolean;
  /** The link to the functions' log in AWS. */
  functionLogs?: LogPlace | undefined;
  now: Date;
  /** The country where the merchant is established. */
  merchantCountry: string;
}

export function paymentPage(frame: Frame, view: PaymentView) {
  const { payment, form } = view;
  const t = textsOf(dashboardTexts('payment'), frame);
  const title = money(payment.gross, payment.currency, t.locale);
  const main = html`<p class="states">${stateBadges(payment, t)}${payment.disputes.map((dispute) => html`<a href="/dashboard/disputes/${dispute.id}">${t('dispute')} ${disputeBadge(dispute, t)}</a>`)}<span class="soft">${time(payment.createdAt, t.locale)}</span></p>
${payment.errorMessage && html`<p class="note fault-note">${declineText(payment, t)} <code>${payment.errorCode}</code>${payment.refusal && html`<br>${refusalWords(payment.refusal, t)}`}</p>`}
${payment.statementRefusal && html`<p class="note wait">${t('statement.refused')} ${refusalWords(payment.statementRefusal, t)}</p>`}
${view.repeatedCodes.map((code) => html`<p class="note wait">${t('code.repeated', { code })}</p>`)}
${fraudNote(payment, t)}${lostMail(view, t)}<div class="columns main-aside">
<div class="stack">${linesCard(payment, t)}${sumsCard(frame, view, t)}${correctionCard(frame, view)}${paymentGrantsCard(frame, payment, view.grants)}${view.refunds.length > 0 && refundsCard(view, t)}${form && may(frame, commands.refund) && refundForm(frame, form)}${timelineCard(frame, view)}</div>
<div class="stack">${buyerCard(payment, t)}${taxIdCard(payment, t)}${standingCard(frame, view)}${consentsCard(payment, t)}${evidenceCard(view, t)}${idsCard(payment, t)}</div>
</div>`;
  const answered = { statusCode: form?.fault || view.correctionFault ? 422 : 200 };
  const above = { href: section, label: t('nav./dashboard/payments') };
  return dashboardAnswer(frame, { title, section, above, main }, answered);
}

/** A note that the card's network reports the payment as a fraud, and how the merchant can avoid the dispute. */
function fraudNote({ fraudWarning, refundable }: Payment, t: Texts<TextKey<'payment'>>): Html | undefined {
  if (!fraudWarning) return undefined;
  const { kind, createdAt, isActionable } = fraudWarning;
  const advice = t(isActionable && refundable > 0 ? 'fraud.refund' : 'fraud.over');
  return html`<p class="note fault-note">${t('fraud.warned')} ${advice} <span class="soft"><code>${kind}</code> · ${time(createdAt, t.locale)}</span></p>
`;
}

/**
 * A note that the mail of the purchase did not reach the buyer. It links to the page on which the merchant can send it
 * again.
 */
function lostMail({ payment, documents }: PaymentView, t: Texts<TextKey<'payment'>>): Html | undefined {
  const purchase = documents.find(({ subjectId }) => subjectId === payment.id);
  const state = purchase && mailStateOf(purchase.mails);
  if (!state || !isTrouble(state)) return undefined;
  const text = state.what === 'complained' ? t('mail.complained') : t('mail.lost');
  return html`<p class="note wait">${text} ${mailDetails(state, t)} <a href="${section}/${payment.id}/order">${t('order.title')}</a></p>
`;
}

/** The state of the sale, and a note if a part was refunded. */
function stateBadges(payment: Payment, t: Texts<TextKey<'payment'>>): Html {
  const status = chargeStatusOf(payment);
  const states = [
    saleStateOf({ ...payment, status, disputeStanding: disputeStandingOf(payment) }),
    saleStateOf({ ...payment, status }),
  ];
  return html`${[...new Set(states)].filter((state, index) => index === 0 || state !== 'succeeded').map((state) => statusBadge(state, t))}`;
}

type Line = Payment['lines'][number];

/** The most characters of an amount for which four columns fit beside the other cards. */
const mostLetters = 12;

/** The card with the lines that were bought. If nothing was paid, it has no columns about refunds. */
const linesCard = ({ lines, currency, status, gross: paid }: Payment, t: Texts<TextKey<'payment'>>): Html =>
  card(
    { name: 'lines', title: t('lines') },
    html`<div${money(paid, currency, t.locale).length > mostLetters && html` class="narrow"`}>${dataTable(
      t('lines.caption'),
      [
        {
          label: t('product'),
          cell: ({ productId, name, quantity, unitAmount, discount }) =>
            html`<a href="/dashboard/products/${productId}" dir="auto">${name}</a><span class="hint">${formatCount(quantity, t.locale)} × ${money(unitAmount, currency, t.locale)}${discount !== undefined && ` ${t('less', { amount: money(discount, currency, t.locale) })}`}</span>`,
        },
        { label: t('net'), isNumber: true, cell: ({ net }) => money(net, currency, t.locale) },
        { label: t('tax'), isNumber: true, cell: ({ tax }) => money(tax, currency, t.locale) },
        { label: t('total'), isNumber: true, cell: ({ gross }) => money(gross, currency, t.locale) },
        ...(status === 'succeeded'
          ? [
              {
                label: t('leftToRefund'),
                isNumber: true,
                cell: ({ refundable }: Line) => money(refundable, currency, t.locale),
              },
            ]
          : []),
      ],
      lines,
    )}</div>`,
  );

function sumsCard(frame: Frame, { payment, payout, canMail }: PaymentView, t: Texts<TextKey<'payment'>>): Html {
  const { currency, refunded, pending, disputed, refundable, status } = payment;
  const inMoney = (amount: number) => money(amount, currency, t.locale);
  const taxWords = textsOf(dashboardTexts('taxLabels'), t, buyerTaxTexts);
  const taxes = totalsOf(payment.lines).taxes.map(
    (tax) => [taxLabel(tax, t.locale, taxWords), inMoney(tax.amount)] as const,
  );
  const net = [t('net'), inMoney(payment.net)] as const;
  const rows = [
    ...codeRows(payment, t),
    net,
    ...taxes,
    [t(status === 'succeeded' ? 'paid' : 'total'), inMoney(payment.gross)] as const,
  ];
  const counters = [
    [t('refundedAmount'), inMoney(refunded)],
    ...(pending > 0 ? [[t('refundPending'), inMoney(pending)] as const] : []),
    ...(disputed > 0 ? [[t('takenByBank'), inMoney(disputed)] as const] : []),
    [t('leftToRefund'), inMoney(refundable)],
  ] as const;
  return card(
    { name: 'sums', title: t('amounts') },
    html`${sums(rows)}${status === 'succeeded' && sums(counters)}${feeSums(payment, t)}${payout && payoutLine(payout, t)}
${status === 'succeeded' && html`<p class="submit">${documentLinks(payment, payment.id, t('invoice'))} · <a href="${section}/${payment.id}/order">${t('order.title')}</a></p>${canMail && payment.erasedAt === undefined && sendButton(frame, payment, t)}`}`,
  );
}

/** The button that sends the mail of the purchase again. It leads to the page of the order, which says the result. */
const sendButton = (frame: Frame, { id }: Payment, t: Texts<TextKey<'payment'>>): Html =>
  html`<div class="submit">${actionButton(frame, {
    to: `${section}/${id}/order`,
    action: 'send',
    needs: dashboardCommands.orders.send,
    label: t('order.sendMail'),
  })}</div>`;

/** The displayed prices, and each code's discount. */
function codeRows(
  { lines, discounts = [], currency }: Payment,
  t: Texts<TextKey<'payment'>>,
): (readonly [Slot, string])[] {
  if (discounts.length === 0) return [];
  const listed = sum(lines.map(({ unitAmount, quantity }) => unitAmount * quantity));
  const taken = discounts.map(
    ({ id, code, taken: amount }) =>
      [
        html`<a href="/dashboard/discounts/${id}"><code>${code}</code></a>`,
        money(0 - amount, currency, t.locale),
      ] as const,
  );
  return [[t('beforeCodes'), money(listed, currency, t.locale)], ...taken];
}

/** The rows about the processor's fee. If the fee is in another currency, it cannot be subtracted. */
function feeSums(payment: Payment, t: Texts<TextKey<'payment'>>): Html {
  const { fee, gross, refunded, currency } = payment;
  if (!fee) return html``;
  if (fee.currency !== currency) return sums([[t('fee'), money(fee.amount, fee.currency, t.locale)]]);
  const lost = lostOf(payment);
  const inMoney = (amount: number) => money(amount, currency, t.locale);
  return sums([
    [t('paid'), inMoney(gross)],
    ...(refunded > 0 ? [[t('refundedAmount'), inMoney(0 - refunded)] as const] : []),
    ...(lost > 0 ? [[t('lost'), inMoney(0 - lost)] as const] : []),
    [t('fee'), inMoney(0 - fee.amount)],
    [t('leftAfterFee'), inMoney(gross - refunded - lost - fee.amount)],
  ]);
}

/** When the money of the payment arrives at the merchant's bank. */
function payoutLine({ id, status, arrivesOn }: Payout, t: Texts<TextKey<'payment'>>): Html {
  const isReturned = status === 'failed' || status === 'canceled';
  const link = html`<a href="/dashboard/payouts/${id}"><code>${id}</code></a>`;
  return html`<p>${withMarkup(t(isReturned ? 'payout.returned' : 'payout.in'), { payout: link, day: date(arrivesOn, t.locale) })}</p>`;
}

const refundsCard = ({ refunds, payment }: PaymentView, t: Texts<TextKey<'payment'>>): Html =>
  card(
    { name: 'refunds', title: t('refunds') },
    html`${dataTable(
      t('refunds'),
      [
        {
          label: t('when'),
          cell: ({ createdAt, id, reason }) =>
            html`${time(createdAt, t.locale)}<span class="hint"><code>${id}</code></span>${reason && html`<span class="hint">${t('privateNote')}: <span dir="auto">${reason}</span></span>`}`,
        },
        {
          label: t('status'),
          cell: (refund) => html`${statusBadge(refund.status, t)}${refundWords(refund, t)}`,
        },
        {
          label: t('document'),
          cell: (refund) => (hasPaidOut(refund) ? documentLinks(payment, refund.id, t('creditNote')) : '–'),
        },
        {
          label: t('amount'),
          isNumber: true,
          cell: ({ amount, tax, currency }) =>
            html`${money(amount, currency, t.locale)}<span class="hint">${t('taxIncluded', { amount: money(tax, currency, t.locale) })}</span>`,
        },
      ],
      refunds,
    )}
${payment.refunds.length > refunds.length && html`<p class="hint">${t('refunds.newest', { count: String(refunds.length), all: String(payment.refunds.length) })}</p>`}`,
  );

function buyerCard({ customer, billing, businessName, taxId }: Payment, t: Texts<TextKey<'payment'>>): Html {
  const { street, city, state, zipcode, country } = billing;
  const place = [zipcode, city].filter(Boolean).join(' ');
  const address = [street, place, state, countryName(country, t.locale)].filter(Boolean);
  return card(
    { name: 'buyer', title: t('buyer') },
    facts([
      [t('name'), html`<span dir="auto">${businessName ?? customer.name}</span>`],
      [t('email'), html`<a href="/dashboard/customers/${customer.id}">${customer.email || customer.id}</a>`],
      [t('address'), address.join(', ')],
      ...(taxId ? [[t('taxId'), html`${taxId.id} ${taxIdBadge(taxId, t)}`] as const] : []),
    ]),
  );
}

/** The card with the texts to which the buyer agreed, with language and time. It is a proof for the merchant. */
function consentsCard(
  { consents = [], supplyConsents = [], payLabel: button, lines }: Payment,
  t: Texts<TextKey<'payment'>>,
): Html {
  if (consents.length + supplyConsents.length === 0 && button === undefined) return html``;
  const said = ({ text, language, at }: Omit<Consent, 'kind'>, notes: readonly string[]) =>
    html`<p lang="${language}" dir="auto">“${text}”</p><p class="hint">${time(at, t.locale)} · <bdi>${language}</bdi>${notes.map((note) => html` · ${note}`)}</p>`;
  const names = (positions: readonly number[]) => positions.map((position) => lines[position]?.name ?? '').join(', ');
  return card({ name: 'consents', title: t('consents') }, [
    ...consents.map((consent) => said(consent, consent.kind === 'withdrawal' ? [t('consents.unconfirmed')] : [])),
    ...supplyConsents.map((consent) =>
      said(consent, [
        t('consents.lines', { lines: names(consent.lines) }),
        ...(consent.source === 'api' ? [t('consents.api')] : []),
      ]),
    ),
    ...(button === undefined ? [] : [buttonText(button, t)]),
  ]);
}

/** The Pay button that the buyer pressed: its words if the law prescribes them, its language and its country. */
function buttonText(label: string, t: Texts<TextKey<'payment'>>): Html {
  const [id = '', language, country = ''] = label.split(':');
  const locale = findLocale(language);
  const words = id === 'order' && locale ? payLabel(locale, country)?.words : undefined;
  const where = [id, locale, country].filter((one) => one !== '').join(' · ');
  return html`<p>${t('consents.button')}: ${words && html`<span lang="${locale}" dir="auto">“${words}”</span> `}<span class="hint"><bdi>${where}</bdi></span></p>`;
}

const evidenceMoods = { agree: 'good', alone: 'none', differ: 'wait', conflict: 'wait' } as const;

function evidenceCard({ payment, merchantCountry }: PaymentView, t: Texts<TextKey<'payment'>>): Html {
  const { evidence, calculation } = payment;
  const finding = evidenceFinding(evidence);
  const rule = evidenceRuleOf(payment, merchantCountry);
  const isExact = isCalculationExact(payment);
  return card(
    { name: 'evidence', title: t('evidence') },
    html`<p class="states">${badge(finding, evidenceMoods[finding], t(`evidence.${finding}`))}</p>
${rule && html`<p class="hint">${t(`evidence.rule.${rule}`)} ${t(`evidence.${finding}.means`)}</p>`}
${facts([
  ...evidence.items.map(
    ({ type, country, region }) =>
      [t(`evidence.${type}`), `${countryName(country, t.locale)}${region ? `, ${region}` : ''}`] as const,
  ),
  [t('taxDate'), date(calculation.taxDate, t.locale)],
  [t('rateTable'), calculation.tableVersion],
  [t('recomputed'), t(isExact ? 'recomputed.same' : 'recomputed.other')],
])}
<p><a href="${section}/${payment.id}?why=true">${t('why')}</a></p>
${calculation.rows.length + calculation.warnings.length > 0 && html`<details><summary>${t('rates')}</summary><ul>${[...calculation.rows, ...calculation.registrations, ...calculation.warnings].map((row) => html`<li><code>${row}</code></li>`)}</ul></details>`}`,
  );
}

const idsCard = ({ id, sessionId, processor, card: paidBy, brandId }: Payment, t: Texts<TextKey<'payment'>>): Html =>
  card(
    { name: 'ids', title: t('references') },
    facts([
      [t('payment'), html`<code>${id}</code>`],
      [t('session'), html`<code>${sessionId}</code>`],
      [t('card'), paidBy ? `${paidBy.network} •••• ${paidBy.lastFour}` : null],
      [t('processor'), processor],
      [t('brand'), html`<a href="/dashboard/brands/${brandId}"><code>${brandId}</code></a>`],
    ]),
  );

/** The links to a document, and to its XML if the standard supports it. */
const documentLinks = (payment: Payment, subjectId: string, label: string): Html => {
  const address = `${section}/${payment.id}?document=${subjectId}`;
  return html`<a href="${address}">${label}</a>${isSaleCarried(payment) && html` · <a href="${`${address}&format=xml`}">XML</a>`}`;
};
