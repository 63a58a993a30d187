import type { CheckoutSession } from '../../domain/checkout/checkout-session.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { type BuyerField, buyerFields, type CheckoutForm } from './checkout-form.ts';
import { formAgain } from './read-fields.ts';
import { quantitiesAgain } from './read-quantities.ts';

/** Without case, spaces and punctuation, which are normalized when a payment begins. */
const plain = (typed: string): string => typed.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();

/** Whether a form asks for what an open payment is for: the total, and what would be on its invoice. A field that is left empty asks for nothing else. */
export function isSameOrder(session: CheckoutSession, payment: Payment, form: CheckoutForm): boolean {
  const { buyer: paid } = formAgain(session, payment, { locale: 'en', cards: [] });
  // a region may be typed by its name, and a postal code goes with it
  const isSame = (field: BuyerField) =>
    field === 'region' || form.buyer[field] === '' || plain(form.buyer[field]) === plain(paid[field]);
  const ordered = quantitiesAgain(session, payment);
  const isSameQuantity = ([id, quantity]: [string, string]) => (form.quantities.get(id) ?? quantity) === quantity;
  return form.expectedTotal === payment.gross && buyerFields.every(isSame) && [...ordered].every(isSameQuantity);
}
