import { type AdjustableQuantity, isOrderable, withinLimits } from '../../domain/catalogue/adjustable-quantity.ts';
import type { CheckoutSession, SessionLine } from '../../domain/checkout/checkout-session.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { CheckoutForm } from './checkout-form.ts';

export interface ReadQuantities {
  /** Valid quantities, by product. */
  quantities: Map<string, number>;
  /** The text in the quantity fields, by product. */
  typed: Map<string, string>;
  /** The invalid quantities. */
  faults: { lineIndex: number; limits: AdjustableQuantity }[];
}

/** Reads the quantities that the buyer may choose. If a field is missing, the session's quantity is used. */
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

/** The typed quantity, or the quantity after a pressed button. */
const stepped = (entered: number, { line, limits, step }: Step): number =>
  step?.productId === line.productId ? withinLimits((entered || line.quantity) + step.by, limits) : entered;

/** The quantities of a payment, in the form that the page uses. */
export const quantitiesAgain = ({ lines }: CheckoutSession, payment: Pick<Payment, 'lines'>): Map<string, string> =>
  new Map(
    lines.flatMap(({ productId, adjustable }): [string, string][] => {
      const paid = payment.lines.find((line) => line.productId === productId);
      return adjustable && paid ? [[productId, String(paid.quantity)]] : [];
    }),
  );
