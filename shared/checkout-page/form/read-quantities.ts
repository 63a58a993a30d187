import { type AdjustableQuantity, isOrderable, withinLimits } from '../../domain/catalogue/adjustable-quantity.ts';
import type { CheckoutSession, SessionLine } from '../../domain/checkout/checkout-session.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { CheckoutForm } from './checkout-form.ts';

export interface ReadQuantities {
  /** Those that can be ordered, by product. */
  quantities: Map<string, number>;
  /** What the fields show, by product. */
  typed: Map<string, string>;
  /** The entries that cannot be ordered. */
  faults: { lineIndex: number; limits: AdjustableQuantity }[];
}

/** Reads the quantities that the buyer may choose. A field that a form does not have keeps the quantity of the session. */
export function readQuantities({ lines }: CheckoutSession, form: CheckoutForm): ReadQuantities {
  const read: ReadQuantities = { quantities: new Map(), typed: new Map(), faults: [] };
  for (const [lineIndex, line] of lines.entries()) if (line.adjustable) readLine(line, line.adjustable, lineIndex);
  return read;

  function readLine(line: SessionLine, limits: AdjustableQuantity, lineIndex: number): void {
    const { productId } = line;
    const typed = form.quantities.get(productId) ?? String(line.quantity);
    const quantity = stepped(wholeNumber(typed), { line, limits, step: form.step });
    read.typed.set(productId, Number.isNaN(quantity) ? typed : String(quantity));
    if (isOrderable(quantity, limits)) read.quantities.set(productId, quantity);
    else read.faults.push({ lineIndex, limits });
  }
}

const wholeNumber = (typed: string): number => (/^\d{1,4}$/.test(typed) ? Number(typed) : Number.NaN);

interface Step {
  line: SessionLine;
  limits: AdjustableQuantity;
  step: CheckoutForm['step'];
}

/** The entry, or what a pressed button makes of it. */
const stepped = (entered: number, { line, limits, step }: Step): number =>
  step?.productId === line.productId ? withinLimits((entered || line.quantity) + step.by, limits) : entered;

/** The quantities that a payment was for, as the form has them. */
export const quantitiesAgain = ({ lines }: CheckoutSession, payment: Pick<Payment, 'lines'>): Map<string, string> =>
  new Map(
    lines.flatMap(({ productId, adjustable }): [string, string][] => {
      const paid = payment.lines.find((line) => line.productId === productId);
      return adjustable && paid ? [[productId, String(paid.quantity)]] : [];
    }),
  );
