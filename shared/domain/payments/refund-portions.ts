import type { Metadata } from '../catalogue/product.ts';
import { DomainError, faultAt, refuse } from '../errors.ts';
import { allocate, allocateNested } from '../money/allocation.ts';
import { clamp, sum } from '../money/money.ts';
import { proportion } from '../money/rounding.ts';
import { unionCountries } from '../places/union-countries.ts';
import * as sentences from '../rules/rule-sentences.ts';
import { brokenRule } from '../rules/rules.ts';
import type { LinePart } from './counters.ts';
import type { Payment, PaymentLine } from './payment.ts';
import type { FreedReason } from './tax-correction.ts';

interface RefundItem {
  productId: string;
  /** The amount; null for the whole rest of the line. */
  amount: number | null;
  taxInclusive: boolean;
}

/** What to refund: everything that is left, an amount over all lines, or single lines. */
export interface RefundRequest {
  paymentId: string;
  /** `tax` refunds the whole remaining tax and no net, to a buyer who proves a tax id after the sale. */
  type: 'money' | 'tax';
  /** Why no tax is due, for a refund of the tax; null otherwise. */
  taxReason?: FreedReason | null | undefined;
  amount: number | null;
  /** The currency that the caller expects. If the payment has another one, the refund is refused. */
  currency: string | null;
  items: readonly RefundItem[] | null;
  /** Whether `amount` is gross (the buyer gets exactly this) or net (its tax is added). */
  taxInclusive: boolean;
  /** The refundable amount that the caller expects. If it differs, the refund is refused. */
  expectedRefundable: number | null;
  /** The reason for the merchant only. */
  reason: string | null;
  /** The reason for the buyer, printed on the credit note. */
  publicReason: string | null;
  metadata: Metadata;
  /** Whether the buyer keeps what the refunded lines give, even if a line is refunded completely. */
  keepsAccess?: boolean | undefined;
  /**
   * Whether the buyer has withdrawn from the refunded lines. Then they give nothing, even if a part of the money is not
   * refunded.
   */
  isWithdrawal?: boolean | undefined;
}

/** A line's share of a refund. */
export interface LinePortion extends LinePart {
  taxInclusive: boolean;
}

/**
 * Divides the requested refund over the payment's lines, with one portion for each. Refuses more than the refundable
 * amount.
 */
export function portions(payment: Payment, request: RefundRequest): LinePortion[] {
  assertRefundable(payment);
  assertCurrency(payment, request.currency);
  assertExpected(payment, request.expectedRefundable);
  if (request.type === 'tax') return wholeTaxPortions(payment, request);
  if (request.items !== null) return itemPortions(payment, request.items);
  if (request.amount !== null) return amountPortions(payment, request.amount, request.taxInclusive);
  return payment.lines.map((line) => takeGross(line, line.refundable, request.taxInclusive));
}

function assertCurrency(payment: Payment, currency: string | null): void {
  if (currency === null || currency === payment.currency) return;
  const values = { payment: payment.id, currency: payment.currency, other: currency };
  throw refuse('INVALID_REQUEST_PARAMETERS', 'currency', brokenRule(sentences.refund_currency, values));
}

function assertRefundable(payment: Payment): void {
  if (payment.status !== 'succeeded')
    throw new DomainError(
      'PAYMENT_NOT_SUCCEEDED',
      `The payment ${payment.id} has not succeeded: it is ${payment.status}.`,
    );
  if (payment.gross === 0)
    throw new DomainError('ZERO_AMOUNT_PAYMENT_REFUND_NOT_ALLOWED', 'A payment of 0 has nothing to refund.');
  if (payment.disputes.some(({ isRefundable }) => !isRefundable))
    throw new DomainError(
      'PAYMENT_DISPUTED',
      'The buyer’s bank disputes this payment. The processor refunds nothing of it.',
    );
  if (payment.refundable > 0) return;
  if (payment.pending > 0)
    throw new DomainError('NOTHING_TO_REFUND', 'A pending refund already holds the rest of this payment.');
  throw new DomainError('PAYMENT_ALREADY_REFUNDED', 'This payment is already refunded in full.');
}

function assertExpected(payment: Payment, expected: number | null): void {
  if (expected === null || expected === payment.refundable) return;
  const changed = brokenRule(sentences.refund_changed, { refundable: payment.refundable, expected });
  throw new DomainError('CONFLICT', changed, {
    faults: [faultAt('expected_refundable', changed)],
    extra: { refundable_amount: payment.refundable },
  });
}

function wholeTaxPortions(payment: Payment, { amount, items, taxReason }: RefundRequest): LinePortion[] {
  if (amount !== null || items !== null)
    throw refuse('INVALID_REQUEST_PARAMETERS', 'type', brokenRule(sentences.refund_tax_alone));
  assertFreedReason(payment, taxReason ?? null);
  return taxPortions(payment);
}

const isInvoiced = (country: string): boolean =>
  unionCountries.has(country) || ['GB', 'IM', 'MC', 'NO', 'XI'].includes(country);
const isCharged = (country: string): boolean => country === 'CH' || country === 'LI';

/**
 * Refuses a refund of the tax without a reason. Also refuses one for a business if its country requires a corrected
 * invoice, or knows no such relief.
 */
function assertFreedReason({ calculation: { country } }: Payment, reason: FreedReason | null): void {
  if (reason === null) throw unfreed(sentences.refund_tax_reason);
  if (reason === 'reverse_charge' && isInvoiced(country)) throw unfreed(sentences.refund_tax_corrected);
  if (reason === 'reverse_charge' && isCharged(country)) throw unfreed(sentences.refund_tax_charged, { country });
}

const unfreed = (...rule: Parameters<typeof brokenRule>) =>
  refuse('INVALID_REQUEST_PARAMETERS', 'tax_reason', brokenRule(...rule));

function taxPortions(payment: Payment): LinePortion[] {
  const taxes = payment.lines.map((line) => line.tax - line.returnedTax);
  if (sum(taxes) === 0) throw new DomainError('NOTHING_TO_REFUND', brokenRule(sentences.refund_no_tax));
  return payment.lines.map((line, index) => {
    const tax = taxes[index] as number;
    return { productId: line.productId, amount: tax, tax, components: componentsInside(line, tax), taxInclusive: true };
  });
}

function itemPortions(payment: Payment, items: readonly RefundItem[]): LinePortion[] {
  const byProduct = new Map(items.map((item, index) => [item.productId, { item, path: `items[${index}]` }]));
  if (byProduct.size < items.length)
    throw refuse('DUPLICATE_LINE_ITEMS_IN_REQUEST', 'items', brokenRule(sentences.refund_line_twice));
  const known = new Set(payment.lines.map((line) => line.productId));
  for (const [productId, { path }] of byProduct)
    if (!known.has(productId))
      throw refuse(
        'LINE_ITEM_NOT_FOUND',
        `${path}.item_id`,
        brokenRule(sentences.refund_line_unknown, { line: productId }),
      );
  return payment.lines.map((line) => {
    const found = byProduct.get(line.productId);
    return found ? takeItem(line, found.item, found.path) : takeGross(line, 0, true);
  });
}

function takeItem(line: PaymentLine, { amount, taxInclusive }: RefundItem, path: string): LinePortion {
  if (line.refundable === 0)
    throw refuse(
      'LINE_ITEM_FULLY_REFUNDED',
      `${path}.item_id`,
      brokenRule(sentences.refund_line_spent, { line: line.productId }),
    );
  if (amount === null) return takeGross(line, line.refundable, taxInclusive);
  if (amount < 1)
    throw refuse('LINE_ITEM_REFUND_AMOUNT_TOO_LOW', `${path}.amount`, brokenRule(sentences.refund_line_low));
  const most = taxInclusive ? line.refundable : remainingNet(line);
  if (amount > most)
    throw refuse(
      'LINE_ITEM_REFUND_AMOUNT_TOO_HIGH',
      `${path}.amount`,
      brokenRule(sentences.refund_line_high, { most }),
    );
  return taxInclusive ? takeGross(line, amount, true) : takeNet(line, amount);
}

function amountPortions(payment: Payment, amount: number, taxInclusive: boolean): LinePortion[] {
  const left = payment.lines.map((line) => (taxInclusive ? line.refundable : remainingNet(line)));
  const most = sum(left);
  if (amount > most)
    throw refuse('REFUND_AMOUNT_EXCEEDS_PAID_AMOUNT', 'amount', brokenRule(sentences.refund_high, { most }));
  const shares = allocate(amount, left);
  return payment.lines.map((line, index) =>
    (taxInclusive ? takeGross : takeNet)(line, shares[index] as number, taxInclusive),
  );
}

/** The net that is neither refunded nor pending. */
export const remainingNet = (line: PaymentLine): number => line.refundable - (line.tax - line.returnedTax);

/** Takes a gross amount from a line, including its share of the tax. */
export function takeGross(line: PaymentLine, amount: number, taxInclusive: boolean): LinePortion {
  const tax = taxInside(line, amount);
  return { productId: line.productId, amount, tax, components: componentsInside(line, tax), taxInclusive };
}

/**
 * Takes a net amount from a line: the smallest gross amount that contains this net. Taking the whole remaining net
 * closes the line.
 */
function takeNet(line: PaymentLine, net: number): LinePortion {
  if (net === remainingNet(line)) return takeGross(line, net === 0 ? 0 : line.refundable, false);
  let [low, high] = [net, line.refundable];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (middle - taxInside(line, middle) < net) low = middle + 1;
    else high = middle;
  }
  return takeGross(line, low, false);
}

/**
 * The tax inside the next `amount` of a line: the difference of two running totals `half-up(tax × returned / gross)`.
 * It is never more than the remaining tax. So the last refund takes exactly the rest, even after failed refunds.
 */
function taxInside(line: PaymentLine, amount: number): number {
  const target = proportion(line.tax, line.gross - line.refundable + amount, line.gross);
  const most = Math.min(line.tax - line.returnedTax, amount);
  return clamp(target - line.returnedTax, Math.max(0, amount - remainingNet(line)), most);
}

/**
 * Divides the returned tax among its components by running totals. Each part is at most what remains of its component.
 */
function componentsInside(line: PaymentLine, tax: number): number[] {
  const targets = allocateNested(
    line.returnedTax + tax,
    line.components.map((component) => component.amount),
  );
  const left = line.components.map((component, index) => component.amount - (line.returnedComponents[index] as number));
  let [rest, room] = [tax, sum(left)];
  return left.map((capacity, index) => {
    room -= capacity;
    const missing = (targets[index] as number) - (line.returnedComponents[index] as number);
    const part = clamp(missing, Math.max(0, rest - room), Math.min(capacity, rest));
    rest -= part;
    return part;
  });
}
