import type { CheckoutSession } from '../../domain/checkout/checkout-session.ts';
import type { PageContext } from '../../pages/page-context.ts';
import { enteredCodes } from '../../use-cases/discounts/enter-codes.ts';
import type { CheckoutForm } from '../form/checkout-form.ts';

/** The data about discount codes on the page. */
export interface CodesView {
  /** Whether the page has a field for a code. */
  isAsked: boolean;
  /** The codes of the order. The buyer can remove those that they entered. */
  chips: readonly { code: string; isRemovable: boolean }[];
  typed: string;
  refused: string;
}

/**
 * The page has a field if the merchant has codes and the session accepts them. Each code of the
 * order is a chip, and those that the buyer entered have a remove button.
 */
export function codesView({ hasCodes }: PageContext, session: CheckoutSession, { code }: CheckoutForm): CodesView {
  const entered = enteredCodes(session);
  const isAsked = session.takesCodes !== false && (hasCodes === true || entered.length > 0);
  const chips = (session.discounts ?? []).map(({ code }) => ({ code, isRemovable: entered.includes(code) }));
  return { isAsked, chips, typed: code.typed, refused: code.refused };
}
