import { normalizeEmail } from '../../domain/checkout/buyer.ts';
import { customerIdOf } from '../../domain/ids.ts';
import { parseAmount } from '../../pages/amount-input.ts';
import type { Locale } from '../../pages/locale.ts';
import type { PaymentSearch } from '../../use-cases/reports/search-payments.ts';

/** The meaning of a typed search text. */
type Reading = Pick<PaymentSearch, 'id' | 'customerId' | 'invoiceNumber' | 'text'>;

/** Matches four digits, alone or after dots, as the list shows a card. */
const cardDigits = /^[•*·.\s]*(?<lastFour>\d{4})$/;

/** Reads the typed search text. An id, an address and an invoice number lead to a payment directly. */
export function readSearch(typed: string, merchantId: string, locale: Locale): Reading {
  if (typed === '') return {};
  if (/^cus_\w+$/.test(typed)) return { customerId: typed };
  if (/^(pay|ref|cks)_\w+$/.test(typed)) return { id: typed };
  if (/^INV-\d{4}-\d{6,9}$/i.test(typed)) return { invoiceNumber: typed.toUpperCase() };
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(typed)) return { customerId: customerIdOf(merchantId, normalizeEmail(typed)) };
  const lastFour = cardDigits.exec(typed)?.groups?.['lastFour'];
  const code = /^[\w-]{3,16}$/.test(typed) ? typed.toUpperCase() : undefined;
  return { text: { typed, amountIn: amountReader(typed, locale), lastFour, code } };
}

/** Returns a function that reads the typed text as an amount in a currency. */
function amountReader(typed: string, locale: Locale): (currency: string) => number | undefined {
  const known = new Map<string, number | undefined>();
  return (currency) => {
    if (!/\d/.test(typed)) return undefined;
    if (!known.has(currency)) {
      const read = parseAmount(typed, currency, locale);
      known.set(currency, 'amount' in read ? read.amount : undefined);
    }
    return known.get(currency);
  };
}
