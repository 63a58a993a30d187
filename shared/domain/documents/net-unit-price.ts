import { minorUnitDigits } from '../money/currency.ts';
import { quotientHalfUp } from '../money/rounding.ts';

/** The decimals of a unit price. With four, the price times the quantity comes close to the line's total. */
const places = 4;

/**
 * The price of one unit without tax, in major units: if three cost 49.99 net, each costs `16.6633`. It is rounded to
 * four decimals (VAT Directive, art. 226(8)), so the line's total is what counts.
 */
export function netUnitPrice(net: number, quantity: number, currency: string): string {
  const digits = minorUnitDigits(currency);
  const units = quotientHalfUp(BigInt(net) * 10n ** BigInt(places - digits), BigInt(quantity));
  const text = String(units).padStart(places + 1, '0');
  const fraction = text.slice(-places).replace(/0+$/, '').padEnd(digits, '0');
  return fraction === '' ? text.slice(0, -places) : `${text.slice(0, -places)}.${fraction}`;
}
