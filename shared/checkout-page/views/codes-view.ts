import type { CheckoutSession } from '../../domain/checkout/checkout-session.ts';
import type { PageContext } from '../../pages/page-context.ts';
import { enteredCodes } from '../../use-cases/discounts/enter-codes.ts';
import type { CheckoutForm } from '../form/checkout-form.ts';

/** The data about discount codes on the page. */
export interface CodesView {
  /** Whether the page has a field for a code. */
  isAsked: boolean;
  /** The codes that the buyer entered and can remove. */
  entered: readonly string[];
  typed: string;
  refused: string;
}

/**
 * The page has a field if the merchant has codes and the session accepts them. It has a remove button for each entered
 * code.
 */
export function codesView({ hasCodes }: PageContext, session: CheckoutSession, { code }: CheckoutForm): CodesView {
  const entered = enteredCodes(session);
  const isAsked = session.takesCodes !== false && (hasCodes === true || entered.length > 0);
  return { isAsked, entered, typed: code.typed, refused: code.refused };
}
