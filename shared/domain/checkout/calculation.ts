import type { Payment } from '../payments/payment.ts';
import type { PricedItem } from './priced-item.ts';
import { quote } from './quote.ts';

/** Whether the stored figures can be recomputed from the stored inputs, for each line and component. */
export function isCalculationExact(payment: Payment): boolean {
  const { lines, net, tax, gross } = quote(
    payment.lines.map((line) => ({ ...line, treatment: { components: line.components, warnings: [] } })),
    payment.calculation.rounding,
  );
  const totalsMatch = net === payment.net && tax === payment.tax && gross === payment.gross;
  return totalsMatch && payment.lines.every((line, index) => isSame(line, lines[index]));
}

function isSame(stored: PricedItem, recomputed: PricedItem | undefined): boolean {
  if (!recomputed) return false;
  const parts = ['net', 'tax', 'gross'] as const;
  return (
    parts.every((part) => stored[part] === recomputed[part]) &&
    stored.components.every(({ amount }, index) => amount === recomputed.components[index]?.amount)
  );
}
