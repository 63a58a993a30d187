import type { CheckoutSession } from '../../domain/checkout/checkout-session.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { Locale } from '../../pages/locale.ts';
import { type BuyerField, buyerFields, type CheckoutForm } from './checkout-form.ts';
import { acceptedTotalOf, formAgain, type ReadAmounts, readAmounts } from './read-fields.ts';
import { quantitiesAgain, readQuantities } from './read-quantities.ts';

/**
 * A text for comparison, without case, spaces and punctuation. The payment stores its data normalized, so these may
 * differ.
 */
const plain = (typed: string): string => typed.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();

interface OpenOrder {
  session: CheckoutSession;
  payment: Payment;
  /** The language in which the form was typed. */
  locale: Locale;
}

/** Whether a form has the same order and invoice data as an open payment. An empty field counts as equal. */
export function isSameOrder({ session, payment, locale }: OpenOrder, form: CheckoutForm): boolean {
  const { buyer: paid } = formAgain(session, payment, { locale: 'en', cards: [] });
  // A region may be typed by its name, so it is not compared. An empty field counts as equal.
  const isSame = (field: BuyerField) =>
    field === 'region' || form.buyer[field] === '' || plain(form.buyer[field]) === plain(paid[field]);
  const ordered = quantitiesAgain(session, payment);
  const isSameQuantity = ([id, quantity]: [string, string]) => (form.quantities.get(id) ?? quantity) === quantity;
  const read = readAmounts(session, form, locale, locale);
  const accepted = acceptedTotalOf({ session, form, read, ordered: readQuantities(session, form) });
  const totals = [form.expectedTotal, accepted];
  const isSameTotal = totals.includes(payment.gross) && isInCurrency(payment, form);
  const isSameCart = [...ordered].every(isSameQuantity) && hasSameAmounts(payment, read);
  return isSameTotal && isSameCart && isStillAsked(payment, form) && buyerFields.every(isSame);
}

/** Whether the page showed the payment's currency, and the buyer chose no other. */
const isInCurrency = ({ currency }: Payment, form: CheckoutForm): boolean =>
  [form.shownCurrency, form.currency].every((named) => named === '' || named === currency);

/** Whether every box that the payment has stored is still ticked. */
const isStillAsked = ({ supplyConsents = [] }: Payment, { requests }: CheckoutForm): boolean =>
  supplyConsents.every(({ kind }) => requests.includes(kind));

/** Whether the chosen amounts equal those of the payment. Other amounts could have the same total. */
function hasSameAmounts(payment: Payment, { typed, amounts }: ReadAmounts): boolean {
  const isSame = (id: string) =>
    amounts.get(id) === payment.lines.find(({ productId }) => productId === id)?.unitAmount;
  return [...typed].every(([id, text]) => text === '' || isSame(id));
}
