import type { CheckoutSession } from '../../domain/checkout/checkout-session.ts';
import type { PageContext } from '../../pages/page-context.ts';
import { enteredCodes } from '../../use-cases/discounts/enter-codes.ts';
import type { CheckoutForm } from '../form/checkout-form.ts';

/** What the page shows of discount codes. */
export interface CodesView {
  /** Whether the buyer can enter one. */
  isAsked: boolean;
  /** The buyer's own, which can be removed. */
  entered: readonly string[];
  typed: string;
  refused: string;
}

/** A field where the merchant has codes and the session takes them, and a button for each code that the buyer has entered. */
export function codesView({ hasCodes }: PageContext, session: CheckoutSession, { code }: CheckoutForm): CodesView {
  const entered = enteredCodes(session);
  const isAsked = session.takesCodes !== false && (hasCodes === true || entered.length > 0);
  return { isAsked, entered, typed: code.typed, refused: code.refused };
}
