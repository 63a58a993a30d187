import type { TaxIdCheck } from '../checkout/buyer.ts';
import type { ChargedTax } from '../checkout/priced-item.ts';
import type { TaxComponent } from '../checkout/tax.ts';
import { DomainError } from '../errors.ts';
import { sum } from '../money/money.ts';
import * as sentences from '../rules/rule-sentences.ts';
import { type BrokenRule, brokenRule } from '../rules/rules.ts';
import { moveParts } from './counters.ts';
import type { Payment, PaymentLine } from './payment.ts';
import { type Refund, type RefundDecision, summarize } from './refund.ts';
import { type LinePortion, remainingNet } from './refund-portions.ts';
import type { CorrectedLine, CorrectionState, TaxCorrection } from './tax-correction.ts';

/** How the lines of a payment would have been taxed with the confirmed tax id. */
export interface NewTreatment {
  /** The taxes of each line, in the order of the payment's lines. */
  lines: readonly (readonly TaxComponent[])[];
  registrations: readonly string[];
}

/** The buyer's confirmed tax id and business name. */
interface Proven {
  taxId: TaxIdCheck;
  businessName: string | null;
}

interface Corrected {
  correction: TaxCorrection;
  portions: LinePortion[];
}

/**
 * The new figures for the part of a payment that was not refunded. If the price includes tax, the total stays and the
 * tax becomes net. If tax was added, the tax is refunded. Throws CONFLICT if the figures cannot be known: something is
 * pending or disputed, or only a part of an inclusive tax is no longer due.
 */
export function correctedTax(payment: Payment, treatment: NewTreatment, { taxId, businessName }: Proven): Corrected {
  assertSettled(payment);
  const left = payment.lines.flatMap((line, index) =>
    line.refundable > 0 ? [correctedLine(line, treatment.lines[index] ?? [])] : [],
  );
  const registrations = [...treatment.registrations];
  return { correction: { taxId, businessName, registrations, lines: left }, portions: left.map(portionOf) };
}

function assertSettled({ status, pending, refundable, disputed, disputes }: Payment): void {
  if (status !== 'succeeded' || refundable === 0) throw conflict(brokenRule(sentences.correction_nothing));
  if (pending > 0) throw conflict(brokenRule(sentences.correction_refund));
  if (disputed > 0 || disputes.some(({ isRefundable }) => !isRefundable))
    throw conflict(brokenRule(sentences.correction_disputed));
}

const conflict = (rule: BrokenRule): DomainError => new DomainError('CONFLICT', rule);

function correctedLine(line: PaymentLine, components: readonly TaxComponent[]): CorrectedLine {
  const left = line.components.map((component, index) => component.amount - (line.returnedComponents[index] ?? 0));
  const tax = line.tax - line.returnedTax;
  const reversed = { net: remainingNet(line), tax, gross: line.refundable, components: left };
  const charged = line.components.map((sold, index) => chargedNow(sold, components[index], left[index] ?? 0));
  const newTax = sum(charged.map(({ amount }) => amount));
  if (line.taxInclusive && newTax > 0 && newTax < tax)
    throw conflict(brokenRule(sentences.correction_part, { line: line.productId }));
  const net = line.taxInclusive ? line.refundable - newTax : reversed.net;
  const invoiced = { net, tax: newTax, gross: net + newTax, components: charged };
  return { productId: line.productId, taxInclusive: line.taxInclusive, reversed, invoiced };
}

/** A tax after the correction. It is charged at the sale's own rate, or not charged for the reason that applies now. */
function chargedNow(sold: ChargedTax, now: TaxComponent | undefined, left: number): ChargedTax {
  const isSameTax = now?.name === sold.name && now.jurisdiction === sold.jurisdiction;
  // A small seller taxed the sale at home. Now the business owes the tax of its own country.
  const isMoved = now?.reason === 'reverse_charge' && sold.reason === null;
  if (!now || !(isSameTax || isMoved)) throw conflict(brokenRule(sentences.correction_changed));
  if (sold.reason !== null || now.reason === null) return { ...sold, amount: left };
  return { ...sold, jurisdiction: now.jurisdiction, rate: now.rate, reason: now.reason, amount: 0 };
}

function portionOf({ productId, taxInclusive, reversed, invoiced }: CorrectedLine): LinePortion {
  const components = reversed.components.map((amount, index) => amount - (invoiced.components[index]?.amount ?? 0));
  return { productId, taxInclusive, amount: reversed.gross - invoiced.gross, tax: sum(components), components };
}

/** How much a correction refunds, and how much tax it removes. Both are 0 if it only adds the tax id. */
export function worthOf({ portions }: Corrected): { amount: number; tax: number } {
  return { amount: sum(portions.map(({ amount }) => amount)), tax: sum(portions.map(({ tax }) => tax)) };
}

interface CorrectionTerms {
  id: string;
  now: string;
  /** The smallest step in which the processor moves money, in minor units. */
  step: number;
}

/** Refuses a tax refund that the processor cannot pay exactly. A rounded amount would be wrong. */
function assertMovable({ currency }: Payment, amount: number, step: number): void {
  if (amount % step === 0) return;
  throw conflict(brokenRule(sentences.correction_step, { currency, step, tax: amount }));
}

/**
 * Books a correction as a refund, only once. The refund's amount is the tax that was added to the price. If no money is
 * returned, the amount is 0 and the refund has already succeeded. Later refunds of the payment do not contain the
 * removed tax.
 */
export function decideCorrection(
  payment: Payment,
  state: CorrectionState,
  { correction, portions }: Corrected,
  { id, now, step }: CorrectionTerms,
): RefundDecision {
  const { amount, tax } = worthOf({ correction, portions });
  assertMovable(payment, amount, step);
  const refund: Refund = {
    id,
    paymentId: payment.id,
    brandId: payment.brandId,
    status: amount > 0 ? 'pending' : 'succeeded',
    currency: payment.currency,
    amount,
    tax,
    taxInclusive: true,
    isPartial: true,
    lines: portions.filter((portion) => portion.tax > 0),
    customer: payment.customer,
    reason: `The tax id ${correction.taxId.id} was proven after the sale.`,
    publicReason: null,
    metadata: {},
    documentSecret: payment.documentSecret,
    reference: null,
    correction,
    createdAt: now,
    updatedAt: now,
  };
  const made = { ...state, status: 'made' as const, at: now, amount, tax, refundId: id };
  const moved = moveParts(payment, portions, { from: 'refundable', to: amount > 0 ? 'pending' : 'refunded' });
  return {
    refund,
    after: { ...moved, correction: made, refunds: [...payment.refunds, summarize(refund)], updatedAt: now },
  };
}
