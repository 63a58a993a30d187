import { sum } from '../money/money.ts';
import type { Payment, PaymentLine } from './payment.ts';

/** The parts into which a payment's amount is divided. Each cent is in exactly one of them. */
export const counters = ['refundable', 'pending', 'refunded', 'disputed'] as const;
export type Counter = (typeof counters)[number];

/** A part of a line: gross amount, the tax inside it and its components. */
export interface LinePart {
  productId: string;
  amount: number;
  tax: number;
  components: number[];
}

interface Move {
  from: Counter;
  to: Counter;
}

/** Whether a part is empty. A part may consist of tax alone, if a correction turns tax into net. */
const isNothing = ({ amount, tax }: LinePart): boolean => amount === 0 && tax === 0;

/**
 * Moves parts of lines from one counter to another, for each line and in total. Their tax counts as returned, unless it
 * moves back to the refundable counter.
 */
export function moveParts(payment: Payment, parts: readonly LinePart[], { from, to }: Move): Payment {
  const amount = sum(parts.map((part) => part.amount));
  if (parts.every(isNothing)) return payment;
  const byProduct = new Map(parts.map((part) => [part.productId, part]));
  const lines = payment.lines.map((line) => moveLine(line, byProduct.get(line.productId), { from, to }));
  return { ...payment, [from]: payment[from] - amount, [to]: payment[to] + amount, lines };
}

function moveLine(line: PaymentLine, part: LinePart | undefined, { from, to }: Move): PaymentLine {
  if (!part || isNothing(part)) return line;
  const moved = { ...line, [from]: line[from] - part.amount, [to]: line[to] + part.amount };
  const sign = Number(from === 'refundable') - Number(to === 'refundable');
  if (sign === 0) return moved;
  return {
    ...moved,
    returnedTax: line.returnedTax + sign * part.tax,
    returnedComponents: line.returnedComponents.map((had, index) => had + sign * (part.components[index] as number)),
  };
}
