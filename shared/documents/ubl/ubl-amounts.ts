import { type Document, isCredit } from '../../domain/documents/document.ts';
import { decimalOf } from '../../pages/format.ts';
import { textElement, type XmlElement } from './xml.ts';

/** Writes amounts in the document's currency. Amounts of a credit note change their sign, as UBL requires. */
export const ublAmounts =
  ({ kind, currency }: Pick<Document, 'kind' | 'currency'>) =>
  (name: string, amount: number): XmlElement =>
    textElement(name, signed(isCredit({ kind }) ? 0 - amount : amount, currency), { currencyID: currency });

const signed = (amount: number, currency: string): string =>
  amount < 0 ? `-${decimalOf(-amount, currency)}` : decimalOf(amount, currency);
