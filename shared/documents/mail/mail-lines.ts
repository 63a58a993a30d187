import type { Document, DocumentLine } from '../../domain/documents/document.ts';
import { formatCount, formatMoney } from '../../pages/format.ts';
import type { Locale } from '../../pages/locale.ts';
import type { MailOrder } from '../../pages/mail/mail-parts.ts';
import { type TranslateDocument, translator } from '../../texts/texts.ts';
import { printedAmount, totalsOfDocument } from '../document-tables.ts';

/** The lines of a document and its totals. Line amounts include tax, so that they add up to the total. */
export function mailOrder(document: Document, locale: Locale, t: TranslateDocument): MailOrder {
  const rows = totalsOfDocument(document, locale, t);
  return {
    title: translator(locale)('order.title'),
    lines: document.lines.map((line) => ({
      name: line.name,
      details: detailsOf(line, { currency: document.currency, locale }, t),
      amount: printedAmount(document, line, locale),
    })),
    totals: rows.slice(0, rows.findIndex(({ isTotal }) => isTotal) + 1),
  };
}

interface Money {
  currency: string;
  locale: Locale;
}

const detailsOf = (line: DocumentLine, money: Money, t: TranslateDocument): string[] => [
  ...priceOf(line, money, t),
  ...discountOf(line, money),
];

/**
 * The text of a price: `2 × €15.00` if the quantity is not one, with `plus tax` if the amount includes tax that the
 * price does not.
 */
function priceOf({ quantity, unitAmount, gross, taxInclusive, tax }: DocumentLine, money: Money, t: TranslateDocument) {
  if (quantity === null || unitAmount === null || (quantity === 1 && unitAmount === gross)) return [];
  const price = `${formatCount(quantity, money.locale)} × ${formatMoney(unitAmount, money.currency, money.locale)}`;
  return [taxInclusive || tax === 0 ? price : `${price} ${t('line.exclusive')}`];
}

const discountOf = ({ discount }: DocumentLine, money: Money): string[] =>
  discount === undefined
    ? []
    : [`${translator(money.locale)('order.discount')} ${formatMoney(-discount, money.currency, money.locale)}`];
