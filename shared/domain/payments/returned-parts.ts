import type { ChargedTax } from '../checkout/priced-item.ts';
import type { ZeroReason } from '../checkout/tax.ts';
import { clamp, sum } from '../money/money.ts';
import { proportion } from '../money/rounding.ts';
import type { LinePart } from './counters.ts';
import type { Payment, PaymentLine } from './payment.ts';
import type { CorrectedLine, FreedReason, FreedTax, FreeingRefund } from './tax-correction.ts';

/** A returned part of a line that is taxed in one way. */
export interface ReturnedPart extends Omit<LinePart, 'productId'> {
  treatment: readonly ChargedTax[];
}

interface Returning {
  corrected: CorrectedLine | undefined;
  /** If this refund returns only the tax: the net from which it removes the tax. */
  freed: FreedTax | undefined;
  /** If an earlier refund has returned only the tax: that refund. */
  freedBy: FreeingRefund | undefined;
}

/**
 * The parts of a refunded line, for a tax return. A refund that returns only the tax also moves the net from the taxed
 * rate to the reason why no tax is due.
 */
export function movedParts(
  line: LinePart,
  sold: PaymentLine,
  { corrected, freed, freedBy }: Returning,
): ReturnedPart[] {
  if (freed) return freeingParts(line, sold, freed);
  if (freedBy && !corrected) return [partAfterFreeing(line, sold, freedBy)];
  return returnedParts(line, sold, corrected);
}

/**
 * The returned parts of a line, by tax treatment. After a correction, the new invoice says how they are taxed. A refund
 * from before the correction, whose money came back, is still taxed as in the sale. Its tax shows how much of it is
 * returned.
 */
export function returnedParts(part: LinePart, sold: PaymentLine, corrected: CorrectedLine | undefined): ReturnedPart[] {
  const { amount, tax, components } = part;
  if (!corrected) return [{ amount, tax, components, treatment: sold.components }];
  const asSold = partAsSold(part, sold, corrected);
  const asCorrected = {
    amount: amount - asSold.amount,
    tax: tax - asSold.tax,
    components: components.map((component, index) => component - (asSold.components[index] ?? 0)),
    treatment: corrected.invoiced.components,
  };
  return [asCorrected, asSold].filter((one) => one.amount !== 0);
}

/**
 * The part with a tax that the new invoice does not have. Its net is computed from that tax, but is at most what was
 * refunded before the correction.
 */
function partAsSold(
  { amount, tax, components }: LinePart,
  sold: PaymentLine,
  { reversed, invoiced }: CorrectedLine,
): ReturnedPart {
  const hasFallenAway = (index: number) => sold.components[index]?.reason !== invoiced.components[index]?.reason;
  const fallen = (amounts: readonly number[]) => sum(amounts.filter((_, index) => hasFallenAway(index)));
  const returnedTax = fallen(components);
  const treatment = sold.components;
  if (returnedTax === 0) return { amount: 0, tax: 0, components: components.map(() => 0), treatment };
  const all = amount - tax;
  const share = proportion(sold.net, returnedTax, fallen(treatment.map((component) => component.amount)));
  const net = clamp(share, Math.max(0, all - invoiced.net), Math.min(all, sold.net - reversed.net));
  const parts = components.map((one, index) => (hasFallenAway(index) || all === 0 ? one : proportion(one, net, all)));
  return { amount: net + sum(parts), tax: sum(parts), components: parts, treatment };
}

/** The sold line from which something was returned. */
export function soldLine({ id, lines }: Payment, productId: string): PaymentLine {
  const line = lines.find((candidate) => candidate.productId === productId);
  if (!line) throw new Error(`The payment ${id} has no line ${productId} of which money was returned.`);
  return line;
}

/**
 * The reason for no tax in a line, for each reason of a refund. If the place was corrected, the sale is outside the tax
 * of the first place.
 */
const zeroReasonOf: Readonly<Record<FreedReason, ZeroReason>> = {
  reverse_charge: 'reverse_charge',
  exempt: 'exempt',
  place_corrected: 'no_tax',
};

/** The components of a line without the tax that was charged. */
const freedComponents = (components: readonly ChargedTax[], reason: FreedReason): ChargedTax[] =>
  components.map((one) =>
    one.reason === null ? { ...one, rate: null, reason: zeroReasonOf[reason], amount: 0 } : one,
  );

/**
 * The parts of a refund that returns only the tax. The net and the tax leave the rates of the sale, and the net counts
 * again without tax. The sum of the parts is the tax.
 */
function freeingParts(
  { amount, tax, components, productId }: LinePart,
  sold: PaymentLine,
  freed: FreedTax,
): ReturnedPart[] {
  const net = sum(freed.lines.filter((line) => line.productId === productId).map((line) => line.net));
  const nothing = components.map(() => 0);
  return [
    { amount: amount + net, tax, components, treatment: sold.components },
    { amount: 0 - net, tax: 0, components: nothing, treatment: freedComponents(sold.components, freed.reason) },
  ];
}

/** The part of a refund after the tax was returned. It is taken from the net that already counts without tax. */
function partAfterFreeing(
  { amount, tax, components, productId }: LinePart,
  sold: PaymentLine,
  { reason, productIds }: FreeingRefund,
): ReturnedPart {
  const isFreed = tax === 0 && productIds.includes(productId);
  return { amount, tax, components, treatment: isFreed ? freedComponents(sold.components, reason) : sold.components };
}
