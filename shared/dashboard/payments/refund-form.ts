import { givesSomething } from '../../domain/entitlements/grant.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { Refund } from '../../domain/payments/refund.ts';
import { remainingNet } from '../../domain/payments/refund-portions.ts';
import { halfRefund } from '../../domain/payments/refund-step.ts';
import { freedReasons } from '../../domain/payments/tax-correction.ts';
import { textField } from '../../pages/fields.ts';
import { type Html, html } from '../../pages/html.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import type { Frame } from '../frame.ts';
import { card, checkBox, choices, formKeys, money, sums, textArea } from '../parts.ts';
import { type Texts, textsOf } from '../texts.ts';
import type { RefundDraft, RefundPreview } from './read-refund-form.ts';

export interface RefundFormView {
  payment: Payment;
  draft: RefundDraft;
  preview: RefundPreview;
  /** The smallest step, in minor units, in which the payment's processor moves money. */
  step: number;
  /** Why the refund was refused. */
  fault: string | undefined;
  /** The money that the processor has now for the refund. Undefined if that is unknown. */
  available: number | undefined;
}

/** The form of a refund with amount, lines and reason. It shows in advance what the buyer gets, and the tax in it. */
export function refundForm(frame: Frame, { payment, draft, preview, step, fault, available }: RefundFormView): Html {
  const t = textsOf(dashboardTexts('payment'), frame);
  const { id, currency, refundable } = payment;
  const half = halfRefund(payment, step);
  const inMoney = (amount: number) => money(amount, currency, t.locale);
  return card(
    { name: 'refund', title: t('refund.title'), isLinked: true },
    html`<form method="post" action="/dashboard/payments/${id}" data-live="refund-preview" novalidate>
${formKeys(frame)}<input type="hidden" name="expected" value="${refundable}"><input type="hidden" name="confirmed" value="${draft.confirmed}">
<div class="columns two">
<div>
${choices({
  id: 'scope',
  label: t('refund.scope'),
  value: draft.scope,
  options: [
    { value: 'all', label: t('refund.all', { amount: inMoney(refundable) }) },
    ...(half > 0 ? [{ value: 'half', label: t('refund.half', { amount: inMoney(half) }) }] : []),
    { value: 'amount', label: t('refund.amount'), hint: t('refund.amount.hint') },
    { value: 'items', label: t('refund.items') },
    { value: 'tax', label: t('refund.tax'), hint: t('refund.tax.hint') },
  ],
})}
<div class="when-amount">${textField({ id: 'amount', name: 'amount', label: t('refund.amountIn', { currency }), value: draft.amount, maxLength: 40, isCode: true })}</div>
<div class="when-items">${payment.lines.map((line) => textField({ id: `item.${line.productId}`, name: `item.${line.productId}`, label: line.name, value: draft.items.get(line.productId) ?? '', maxLength: 40, isCode: true, hint: t('refund.line.hint', { left: inMoney(line.refundable), net: inMoney(remainingNet(line)) }) }))}</div>
<div class="when-amounts">${choices({
      id: 'basis',
      label: t('refund.basis'),
      value: draft.isGross ? 'gross' : 'net',
      options: [
        { value: 'gross', label: t('refund.gross'), hint: t('refund.gross.hint') },
        { value: 'net', label: t('refund.net'), hint: t('refund.net.hint') },
      ],
    })}</div>
<div class="when-tax">${choices({
      id: 'tax_reason',
      label: t('refund.taxReason'),
      value: draft.taxReason,
      options: freedReasons.map((value) => ({
        value,
        label: t(`refund.taxReason.${value}`),
        hint: t(`refund.taxReason.${value}.hint`),
      })),
    })}</div>
${givesSomething(payment) && checkBox({ id: 'keep_access', label: t('refund.keepAccess'), hint: t('refund.keepAccess.hint'), isChecked: draft.keepsAccess })}
${textArea({ id: 'public_reason', label: t('refund.publicReason'), value: draft.publicReason, maxLength: 3000, hint: t('refund.publicReason.hint') })}
${textArea({ id: 'reason', label: t('refund.reason'), value: draft.reason, maxLength: 3000, hint: t('refund.reason.hint') })}
</div>
<div><h3>${t('refund.effect')}</h3><div id="refund-preview" aria-live="polite">${effect({ payment, draft, preview, step, fault, available }, t)}</div>
<p class="submit"><button class="second unscripted" name="action" value="preview">${t('refund.preview')}</button>
<button class="main" name="action" value="refund">${t('refund.button')}<span class="scripted" id="refund-amount" data-fresh>${'refund' in preview && html` ${inMoney(preview.refund.amount)}`}</span></button></p></div>
</div>
</form>`,
  );
}

/** The preview of the refund, or the reason why it is impossible. A newer preview replaces all of it. */
function effect({ payment, draft, preview, fault, available }: RefundFormView, t: Texts<TextKey<'payment'>>): Html {
  if (fault) return html`<p class="note fault-note" role="alert" tabindex="-1" autofocus>${fault}</p>`;
  const shown = html`${balanceNote({ payment, preview, available }, t)}${previewText({ payment, draft, preview }, t)}`;
  const isAsked = 'refund' in preview && preview.refund.amount === draft.confirmed;
  if (!isAsked) return shown;
  const amount = money(preview.refund.amount, payment.currency, t.locale);
  return html`<p class="note wait" role="alert" tabindex="-1" autofocus>${t('refund.confirm', { amount })}</p>
${shown}`;
}

/** A warning that the refund has to wait, because the processor's balance is too low now. */
function balanceNote(
  { payment, preview, available }: Pick<RefundFormView, 'payment' | 'preview' | 'available'>,
  t: Texts<TextKey<'payment'>>,
): Html | false {
  if (available === undefined || !('refund' in preview) || preview.refund.amount <= available) return false;
  const left = money(Math.max(0, available), payment.currency, t.locale);
  return html`<p class="note wait">${t('refund.balance', { available: left })}</p>`;
}

function previewText(
  { payment, draft, preview }: Pick<RefundFormView, 'payment' | 'draft' | 'preview'>,
  t: Texts<TextKey<'payment'>>,
): Html {
  if ('fault' in preview) return html`<p class="${draft.scope === '' ? 'hint' : 'fault'}">${preview.fault}</p>`;
  const { refund } = preview;
  const { currency, refundable, lines } = payment;
  const ending = endedNames(payment, preview, draft);
  const inMoney = (amount: number) => money(amount, currency, t.locale);
  const named = new Map(lines.map(({ productId, name }) => [productId, name]));
  return html`${sums([
    ...refund.lines.map((line) => [named.get(line.productId) ?? line.productId, inMoney(line.amount)] as const),
    [t('refund.buyerGets'), inMoney(refund.amount)],
  ])}
${sums([
  [t('net'), inMoney(refund.amount - refund.tax)],
  [t('tax'), inMoney(refund.tax)],
  [t('refund.leftAfter'), inMoney(refundable - refund.amount)],
])}${ending.length > 0 && html`<p class="hint">${t('refund.ends', { names: ending.join(', ') })}</p>`}`;
}

/**
 * The products whose access ends, because this refund returns the rest of them. A product that an earlier refund has
 * returned is not named. Its access has already ended, or the buyer keeps it.
 */
function endedNames({ lines }: Payment, { refund }: { refund: Refund }, { keepsAccess }: RefundDraft): string[] {
  if (keepsAccess) return [];
  const amounts = new Map(refund.lines.map(({ productId, amount }) => [productId, amount]));
  const whole = lines.filter(({ productId, gross, pending, refunded }) => {
    const amount = amounts.get(productId) ?? 0;
    return amount > 0 && pending + refunded + amount === gross;
  });
  return [...new Set(whole.flatMap(({ entitlements = [] }) => entitlements.map(({ name }) => name)))];
}
