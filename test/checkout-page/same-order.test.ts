import { expect, it } from 'vitest';
import { formAgain } from '../../shared/checkout-page/form/read-fields.ts';
import { isSameOrder } from '../../shared/checkout-page/form/same-order.ts';
import { payment, payWhatYouWant, session, sessionLine } from '../pages/builders.ts';

const open = session({ lines: [sessionLine({ price: payWhatYouWant })] });
const paid = payment(open);
const form = formAgain(open, paid, { locale: 'en', cards: [] });

it('A form belongs to an open payment only if its page promised that total', () => {
  expect(paid.gross).toBe(1_500);
  const isSame = (shown: { expectedTotal: number | null; shownTyped: number | null }) =>
    isSameOrder({ session: open, payment: paid, locale: 'en' }, { ...form, ...shown });
  expect(isSame({ expectedTotal: 1_500, shownTyped: 1_500 })).toBe(true);
  // the page showed 20.00 for a typed 20.00, then the buyer typed 15.00
  expect(isSame({ expectedTotal: 2_000, shownTyped: 2_000 })).toBe(true);
  // a code took half of a typed 15.00 on the page, and is not part of the payment
  expect(isSame({ expectedTotal: 750, shownTyped: 1_500 })).toBe(false);
  // a page of version 0.2.0 does not name what was typed
  expect(isSame({ expectedTotal: 750, shownTyped: null })).toBe(false);
});
