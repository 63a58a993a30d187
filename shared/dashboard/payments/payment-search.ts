import { normalizeEmail } from '../../domain/checkout/buyer.ts';
import { customerIdOf } from '../../domain/ids.ts';
import { parseAmount } from '../../pages/amount-input.ts';
import type { Locale } from '../../pages/locale.ts';
import type { PaymentSearch, SearchedRow } from '../../use-cases/reports/search-payments.ts';

/**
 * The meaning of a typed search text. Undefined if it cannot be an id, an address, an amount or the last digits of a
 * card.
 */
type Reading = Pick<PaymentSearch, 'id' | 'customerId' | 'matches'> | undefined;

/** Matches four digits, alone or after dots, as the list shows a card. */
const cardDigits = /^[•*·.\s]*(?<lastFour>\d{4})$/;

/** Reads the typed search text. Four digits can be a card or an amount. */
export function readSearch(typed: string, merchantId: string, locale: Locale): Reading {
  if (typed === '') return {};
  if (/^cus_\w+$/.test(typed)) return { customerId: typed };
  if (/^(pay|ref|cks)_\w+$/.test(typed)) return { id: typed };
  if (typed.includes('@')) return { customerId: customerIdOf(merchantId, normalizeEmail(typed)) };
  if (!/\d/.test(typed)) return undefined;
  const amountIn = amountReader(typed, locale);
  const lastFour = cardDigits.exec(typed)?.groups?.['lastFour'];
  return { matches: (row) => row.gross === amountIn(row.currency) || hasLastFour(row, lastFour) };
}

/**
 * Whether a row has these last digits of a card. A shortened row has no card, so it counts here, and is compared again
 * when the full row is read.
 */
const hasLastFour = ({ card }: SearchedRow, lastFour: string | undefined): boolean =>
  lastFour !== undefined && (card === undefined || card?.lastFour === lastFour);

/** Returns a function that reads the typed text as an amount in a currency. */
function amountReader(typed: string, locale: Locale): (currency: string) => number | undefined {
  const known = new Map<string, number | undefined>();
  return (currency) => {
    if (!known.has(currency)) {
      const read = parseAmount(typed, currency, locale);
      known.set(currency, 'amount' in read ? read.amount : undefined);
    }
    return known.get(currency);
  };
}
