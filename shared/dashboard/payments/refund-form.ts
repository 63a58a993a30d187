import type { Payment } from '../../domain/payments/payment.ts';
import { remainingNet } from '../../domain/payments/refund-portions.ts';
import { textField } from '../../pages/fields.ts';
import { type Html, html } from '../../pages/html.ts';
import type { Frame } from '../frame.ts';
import { choices, formKeys, money, sums, textArea } from '../parts.ts';
import { halfOf, type RefundDraft, type RefundPreview } from './read-refund-form.ts';

export interface RefundFormView {
  payment: Payment;
  draft: RefundDraft;
  preview: RefundPreview;
  /** Why the refund was refused. */
  fault: string | undefined;
}

/** The form for amount, lines and reason, with a preview of what the buyer gets and its tax. */
export function refundForm(frame: Frame, { payment, draft, preview, fault }: RefundFormView): Html {
  const { id, currency, refundable } = payment;
  return html`<section class="card" id="refund" aria-labelledby="refund-title"><h2 id="refund-title">Refund</h2>
${fault && html`<p class="note fault-note" role="alert" tabindex="-1" autofocus>${fault}</p>`}
${draft.confirmed !== null && html`<p class="note wait" role="alert" tabindex="-1" autofocus>This returns ${money(draft.confirmed, currency)} to the buyer and cannot be undone. Press the button again to refund it.</p>`}
<form method="post" action="/dashboard/payments/${id}" data-live="refund-preview" novalidate>
${formKeys(frame)}<input type="hidden" name="expected" value="${refundable}"><input type="hidden" name="confirmed" value="${draft.confirmed}">
<div class="columns two">
<div>
${choices('scope', 'How much', draft.scope, [
  { value: 'all', label: `The whole rest: ${money(refundable, currency)}` },
  ...(halfOf(payment) > 0 ? [{ value: 'half', label: `Half of it: ${money(halfOf(payment), currency)}` }] : []),
  { value: 'amount', label: 'An amount', hint: 'Spread over the lines in proportion to their refundable amounts.' },
  { value: 'items', label: 'Single lines' },
  { value: 'tax', label: 'The tax only', hint: 'For a buyer who proves a tax id after the sale.' },
])}
<div class="when-amount">${textField({ id: 'amount', name: 'amount', label: `Amount (${currency})`, value: draft.amount, maxLength: 40, isCode: true })}</div>
<div class="when-items">${payment.lines.map((line) => textField({ id: `item.${line.productId}`, name: `item.${line.productId}`, label: line.name, value: draft.items.get(line.productId) ?? '', maxLength: 40, isCode: true, hint: `${money(line.refundable, currency)} left, net ${money(remainingNet(line), currency)}` }))}</div>
<div class="when-amounts">${choices('basis', 'What the amount is', draft.isGross ? 'gross' : 'net', [
    { value: 'gross', label: 'What the buyer gets', hint: 'The amount includes its share of the tax.' },
    { value: 'net', label: 'Net', hint: 'The share of the tax is added.' },
  ])}</div>
${textArea({ id: 'public_reason', label: 'Reason for the buyer (optional)', value: draft.publicReason, maxLength: 3000, hint: 'Printed on the credit note.' })}
${textArea({ id: 'reason', label: 'Private note (optional)', value: draft.reason, maxLength: 3000, hint: 'Stored with the refund. The buyer does not see it.' })}
</div>
<div><h3>What happens</h3><div id="refund-preview" aria-live="polite">${previewText(payment, preview)}</div>
<p class="submit"><button class="second unscripted" name="action" value="preview">Preview</button>
<button class="main" name="action" value="refund">Refund<span class="scripted" id="refund-amount" data-fresh>${'refund' in preview && html` ${money(preview.refund.amount, currency)}`}</span></button></p></div>
</div>
</form></section>`;
}

function previewText(payment: Payment, preview: RefundPreview): Html {
  if ('fault' in preview) return html`<p class="fault">${preview.fault}</p>`;
  const { refund } = preview;
  const { currency, refundable, lines } = payment;
  const named = new Map(lines.map(({ productId, name }) => [productId, name]));
  return html`${sums([
    ...refund.lines.map((line) => [named.get(line.productId) ?? line.productId, money(line.amount, currency)] as const),
    ['The buyer gets', money(refund.amount, currency)],
  ])}
${sums([
  ['Net', money(refund.amount - refund.tax, currency)],
  ['Tax', money(refund.tax, currency)],
  ['Left after this refund', money(refundable - refund.amount, currency)],
])}`;
}
