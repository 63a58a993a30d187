import type { DomainError } from '../../domain/errors.ts';
import { sum } from '../../domain/money/money.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { Refund } from '../../domain/payments/refund.ts';
import { remainingNet } from '../../domain/payments/refund-portions.ts';
import { halfRefund } from '../../domain/payments/refund-step.ts';
import { type FreedReason, freedReasons } from '../../domain/payments/tax-correction.ts';
import type { Rule } from '../../domain/rules/rules.ts';
import { exampleAmount, parseAmount } from '../../pages/amount-input.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import type { DashboardForm } from '../form.ts';
import { faultText } from '../form-faults.ts';
import { money } from '../parts.ts';
import { type Texts, textsOf } from '../texts.ts';

/** The result of a refund, or why it is refused. */
export type RefundPreview = { refund: Refund } | { fault: string };

const refundScopes = ['all', 'half', 'amount', 'items', 'tax'] as const;
type RefundScope = (typeof refundScopes)[number];

/** The entries of the refund form, with amounts as typed. */
export interface RefundDraft {
  /** Empty until the merchant chooses, because nothing that moves money is preselected. */
  scope: RefundScope | '';
  amount: string;
  /** Whether the typed amount is what the buyer gets. If not, it is the amount without tax. */
  isGross: boolean;
  /** The typed amounts by product. */
  items: ReadonlyMap<string, string>;
  /** Why no tax is due, if only the tax is refunded. */
  taxReason: FreedReason;
  reason: string;
  publicReason: string;
  /** Whether the buyer keeps the entitlements of the refunded products. */
  keepsAccess: boolean;
  /** The refundable amount at the time when the form was displayed. */
  expected: number;
  /** The amount that the merchant was asked to confirm; null if nothing was asked yet. */
  confirmed: number | null;
}

export const newRefund = ({ refundable }: Payment): RefundDraft => ({
  scope: '',
  amount: '',
  isGross: true,
  items: new Map(),
  taxReason: 'exempt',
  reason: '',
  publicReason: '',
  keepsAccess: false,
  expected: refundable,
  confirmed: null,
});

export const refundFrom = (form: DashboardForm, payment: Payment): RefundDraft => ({
  scope: refundScopes.find((scope) => scope === form.text('scope')) ?? '',
  amount: form.text('amount'),
  isGross: form.text('basis') !== 'net',
  items: new Map(payment.lines.map(({ productId }) => [productId, form.text(`item.${productId}`)])),
  taxReason: freedReasons.find((reason) => reason === form.text('tax_reason')) ?? 'exempt',
  reason: form.text('reason'),
  publicReason: form.text('public_reason'),
  keepsAccess: form.has('keep_access'),
  expected: Number(form.text('expected')),
  confirmed: form.text('confirmed') === '' ? null : Number(form.text('confirmed')),
});

/**
 * The amount that the merchant must confirm before the refund. Null if it was confirmed, or if the refund is refused
 * anyway.
 */
export function amountToConfirm(
  preview: RefundPreview,
  { payment, draft }: Pick<TypedRefund, 'payment' | 'draft'>,
): number | null {
  if (!('refund' in preview) || draft.expected !== payment.refundable) return null;
  return preview.refund.amount === draft.confirmed ? null : preview.refund.amount;
}

/** A refund as typed, and the language of its error messages. */
export interface TypedRefund {
  payment: Payment;
  draft: RefundDraft;
  /** The smallest step, in minor units, in which the payment's processor moves money. */
  step: number;
  t: Texts<TextKey<'payment'>>;
}

/** The body for the API, or the errors of the entries. */
export function refundBody({ payment, draft, step, t }: TypedRefund): RefundBody {
  const { id, currency } = payment;
  const reasons = { reason: draft.reason || null, public_reason: draft.publicReason || null };
  const access = draft.keepsAccess ? { keep_access: true } : {};
  const own = { payment_id: id, ...reasons, ...access, tax_inclusive: draft.isGross };
  const body = { ...own, expected_refundable: draft.expected };
  if (draft.scope === '') return { fault: t('refund.fault.scope') };
  if (draft.scope === 'all') return { body };
  if (draft.scope === 'half') return { body: { ...body, amount: halfRefund(payment, step), tax_inclusive: true } };
  if (draft.scope === 'tax') return { body: { ...body, type: 'tax', tax_reason: draft.taxReason } };
  if (draft.scope === 'amount')
    return withAmounts([draft.amount], { currency, t }, ([amount]) => ({ ...body, amount }));
  const chosen = [...draft.items].filter(([, typed]) => typed !== '');
  if (chosen.length === 0) return { fault: t('refund.fault.noLine') };
  const typed = chosen.map(([, text]) => text);
  return withAmounts(typed, { currency, t }, (amounts) => ({
    ...body,
    items: chosen.map(([item_id], index) => ({ item_id, amount: amounts[index] })),
  }));
}

type RefundBody = { body: Record<string, unknown> } | { fault: string };

function withAmounts(
  typed: readonly string[],
  { currency, t }: { currency: string; t: Texts<TextKey<'payment'>> },
  toBody: (amounts: readonly number[]) => Record<string, unknown>,
): RefundBody {
  const read = typed.map((text) => parseAmount(text, currency, t.locale));
  const amounts = read.map((reading) => ('amount' in reading ? reading.amount : 0));
  const isReadable = read.every((reading) => 'amount' in reading && reading.amount > 0);
  if (isReadable) return { body: toBody(amounts) };
  return { fault: t('refund.fault.amounts', { currency, example: exampleAmount(currency, t.locale) }) };
}

/** An error message with amounts in the format of the language. */
export function refundFault(refusal: DomainError, { payment, draft, step, t }: TypedRefund): string {
  const { currency, lines, refundable } = payment;
  const left = draft.isGross ? refundable : sum(lines.map(remainingNet));
  const amount = money(left, currency, t.locale);
  const steps = t('refund.fault.step', { currency, step: money(step, currency, t.locale) });
  const words: Partial<Record<Rule, string>> = {
    refund_high: t(draft.isGross ? 'refund.fault.most' : 'refund.fault.mostNet', { amount }),
    refund_line_high: t('refund.fault.line'),
    refund_changed: t('refund.fault.first'),
    refund_step: steps,
    refund_step_near: steps,
  };
  const rule = refusal.broken?.rule;
  return (rule && words[rule]) ?? faultText(refusal, textsOf(dashboardTexts('payment'), t, dashboardTexts('faults')));
}
