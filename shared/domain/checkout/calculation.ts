import type { Payment, PaymentLine } from '../payments/payment.ts';
import { type PricedLine, quote } from './quote.ts';

/** Whether the stored figures follow from the stored inputs, for each line and component. */
export function isCalculationExact(payment: Payment): boolean {
  const { lines, net, tax, gross } = quote(
    payment.lines.map(({ unitAmount, quantity, taxInclusive, components }) => ({
      unitAmount,
      quantity,
      taxInclusive,
      treatment: { components, warnings: [] },
    })),
  );
  const totalsMatch = net === payment.net && tax === payment.tax && gross === payment.gross;
  return totalsMatch && payment.lines.every((line, index) => isSame(line, lines[index]));
}

function isSame(stored: PaymentLine, recomputed: PricedLine | undefined): boolean {
  if (!recomputed) return false;
  const parts = ['net', 'tax', 'gross'] as const;
  return (
    parts.every((part) => stored[part] === recomputed[part]) &&
    stored.components.every(({ amount }, index) => amount === recomputed.components[index]?.amount)
  );
}
